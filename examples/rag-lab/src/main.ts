// Measures retrieval pipelines: npm start -- --help
import { readFile, writeFile } from 'node:fs/promises';
import { invalidArgument, VernalError } from '@vernal/core';
import { OpenAiChatModel, openAiChatOptions } from '@vernal/model-openai';
import { type LabOptions, labOptions } from './lab-options.js';
import { measure } from './measure.js';
import { MeteredChatModel } from './metered-chat-model.js';
import { type PartModels, pipelines } from './pipelines.js';
import { type Half, ownSet, shippedSet } from './question-set.js';
import { record } from './record.js';
import { RecordedChatModel, type Recording } from './recorded-chat-model.js';
import { table } from './table.js';

const HELP = `npm start -- [options]

  --set dev|test|all   which half of the questions (default test)
  --docs FOLDER        your Markdown and text files instead of the set of this example
  --questions FILE     your questions, one a line: {"question": "…", "relevant": ["file.md"]}
  --model NAME         a model behind OPENAI_BASE_URL with OPENAI_API_KEY, instead of the recorded answers
  --json               rows as JSON
  --record             asks the model again and writes data/recorded-answers.json
`;

const RECORDING = new URL('../data/recorded-answers.json', import.meta.url);
/** Tokens: three questions fit, and a small model that finds no end is stopped. */
const LONGEST_ANSWER = 100;

const options = optionsOrExit();
const isOwn = options.docs !== undefined;
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
const { signal } = interrupt;

try {
  await (options.record ? recordAnswers() : showTable(options.set));
} catch (error) {
  if (!VernalError.is(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function optionsOrExit(): LabOptions {
  try {
    const given = labOptions(process.argv.slice(2));
    if (!given.help) return given;
    console.log(HELP);
    process.exit(0);
  } catch (error) {
    if (!VernalError.is(error)) throw error;
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

async function recordAnswers(): Promise<void> {
  if (options.model === undefined) throw invalidArgument('--record', 'needs --model');
  const { questions } = await shippedSet('all');
  const texts = questions.map(({ question }) => question);
  const recording = await record(realModel(options.model), options.model, texts, {
    signal,
    onProgress: (done, all) => progress(`${done} of ${all} prompts`),
  });
  await writeFile(RECORDING, `${JSON.stringify(recording, null, 2)}\n`);
}

async function showTable(half: Half): Promise<void> {
  const set = isOwn ? await ownSet(options.docs ?? '', options.questions ?? '') : await shippedSet(half);
  const { models, note } = await chooseModels();
  const metered = models && {
    rewrite: new MeteredChatModel(models.rewrite),
    variants: new MeteredChatModel(models.variants),
  };
  const rows = await measure(set, await pipelines(set.documents, metered), {
    models: metered === undefined ? [] : Object.values(metered),
    signal,
    onProgress: progress,
  });
  if (options.json)
    return console.log(JSON.stringify({ questions: set.questions.length, models: note, rows }, null, 2));
  console.log(`${set.questions.length} questions, ${set.documents.length} passages. ${note}\n`);
  console.log(table(rows));
  console.log(
    '\nbeside naive: points of nDCG@10 and their 95 % interval (paired bootstrap); better, worse: questions.' +
      '\nms: median a question, one at a time, without the time of models.',
  );
}

async function chooseModels(): Promise<{ readonly models?: PartModels; readonly note: string }> {
  if (options.model !== undefined) {
    const model = realModel(options.model);
    return { models: { rewrite: model, variants: model }, note: `Queries are rewritten by ${options.model}.` };
  }
  if (isOwn) return { note: 'Without --model nothing rewrites queries: those pipelines are left out.' };
  const { model, recorded, rewrite, variants } = JSON.parse(await readFile(RECORDING, 'utf8')) as Recording;
  return {
    models: { rewrite: new RecordedChatModel(model, rewrite), variants: new RecordedChatModel(model, variants) },
    note: `Queries are rewritten by recorded answers: those that ${model} gave on ${recorded}.`,
  };
}

function realModel(model: string): OpenAiChatModel {
  return new OpenAiChatModel({
    apiKey: process.env['OPENAI_API_KEY'],
    baseURL: process.env['OPENAI_BASE_URL'],
    defaultOptions: openAiChatOptions({ model, maxTokens: LONGEST_ANSWER }),
  });
}

function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what} …\r`);
}
