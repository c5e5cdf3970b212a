// Answers a question from Markdown files: npm start -- "How tall is …?" one.md two.md
import { fileURLToPath } from 'node:url';
import { ExtractiveChatModel, LocalEmbeddingModel } from '@vernal/model-local';
import { fileResource } from '@vernal/node';
import { ask, index } from './ask.js';

const here = (name: string): string => fileURLToPath(new URL(`../documents/${name}`, import.meta.url));
const [question = 'When does the ferry to Skerry sail?', ...given] = process.argv.slice(2);
const paths = given.length > 0 ? given : ['ferries.md', 'island.md'].map(here);

const vectorStore = await index(
  paths.map((path) => fileResource(path)),
  new LocalEmbeddingModel(),
);
const { answer, sources } = await ask(new ExtractiveChatModel(), vectorStore, question);
console.log(`${question}\n\n${answer}\n`);
for (const [at, { metadata }] of sources.entries()) {
  console.log(`[${at + 1}] ${String(metadata['file_name'])} — ${String(metadata['title'])}`);
}
