import { evaluate, htmlReport, jsonReport } from '@vernal/evaluation';
import { type CommandArguments, commandArguments, type OptionTypes } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import { hasDocuments } from '../documents/open-documents.js';
import { withSpreadPaths } from '../documents/spread-paths.js';
import { chooseEvaluators } from '../evaluation/choose-evaluators.js';
import { readDataset } from '../evaluation/dataset.js';
import { errorsOf, tellOutcome } from '../evaluation/evaluation-outcome.js';
import { evaluationPipeline } from '../evaluation/evaluation-pipeline.js';
import { readPrices } from '../evaluation/price-file.js';
import { reportNames, requireReportPlace, writeReport } from '../evaluation/report-files.js';
import { scoreGates, tooLow } from '../evaluation/score-gate.js';
import { unknownSources } from '../evaluation/unknown-sources.js';
import type { Interruption } from '../interruption.js';
import { type ChatChoice, chooseChatModel, createChatModel } from '../models/choose-chat-model.js';
import { chooseEmbeddingModel, createEmbeddingModel } from '../models/choose-embedding-model.js';
import { type Writer, writerOf } from '../models/writer.js';
import { progressOn } from '../output/progress.js';
import { printable, writeLine } from '../output/write-line.js';
import { openSession, type Session } from '../session.js';
import { usageError } from '../usage-error.js';
import { compareSets } from './compare-sets.js';

const OPTIONS: OptionTypes = {
  evaluators: { type: 'string', multiple: true },
  judge: { type: 'string', multiple: true },
  out: { type: 'string', multiple: true },
  contents: { type: 'boolean' },
  'min-score': { type: 'string', multiple: true },
  prices: { type: 'string', multiple: true },
  concurrency: { type: 'string', multiple: true },
};

/** `vernal eval`: asks the questions of a file as `vernal ask` does, judges the answers and writes reports. */
export async function evaluateSet(args: readonly string[], io: CliIo, { signal }: Interruption): Promise<number> {
  const given = commandArguments('eval', await withSpreadPaths(args, io.cwd), ['docs', 'store', 'rag'], OPTIONS);
  if (given.positionals[0] === 'compare') return await compareSets(given, io, signal);

  // Whatever can be wrong is found before anything is embedded or asked, which may cost.
  const cases = await readDataset(datasetPath(given), io.cwd, signal);
  const concurrency = concurrencyOf(given.values('concurrency').at(-1));
  const pricesPath = given.values('prices').at(-1);
  const prices = pricesPath === undefined ? undefined : await readPrices(pricesPath, io.cwd, signal);
  const out = given.values('out').at(-1);
  const names = out === undefined ? undefined : reportNames(out);
  for (const path of names === undefined ? [] : [names.json, names.html]) await requireReportPlace(path, io.cwd);
  const choice = await chooseChatModel(given.model, io.env, signal);
  const judge = await chooseJudge(given, choice, io, signal);
  const about = { cases, hasJudge: judge.provider !== 'local', hasDocuments: hasDocuments(given) };
  const { chosen, leftOut } = chooseEvaluators(namesIn(given.values('evaluators')), about);
  const gates = scoreGates(
    given.values('min-score'),
    chosen.map(({ name }) => name),
  );

  await using session = await openSession(given, io, signal, choice);
  const judgeWriter = judge === choice ? session.writer : await judgeOf(judge, io, session);
  const judging = {
    judge: () => requireJudge(judgeWriter),
    embeddingModel: () =>
      createEmbeddingModel(chooseEmbeddingModel(given.embeddingModel, io.env), io.env, session.logger),
  };
  const evaluators = await Promise.all(chosen.map((one) => one.make(judging)));
  const hints = [...leftOut, ...unknownSources(cases, session.sources)];
  if (!given.json) for (const sentence of hints) writeLine(io.stderr, printable(sentence));
  const progress = progressOn(given.json ? undefined : io.stderr);
  const onProgress = (done: number): void => progress.show(done, cases.length, 'questions');
  const options = { concurrency, signal, prices, onProgress, name: names?.title };
  const pipeline = evaluationPipeline(session, io);
  const run = await evaluate(cases, pipeline, evaluators, options).finally(() => progress.clear());

  if (names !== undefined) {
    // Without the signal: a run that was paid for is not thrown away, and of two reports there is never one.
    const contents = given.flag('contents');
    const [json, html] = [jsonReport(run, { contents }), htmlReport(run, { contents })];
    await writeReport(names.json, io.cwd, json);
    await writeReport(names.html, io.cwd, html);
  }
  const low = tooLow(run, gates);
  tellOutcome({ run, low, names }, given.json, io);
  return low.length > 0 || errorsOf(run).length > 0 ? 1 : 0;
}

function datasetPath({ positionals, docs }: CommandArguments): string {
  const [path, ...more] = positionals;
  if (more.length > 0) {
    throw usageError(`One file is evaluated at a time: ${more.join(', ')} is one too many`, 'dataset');
  }
  if (path !== undefined) return path;
  const hint = docs.length > 0 ? ' before --docs: what follows it is taken for documents' : '';
  throw usageError(`No dataset: name the file with the questions${hint}`, 'dataset');
}

async function chooseJudge(
  given: CommandArguments,
  standard: ChatChoice,
  io: CliIo,
  signal: AbortSignal,
): Promise<ChatChoice> {
  const wanted = given.values('judge').at(-1);
  if (wanted === undefined) return standard;
  const choice = await chooseChatModel(wanted, io.env, signal, 'judge');
  if (choice.provider !== 'local') return choice;
  throw usageError('--judge local: the embedded model only quotes and cannot judge; name another', 'judge');
}

async function judgeOf(choice: ChatChoice, { env }: CliIo, { logger }: Session): Promise<Writer | undefined> {
  return writerOf(choice, await createChatModel(choice, env, logger));
}

/** Evaluators that need one are not chosen without. */
function requireJudge(judge: Writer | undefined): Writer {
  if (judge !== undefined) return judge;
  throw usageError('There is no model that can judge: name one with --judge provider:name', 'judge');
}

function namesIn(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(',').map((name) => name.trim())).filter((name) => name !== '');
}

function concurrencyOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw usageError(`--concurrency ${text}: write a whole number from 1 to 9999`, 'concurrency');
}
