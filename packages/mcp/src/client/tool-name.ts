/** Letters of a name that every known provider takes. */
const LONGEST = 64;

/** Letters of the hash of the connection, and of both names. */
const [CONNECTION_LETTERS, BOTH_LETTERS] = [4, 6];

/** How a name with a hash ends; one that does so by itself gets another. */
const HASHED = /_0[a-z0-9]{10}$/;

/**
 * The name of a tool for the model: `<connection>_<tool>`, legal everywhere (`[a-zA-Z0-9_-]{1,64}`). It depends on these names alone and
 * not on what servers list, so it stays the same when tools come and go, and no server can take the name of another's. A hash of the
 * originals keeps a name apart where letters had to be replaced or cut away, and where it begins as those of another connection do:
 * `admin_delete` of `files`, beside a connection `files_admin`.
 *
 * @param connection - undefined for a name without a prefix
 * @param others - names of the other connections that the same model gets tools of. Default none
 * @example
 * mcpToolName('files', 'read_file'); // 'files_read_file'
 * mcpToolName('files', '읽기'); // 'files_tool_0' and ten more letters
 */
export function mcpToolName(connection: string | undefined, tool: string, others: Iterable<string> = []): string {
  const [prefix, prefixIsExact] = connection === undefined ? ['', true] : legal(connection, 'mcp');
  const [name, nameIsExact] = legal(tool, 'tool');
  const full = prefix === '' ? name : `${prefix}_${name}`;
  const isPlain = prefixIsExact && nameIsExact && full.length <= LONGEST && !HASHED.test(full);
  if (isPlain && (connection === undefined || !isOfAnother(full, connection, others))) return full;
  return withHash(full, connection, tool);
}

/** `name` with a hash of its two origins behind it, not longer than it may be. */
export function withHash(name: string, connection: string | undefined, tool: string): string {
  // The first part is the connection's own, whatever a server calls its tools: none can look for a hash that another server's tool has.
  const end = `_0${hash(connection ?? '', CONNECTION_LETTERS)}${hash(`${connection ?? ''}\0${tool}`, BOTH_LETTERS)}`;
  return `${name.slice(0, LONGEST - end.length)}${end}`;
}

/** The longer of two connections keeps its names, so that every name belongs to one. */
function isOfAnother(full: string, connection: string, others: Iterable<string>): boolean {
  for (const other of others) if (other.length > connection.length && full.startsWith(`${other}_`)) return true;
  return false;
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
function hash(text: string, letters: number): string {
  let one = 0x811c9dc5;
  let other = 0x1000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ (unit + i), 0x85ebca6b);
  }
  const digits = (one >>> 0).toString(36) + (other >>> 0).toString(36);
  return digits.padEnd(letters, '0').slice(-letters);
}
