import { invalidArgument } from '@vernal/core';

/** What a URL says about the way to a server. */
export interface ServerUrl {
  readonly host: string;
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The path, without its first slash. */
  readonly name: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
}

const ESCAPES = 'must be a URL with one name for its path; in a password / is written as %2F and @ as %40';

/**
 * Throws `invalid_argument` for what is no URL, without its words: they hold a password.
 *
 * @param known - parameters that are understood; any other is refused
 */
export function serverUrl(url: string, known: readonly string[]): ServerUrl {
  if (!URL.canParse(url)) throw invalidArgument('url', ESCAPES);
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  if (hostname === '') throw invalidArgument('url', 'must name a host');
  // What follows a slash in a password that is not escaped.
  if (/[@/]/.test(pathname.slice(1))) throw invalidArgument('url', ESCAPES);
  for (const parameter of searchParams.keys())
    if (!known.includes(parameter))
      throw invalidArgument(
        'url',
        `must have no parameters but ${known.join(', ') || 'those of the driver'}: make the pool yourself for what else it needs`,
      );
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? undefined : Number(port),
    user: decoded(username),
    password: decoded(password),
    name: decoded(pathname.replace(/^\//, '')),
    parameters: new Map(searchParams),
  };
}

/** Undefined for nothing. */
export function decoded(part: string): string | undefined {
  try {
    return part === '' ? undefined : decodeURIComponent(part);
  } catch {
    throw invalidArgument('url', 'must write a percent sign as %25');
  }
}

/** What a parameter says, if it is there. */
export function flag({ parameters }: ServerUrl, name: string): boolean | undefined {
  const value = parameters.get(name);
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') throw invalidArgument('url', `must have true or false for ${name}`);
  return value === 'true';
}
