/** Triggers that have nothing new to find, and how often each is polled. */
export interface IdleSetup {
	trigger: {
		parameters: Record<string, unknown>;
		credential: Record<string, unknown>;
	};
	/** With the credential of the trigger. `checks`: folder of the transport whose checks the careful one takes. */
	bare: { packageFolder: string; checks: string };
	rss: { feedUrl: string; packageFolder: string };
	rounds: number;
	/** In one round, of each. */
	polls: number;
}

export const CONTENDERS = ['trigger', 'careful', 'bare', 'rss'] as const;

type Contender = (typeof CONTENDERS)[number];

/** Processor time of one poll, in milliseconds, round by round. */
export interface IdleFigures {
	milliseconds: Record<Contender, number[]>;
}

/** Rounds before the first that counts: until then Node compiles what runs often. */
export const WARM_UP_ROUNDS = 5;
