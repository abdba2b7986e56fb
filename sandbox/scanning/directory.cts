import type {
	Environment,
	LicensedFunction,
	OrganizationFixture,
	Role,
	TokenFixture,
	TokenLabel,
} from '../fixtures/accounts.cts';
import {
	licensedFunctions,
	organizations,
	sandboxTokens,
	tokenFixtures,
} from '../fixtures/accounts.cts';

/** Who calls, as far as the token tells. */
export interface Caller {
	label: TokenLabel;
	organizationId: string;
	role: Role;
	/** Ids of the organizations whose scans the token reaches (docs/credentials.md, Content Scan API). */
	reach: ReadonlySet<string>;
}

interface Organization extends OrganizationFixture {
	licensed: Set<LicensedFunction>;
}

/** The organizations and tokens of one environment, and what each may do. */
export class Directory {
	private readonly organizations = new Map<string, Organization>();
	private readonly tokens = new Map<string, TokenFixture & { label: TokenLabel }>();

	constructor(environment: Environment) {
		for (const fixture of organizations) {
			if (fixture.environment !== environment) continue;
			const licensed = licensedFunctions.filter((name) => !fixture.unlicensed.includes(name));
			this.organizations.set(fixture.id, { ...fixture, licensed: new Set(licensed) });
		}
		for (const label of Object.keys(sandboxTokens) as TokenLabel[]) {
			const fixture = tokenFixtures[label];
			if (!this.organizations.has(fixture.organizationId)) continue;
			this.tokens.set(sandboxTokens[label], { ...fixture, label });
		}
	}

	/**
	 * The caller behind a token. In a deployment that only offers user tokens, only users with the
	 * role Admin have one (docs/credentials.md, Content Scan API).
	 * @returns `unknown` for a token that does not exist here, `revoked` for one whose user is gone.
	 */
	caller(token: string): Caller | 'unknown' | 'revoked' {
		const found = this.tokens.get(token);
		const organization = found && this.organizations.get(found.organizationId);
		if (!found || !organization) return 'unknown';
		if (found.revoked) return 'revoked';
		const isUserAdmin = found.kind === 'user' && found.role === 'Admin';
		if (organization.onlyUserTokens && !isUserAdmin) return 'unknown';
		const { label, organizationId, role } = found;
		return { label, organizationId, role, reach: this.reachOf(organizationId) };
	}

	organizationIds(): string[] {
		return [...this.organizations.keys()];
	}

	isLicensed(organizationId: string, name: LicensedFunction): boolean {
		return this.organizations.get(organizationId)?.licensed.has(name) ?? false;
	}

	/** @returns whether this environment has the organization. */
	setLicensed(organizationId: string, name: LicensedFunction, licensed: boolean): boolean {
		const organization = this.organizations.get(organizationId);
		if (!organization) return false;
		if (licensed) organization.licensed.add(name);
		else organization.licensed.delete(name);
		return true;
	}

	/** Revokes or restores a token, or changes its user's role. @returns whether it is known here. */
	changeToken(label: TokenLabel, change: { revoked?: boolean; role?: Role }): boolean {
		const found = this.tokens.get(sandboxTokens[label]);
		if (found) Object.assign(found, change);
		return found !== undefined;
	}

	private reachOf(organizationId: string): ReadonlySet<string> {
		const children = [...this.organizations.values()].filter(
			(organization) => organization.parentId === organizationId,
		);
		return new Set([organizationId, ...children.map((child) => child.id)]);
	}
}

/** What a role may do. Administrator and Admin: everything; Viewer reads (the sandbox's own role). */
export function roleAllows(role: Role, name: LicensedFunction): boolean {
	return role !== 'Viewer' || name === 'readScans';
}
