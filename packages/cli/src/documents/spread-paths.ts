import { access } from 'node:fs/promises';
import { resolve } from 'node:path';

/** A shell makes several paths of `--docs notes/*.md`: what follows a path and is on the disk is one more. Behind '--' nothing is. */
export async function withSpreadPaths(args: readonly string[], cwd: string): Promise<string[]> {
  const spread: string[] = [];
  let isBehindPath = false;
  for (const [at, argument] of args.entries()) {
    if (argument === '--') return [...spread, ...args.slice(at)];
    const isValue: boolean = args[at - 1] === '--docs';
    const isMore: boolean =
      !isValue &&
      isBehindPath &&
      argument.trim() !== '' &&
      !argument.startsWith('-') &&
      (await exists(resolve(cwd, argument)));
    spread.push(...(isMore ? ['--docs', argument] : [argument]));
    isBehindPath = isValue || isMore || argument.startsWith('--docs=');
  }
  return spread;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
