import { invalidArgument } from '@vernal/core';

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d*)?$/i;
const NO_HOST_NAME = /[\s/?#@\\%*]/;

/** False for a `Host` header that names no host. */
export function isHost(header: string): boolean {
  return HOST.test(header) && URL.canParse(`http://${header}`);
}

/** Names as they come out of headers: small, without ports, IPv6 in brackets. Throws `invalid_argument` for what no host can be called. */
export function hostNames(given: readonly string[], option: string): string[] {
  return given.map((name) => {
    const text = typeof name === 'string' && /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(name) ? `[${name}]` : name;
    if (typeof text === 'string' && !NO_HOST_NAME.test(text) && URL.canParse(`http://${text}`))
      return new URL(`http://${text}`).hostname;
    throw invalidArgument(
      option,
      `must hold names of hosts such as 'api.example.com', not '${name}'; false allows any`,
    );
  });
}

/** As `hostNames`; '<scheme>://*' stands for every page of a browser's extensions. */
export function originNames(given: readonly string[]): string[] {
  return given.flatMap((name) =>
    typeof name === 'string' && /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/\*$/i.test(name)
      ? [name.toLowerCase()]
      : hostNames([name], 'allowedOrigins'),
  );
}
