import { VernalError } from '@vernal/core';
import type { PieceRules } from './piece-scanner.js';
import { type SequenceTable, sequenceTable } from './sequence-table.js';
import { type TokenEncoding, tokenEncoding } from './token-encoding.js';
import { writeUtf8 } from './utf8.js';

/** An encoding of OpenAI's models: cl100k_base (GPT-4, text-embedding-3-*), o200k_base (GPT-4o and later). */
export type TokenEncodingName = 'cl100k_base' | 'o200k_base';

const TOKEN_ENCODING_NAMES: readonly TokenEncodingName[] = ['cl100k_base', 'o200k_base'];

type RawRanks = readonly (string | readonly number[])[];

interface Source {
  readonly rules: PieceRules;
  readonly ranks: RawRanks;
}

/** Vocabularies are constants of several megabytes: one copy a process, like the modules that hold them. */
const loaded = new Map<TokenEncodingName, Promise<TokenEncoding>>();

/** Refuses what untyped callers may pass. */
export function requireEncodingName(name: TokenEncodingName): void {
  if (TOKEN_ENCODING_NAMES.includes(name)) return;
  throw new VernalError(`Unknown token encoding. Use one of: ${TOKEN_ENCODING_NAMES.join(', ')}`, {
    code: 'invalid_argument',
    subject: 'encoding',
  });
}

export function loadEncoding(name: TokenEncodingName): Promise<TokenEncoding> {
  let encoding = loaded.get(name);
  if (encoding === undefined) {
    encoding = importSource(name).then(({ rules, ranks }) => tokenEncoding(rules, rankTable(ranks)));
    // A failed import may succeed later (a full disk, a stopped dev server): it is not kept.
    encoding.catch(() => loaded.delete(name));
    loaded.set(name, encoding);
  }
  return encoding;
}

async function importSource(name: TokenEncodingName): Promise<Source> {
  if (name === 'cl100k_base') {
    const [{ Cl100KBase }, { default: raw }] = await Promise.all([
      import('gpt-tokenizer/encodingParams/cl100k_base'),
      import('gpt-tokenizer/bpeRanks/cl100k_base'),
    ]);
    const { tokenSplitRegex, bytePairRankDecoder } = Cl100KBase(raw);
    return { rules: { pattern: tokenSplitRegex, caseAware: false }, ranks: bytePairRankDecoder };
  }
  const [{ O200KBase }, { default: raw }] = await Promise.all([
    import('gpt-tokenizer/encodingParams/o200k_base'),
    import('gpt-tokenizer/bpeRanks/o200k_base'),
  ]);
  const { tokenSplitRegex, bytePairRankDecoder } = O200KBase(raw);
  return { rules: { pattern: tokenSplitRegex, caseAware: true }, ranks: bytePairRankDecoder };
}

/** The longest token of either encoding has 128 bytes; a longer one would only take a larger buffer. */
function rankTable(raw: RawRanks): SequenceTable {
  let units = 0;
  for (const token of raw) units += token.length * (typeof token === 'string' ? 3 : 1);
  const table = sequenceTable(raw.length, units);
  let bytes = new Uint16Array(512);
  raw.forEach((token, rank) => {
    if (token.length * 3 > bytes.length) bytes = new Uint16Array(token.length * 3);
    let length = token.length;
    if (typeof token === 'string') length = writeUtf8(token, 0, token.length, bytes);
    else bytes.set(token);
    table.add(bytes, 0, length, rank);
  });
  return table;
}
