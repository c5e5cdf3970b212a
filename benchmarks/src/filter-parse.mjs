// From a filter's text to its tree, remembered and not, beside a parser by hand; and from a tree to an answer.
import { isDeepStrictEqual } from 'node:util';
import { compileFilter, evaluateFilter, parseFilter } from '@vernal/vector-store';
import { handParse } from './hand-filter-parser.mjs';
import { compare } from './measure.mjs';

const texts = {
  'one test': "country == 'BG'",
  'three tests': "country == 'BG' AND year >= 2020 AND NOT (draft == true)",
  'a long one':
    "tenant == 'acme' AND (lang IN ['en', 'de', 'fr', 'nl'] OR lang IS NULL) AND year >= 2020 AND year < 2026.5 " +
    "AND NOT (status == 'draft' OR status == 'it\\'s over' AND reviewed != true) AND author.name NOT IN ['x', \"y\", 'z'] AND größe > -1.5e3",
};
const metadata = { tenant: 'acme', lang: 'de', year: 2024, status: 'done', author: { name: 'Ada' }, größe: 4 };

/** Only what is read under the usual depth is remembered. */
const forgotten = { maxDepth: 99 };

const times = (operation) => (count) => {
  let last;
  for (let i = 0; i < count; i += 1) last = operation();
  return last;
};

export async function filterParse() {
  // The first of the tables must not be the one that pays for the compiler.
  for (const text of Object.values(texts)) {
    times(() => handParse(text))(5_000);
    times(() => parseFilter(text, forgotten))(5_000);
  }
  for (const [name, text] of Object.entries(texts)) {
    if (!isDeepStrictEqual(handParse(text), parseFilter(text))) throw new Error(`the two parsers differ on ${name}`);
    const rows = await compare(
      `Filter, from text to tree: ${name} (${text.length} characters)`,
      {
        'floor: a parser by hand': times(() => handParse(text)),
        'vernal parseFilter, not remembered': times(() => parseFilter(text, forgotten)),
        'vernal parseFilter, remembered': times(() => parseFilter(text)),
      },
      { operations: 500 },
    );
    const rate = (row) => `${Math.round(1e6 / row['CPU us']).toLocaleString('en')}/s`;
    console.log(rows.map((row) => `${row.contestant}: ${rate(row)}`).join('; '));
  }
  const tree = parseFilter(texts['a long one']);
  const test = compileFilter(tree);
  const byHand = ({ tenant, lang = null, year, status, reviewed, author, größe }) =>
    tenant === 'acme' &&
    (['en', 'de', 'fr', 'nl'].includes(lang) || lang === null) &&
    year >= 2020 &&
    year < 2026.5 &&
    !(status === 'draft' || (status === "it's over" && reviewed !== true)) &&
    !['x', 'y', 'z'].includes(author?.name) &&
    größe > -1.5e3;
  if (!test(metadata) || !byHand(metadata)) throw new Error('the metadata should match');
  await compare(
    'Filter, from metadata to answer: the long one',
    {
      'floor: written as JavaScript': times(() => byHand(metadata)),
      'vernal compileFilter, once for all': times(() => test(metadata)),
      'vernal evaluateFilter, from the tree': times(() => evaluateFilter(tree, metadata)),
    },
    { operations: 5_000 },
  );
}
