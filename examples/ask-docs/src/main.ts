// Answers a question from Markdown files: node dist/main.js "What is …?" one.md two.md
import { ExtractiveChatModel, LocalEmbeddingModel } from '@vernal/model-local';
import { fileResource } from '@vernal/node';
import { ask, index } from './ask.js';

const [question, ...paths] = process.argv.slice(2);
if (question === undefined || paths.length === 0) {
  console.error('usage: node dist/main.js "question" file.md…');
  process.exitCode = 2;
} else {
  const vectorStore = await index(
    paths.map((path) => fileResource(path)),
    new LocalEmbeddingModel(),
  );
  const { answer, sources } = await ask(new ExtractiveChatModel(), vectorStore, question);
  console.log(answer);
  sources.forEach((source, i) => console.log(`[${i + 1}] ${String(source.metadata['source'])}`));
}
