/** Letters of a name that every known provider takes. */
const LONGEST = 64;
const HASH_LENGTH = 6;

/**
 * The name of a tool for the model: `<connection>_<tool>`, legal everywhere (`[a-zA-Z0-9_-]{1,64}`). It depends on these two names alone, so
 * it stays the same when servers or tools come and go, and no server can take the name of another's tool or of one of yours. Where
 * letters had to be replaced or cut away, a hash of the original keeps it apart from others.
 *
 * @param connection - undefined for a name without a prefix
 * @example
 * mcpToolName('files', 'read_file'); // 'files_read_file'
 * mcpToolName('files', '읽기'); // 'files_tool_' and a hash
 */
export function mcpToolName(connection: string | undefined, tool: string): string {
  const [prefix, prefixIsExact] = connection === undefined ? ['', true] : legal(connection, 'mcp');
  const [name, nameIsExact] = legal(tool, 'tool');
  const full = prefix === '' ? name : `${prefix}_${name}`;
  if (prefixIsExact && nameIsExact && full.length <= LONGEST) return full;
  return withHash(full, `${connection ?? ''}\0${tool}`);
}

/** `name` with a hash of `origin` behind it, not longer than it may be. */
export function withHash(name: string, origin: string): string {
  return `${name.slice(0, LONGEST - HASH_LENGTH - 1)}_${hash(origin)}`;
}

/** Whether the text was legal as it was comes with it. */
function legal(text: string, empty: string): readonly [string, boolean] {
  if (/^[a-zA-Z0-9_-]+$/.test(text)) return [text, true];
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return [name === '' ? empty : name, false];
}

/** FNV-1a over UTF-16 code units, twice: short, and the same everywhere. It keeps names apart; it is no protection. */
function hash(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x1000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ (unit + i), 0x85ebca6b);
  }
  const digits = (one >>> 0).toString(36) + (other >>> 0).toString(36);
  return digits.padEnd(HASH_LENGTH, '0').slice(-HASH_LENGTH);
}
