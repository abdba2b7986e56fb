import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../repositoryRoot.cts';

/** A text that the package raises, `…` standing for what belongs to the case. */
export interface SourceError {
	/** Path of the file that raises it, from the root of the repository. */
	file: string;
	message: string;
	advice: string;
}

/** What names stand for at a place in the code: an expression, and where that is to be read. */
type Scope = Map<string, { expression: ts.Expression; scope: Scope }>;

type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction;

const UNKNOWN = '…';

/** How far a helper that makes errors is followed to its callers. */
const DEEPEST = 4;

/** Every error that nodes/ and credentials/ make of a check of their own, as the code has it. */
export function sourceErrors(): SourceError[] {
	const found = ['credentials', 'nodes', 'services', 'transport', 'input']
		.flatMap(sourceFiles)
		.flatMap(errorsOf);
	const unique = new Map(found.map((error) => [`${error.file} ${error.message}`, error]));
	return [...unique.values()];
}

function sourceFiles(folder: string): string[] {
	return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(folder, path))
		.sort();
}

function errorsOf(file: string): SourceError[] {
	const text = readFileSync(join(repositoryRoot, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const reader = new ErrorReader(source);
	return reader.errors().map((error) => ({ file: file.replaceAll('\\', '/'), ...error }));
}

/** Reads the errors of one file. It follows constants and functions of that file, nothing else. */
class ErrorReader {
	private readonly nodes: ts.Node[] = [];

	constructor(source: ts.SourceFile) {
		const visit = (node: ts.Node): void => {
			this.nodes.push(node);
			ts.forEachChild(node, visit);
		};
		visit(source);
	}

	errors(): Array<Omit<SourceError, 'file'>> {
		return this.nodes.filter(ts.isNewExpression).flatMap((made) => this.errorsAt(made));
	}

	private errorsAt(made: ts.NewExpression): Array<Omit<SourceError, 'file'>> {
		const name = made.expression.getText();
		const values = [...(made.arguments ?? [])];
		if (name === 'NodeOperationError') values.shift();
		else if (name !== 'UserError') return [];
		const [message, options] = values;
		// An error that is passed on was made elsewhere.
		if (!message || ts.isIdentifier(message) || ts.isAsExpression(message)) return [];
		return this.scopesOf(made, DEEPEST)
			.flatMap((scope) => this.choices(made, scope))
			.flatMap((scope) => {
				const advice = options && property(options, 'description');
				const text = advice ? this.texts(advice, scope)[0] : '';
				return this.texts(message, scope).map((one) => ({ message: one, advice: text }));
			})
			.filter((error) => /\w/.test(error.message));
	}

	/** The scopes in which a piece of code runs: one for each call of the function around it. */
	private scopesOf(node: ts.Node, depth: number): Scope[] {
		const around = functionAround(node);
		if (!around || depth === 0) return [new Map()];
		const outer = around.parent ? this.scopesOf(around.parent, depth) : [new Map() as Scope];
		const calls = this.callsOf(around);
		if (calls.length === 0) return outer;
		return calls.flatMap((call) =>
			this.scopesOf(call, depth - 1).map((scope) => {
				const bound = new Map(outer[0]);
				around.parameters.forEach((parameter, position) => {
					const expression = call.arguments[position] ?? parameter.initializer;
					if (expression) bound.set(parameter.name.getText(), { expression, scope });
				});
				return bound;
			}),
		);
	}

	/** Where a function is called: by its name, or as a parameter of the function it is handed to. */
	private callsOf(around: FunctionNode): ts.CallExpression[] {
		const handed = this.handedTo(around);
		const name = handed?.parameter ?? nameOf(around);
		return this.nodes.filter(
			(one): one is ts.CallExpression =>
				ts.isCallExpression(one) &&
				one.expression.getText() === name &&
				binderOf(one, name) === handed?.to,
		);
	}

	/** The function of this file that another one is an argument of, and the parameter it becomes. */
	private handedTo(around: FunctionNode): { to: FunctionNode; parameter: string } | undefined {
		const call = around.parent;
		if (ts.isFunctionDeclaration(around) || !ts.isCallExpression(call)) return undefined;
		const to = this.nodes
			.filter(
				(one): one is FunctionNode => ts.isFunctionDeclaration(one) || ts.isArrowFunction(one),
			)
			.find((one) => nameOf(one) === call.expression.getText());
		const parameter = to?.parameters[call.arguments.indexOf(around)]?.name.getText();
		return to && parameter ? { to, parameter } : undefined;
	}

	/** One scope for each object that a variable like `flaw` in `flaw.what` may hold. */
	private choices(made: ts.NewExpression, scope: Scope): Scope[] {
		const accesses: ts.PropertyAccessExpression[] = [];
		const visit = (node: ts.Node): void => {
			if (ts.isPropertyAccessExpression(node)) accesses.push(node);
			ts.forEachChild(node, visit);
		};
		visit(made);
		for (const { expression, name } of accesses) {
			const returned = ts.isIdentifier(expression) ? this.returnedBy(expression.text) : [];
			const objects = returned.filter((one) => property(one, name.text));
			if (objects.length === 0) continue;
			return objects.map((object) =>
				new Map(scope).set(expression.getText(), { expression: object, scope }),
			);
		}
		return [scope];
	}

	/** The texts that an expression may give. */
	private texts(expression: ts.Expression, scope: Scope): string[] {
		if (ts.isStringLiteral(expression) || ts.isNoSubstitutionTemplateLiteral(expression)) {
			return [expression.text];
		}
		if (ts.isNumericLiteral(expression)) return [expression.text];
		if (ts.isParenthesizedExpression(expression)) return this.texts(expression.expression, scope);
		if (ts.isTemplateExpression(expression)) {
			return expression.templateSpans.reduce<string[]>(
				(heads, { expression: part, literal }) =>
					heads.flatMap((head) =>
						this.texts(part, scope).map((middle) => `${head}${middle}${literal.text}`),
					),
				[expression.head.text],
			);
		}
		if (ts.isConditionalExpression(expression)) {
			const { whenTrue, whenFalse } = expression;
			return [...this.texts(whenTrue, scope), ...this.texts(whenFalse, scope)];
		}
		if (ts.isPropertyAccessExpression(expression)) {
			const bound = scope.get(expression.expression.getText());
			const value = bound && property(bound.expression, expression.name.text);
			return value ? this.texts(value, bound.scope) : [UNKNOWN];
		}
		if (ts.isIdentifier(expression)) return this.textsOfName(expression.text, scope);
		return [UNKNOWN];
	}

	private textsOfName(name: string, scope: Scope): string[] {
		const bound = scope.get(name);
		if (bound) return this.texts(bound.expression, bound.scope);
		const value = this.declared(name);
		if (!value) return [UNKNOWN];
		const returned = ts.isCallExpression(value) ? this.returnedBy(name) : [];
		const texts = returned.flatMap((one) => this.texts(one, new Map()));
		if (texts.length > 0) return texts;
		return ts.isCallExpression(value) ? [UNKNOWN] : this.texts(value, scope);
	}

	private declared(name: string): ts.Expression | undefined {
		const declaration = this.nodes.find(
			(node): node is ts.VariableDeclaration =>
				ts.isVariableDeclaration(node) && node.name.getText() === name,
		);
		return declaration?.initializer;
	}

	/** What the functions return that a variable is filled from. */
	private returnedBy(variable: string): ts.Expression[] {
		const value = this.declared(variable);
		if (!value) return [];
		const called = this.nodes
			.filter(ts.isCallExpression)
			.filter((call) => call.pos >= value.pos && call.end <= value.end)
			.map((call) => call.expression.getText());
		return this.nodes
			.filter(ts.isReturnStatement)
			.filter((node) => called.includes(nameOf(functionAround(node)) ?? ''))
			.map(({ expression }) => expression)
			.filter((one): one is ts.Expression => one !== undefined && one.getText() !== 'undefined');
	}
}

function property(expression: ts.Expression, name: string): ts.Expression | undefined {
	if (!ts.isObjectLiteralExpression(expression)) return undefined;
	for (const one of expression.properties) {
		if (one.name?.getText() !== name) continue;
		if (ts.isPropertyAssignment(one)) return one.initializer;
	}
	return undefined;
}

/** The function whose parameter a name is at a place, if it is one. */
function binderOf(node: ts.Node, name: string): FunctionNode | undefined {
	let around = functionAround(node);
	while (around && !around.parameters.some((parameter) => parameter.name.getText() === name)) {
		around = functionAround(around);
	}
	return around;
}

function functionAround(node: ts.Node): FunctionNode | undefined {
	let current: ts.Node | undefined = node.parent;
	while (current && !ts.isFunctionDeclaration(current) && !ts.isArrowFunction(current)) {
		current = current.parent;
	}
	return current;
}

function nameOf(around: FunctionNode | undefined): string | undefined {
	if (!around) return undefined;
	if (ts.isFunctionDeclaration(around)) return around.name?.text;
	return ts.isVariableDeclaration(around.parent) ? around.parent.name.getText() : undefined;
}
