import { runTool } from '../runTool.cts';

/** Builds `dist/`. @throws ActionableError with the compiler's words */
export async function buildPackage(): Promise<string> {
	return await runTool('gulp', ['build']);
}
