/** Why there is no server of this name that a test may kill; undefined where there is one. Throws in CI when there is no engine at all. */
export function noPrivateEngine(name: string): string | undefined;
