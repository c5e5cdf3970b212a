import { CSV, EML, essence, HTML, JSON_LINES, JSON_TYPE, MARKDOWN, PLAIN, TSV, XML } from './mime-types.js';

/** What is known of a text beside its content. */
export interface TypeHints {
  /** Its extension decides among texts that may be several things. */
  readonly filename?: string | undefined;
  /** As it was declared; weighs more than the extension. */
  readonly mimeType?: string | undefined;
}

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ...{
    md: MARKDOWN,
    markdown: MARKDOWN,
    mdx: MARKDOWN,
    csv: CSV,
    tsv: TSV,
    tab: TSV,
    htm: HTML,
    html: HTML,
    xhtml: HTML,
  },
  ...{
    json: JSON_TYPE,
    jsonl: JSON_LINES,
    ndjson: JSON_LINES,
    txt: PLAIN,
    text: PLAIN,
    log: PLAIN,
    eml: EML,
    xml: XML,
  },
};
const KNOWN: ReadonlySet<string> = /* @__PURE__ */ new Set([MARKDOWN, CSV, TSV, HTML, JSON_TYPE, JSON_LINES, EML, XML]);
/** Headers that a mail has, and a note that begins with words and colons has not. */
const MAIL_HEADER =
  /^(?:from|received|return-path|message-id|delivered-to|dkim-signature|x-mailer|mime-version):[ \t]/i;

/**
 * What kind of text this is: by what cannot be anything else, then by the declared type and the extension, then by how it looks.
 *
 * @param isWhole - false when the text goes on
 */
export function textType(text: string, isWhole: boolean, { filename, mimeType }: TypeHints): string {
  const sure = sureType(text.trimStart(), isWhole);
  if (sure !== undefined) return sure;
  const declared = essence(mimeType);
  if (KNOWN.has(declared)) return declared;
  const extension = /\.([^./\\]+)$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension] ?? PLAIN;
  return likelyType(text, isWhole);
}

function sureType(text: string, isWhole: boolean): string | undefined {
  if (/^(?:<\?xml[^>]*\?>\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(withoutComments(text.slice(0, 8_192))))
    return HTML;
  if (/^<\?xml\s/.test(text)) return XML;
  if (isMail(text)) return EML;
  return jsonType(text, isWhole);
}

/** Those in front, in one pass. */
function withoutComments(text: string): string {
  const declaration = /^<\?xml[^>]*\?>\s*/.exec(text)?.[0] ?? '';
  let at = declaration.length;
  while (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at);
    if (end === -1) break;
    at = end + 3;
    while (/\s/.test(text.charAt(at))) at++;
  }
  return declaration + text.slice(at);
}

function isMail(text: string): boolean {
  const lines = text.slice(0, 16_384).split(/\r\n?|\n/);
  let headers = 0;
  let isMailLike = false;
  for (const line of lines) {
    if (line === '' || headers >= 3) break;
    if (/^[ \t]/.test(line) && headers > 0) continue;
    if (!/^[!-9;-~]+:/.test(line)) return false;
    headers++;
    if (MAIL_HEADER.test(line)) isMailLike = true;
  }
  return isMailLike && headers >= 2;
}

function jsonType(text: string, isWhole: boolean): string | undefined {
  if (!/^(?:\{\s*["}]|\[\s*(?:["[{\]\d-]|true|false|null))/.test(text)) return undefined;
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const complete = isWhole ? lines : lines.slice(0, -1);
  if (complete.length > 1 && complete.slice(0, 5).every(isJson)) return JSON_LINES;
  if (isWhole) return isJson(text) ? JSON_TYPE : undefined;
  return JSON_TYPE;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function likelyType(text: string, isWhole: boolean): string {
  if (/^\s*<(?:div|p|table|h[1-6]|ul|ol|section|article|main|span|br|title|meta)\b[^>]*>/i.test(text)) return HTML;
  if (/^(?:#{1,6} \S|```|---\r?\n[\w-]+:)/m.test(text.slice(0, 8_192))) return MARKDOWN;
  const lines = text.slice(0, 16_384).split(/\r\n?|\n/);
  if (!isWhole || text.length > 16_384) lines.pop();
  const sample = lines.filter((line) => line.trim() !== '').slice(0, 20);
  if (sample.length < 3) return PLAIN;
  for (const delimiter of ['\t', ';', ',', '|']) {
    const [first = 1, ...others] = sample.map((line) => columnsOf(line, delimiter));
    if (first > 1 && others.every((count) => count === first)) return delimiter === '\t' ? TSV : CSV;
  }
  return PLAIN;
}

/** Fields of a line, those in quotes whole. */
function columnsOf(line: string, delimiter: string): number {
  let columns = 1;
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) columns++;
  }
  return columns;
}
