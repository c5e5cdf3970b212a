// Splitting a long document into chunks of 800 tokens, in MB of text a second.
import { document } from '@vernal/core';
import { TokenTextSplitter } from '@vernal/tokenizer';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { compare, peer } from './measure.mjs';

const words =
  'the a of vector store model answer question document token advisor because client streams chunk which memory is was not and, but. or; however: retrieval'.split(
    ' ',
  );
export function text(bytes) {
  let seed = 7;
  const parts = [];
  for (let length = 0; length < bytes; ) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const word = seed % 17 === 0 ? `${words[seed % words.length]}${seed % 1000}.\n` : words[seed % words.length];
    parts.push(word);
    length += word.length + 1;
  }
  return parts.join(' ');
}

export async function tokenSplit() {
  const megabytes = 1;
  const sample = text(megabytes * 1e6);
  const splitter = new TokenTextSplitter();
  const contestants = {
    'floor: gpt-tokenizer encode alone': () => encode(sample),
    'vernal TokenTextSplitter': async () => {
      for await (const _ of splitter.transform([document(sample)]));
    },
  };
  const langchain = await peer('@langchain/textsplitters');
  if (langchain) {
    const recursive = new langchain.RecursiveCharacterTextSplitter({ chunkSize: 3200, chunkOverlap: 0 });
    contestants['langchain RecursiveCharacterTextSplitter (characters, not tokens)'] = () =>
      recursive.splitText(sample);
  }
  const rows = await compare('Token splitting, cl100k, ms per MB', contestants, {
    operations: megabytes,
    rounds: 7,
    unit: 'ms',
    weighed: 0,
  });
  for (const row of rows) console.log(`${row.contestant}: ${(1000 / row['CPU ms']).toFixed(1)} MB a CPU second`);
  return rows;
}
