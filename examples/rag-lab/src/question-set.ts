import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { type Document, document, invalidArgument, isRecord, readText, withDocument } from '@vernal/core';
import type { Relevance } from '@vernal/evaluation';
import { fileResource, listFiles } from '@vernal/node';
import { MarkdownReader } from '@vernal/readers-markdown';
import { TokenTextSplitter } from '@vernal/tokenizer';

/** A question, and what should be found for it. */
export interface Question {
  readonly id: string;
  readonly question: string;
  /** Keys of documents: a list, or a grade for each. */
  readonly relevant: Relevance;
  readonly kind?: string;
}

/** What is searched, what is asked, and how a document that was found is named in the labels. */
export interface QuestionSet {
  readonly documents: readonly Document[];
  readonly questions: readonly Question[];
  readonly keyOf: (document: Document) => string;
}

/** 'dev' is for choosing settings, 'test' for numbers that are shown. */
export type Half = 'dev' | 'test' | 'all';

const shipped = (name: string): URL => new URL(`../data/${name}`, import.meta.url);

/** The set of this example: entries of the Jargon File, and questions about them. */
export async function shippedSet(half: Half): Promise<QuestionSet> {
  const passages = await readLines(shipped('passages.jsonl'));
  const questions = await readLines(shipped('questions.jsonl'));
  return {
    documents: passages.map(({ id, text }) => document({ id: String(id), text: String(text) })),
    questions: questions.filter(({ set }) => half === 'all' || set === half).map(questionOf),
    keyOf: ({ id }) => id,
  };
}

/**
 * Markdown and text files of a folder, and a file with one question a line: `{"question": "…", "relevant": ["returns.md"]}`. Files are named
 * as seen from the folder. A file is cut into passages; it counts as found at the place of its first.
 */
export async function ownSet(folder: string, questionFile: string): Promise<QuestionSet> {
  const splitter = new TokenTextSplitter({ chunkSize: 250 });
  const documents: Document[] = [];
  const names = new Set<string>();
  for await (const path of listFiles(folder, { extensions: ['md', 'txt'] })) {
    const source = relative(folder, path).split(sep).join('/');
    names.add(source);
    const resource = fileResource(path);
    const read = path.endsWith('.md')
      ? await new MarkdownReader(resource).read()
      : [document(await readText(resource), { source })];
    for await (const passage of splitter.transform(read))
      documents.push(withDocument(passage, { metadata: { ...passage.metadata, source } }));
  }
  const questions = (await readLines(questionFile)).map(questionOf);
  if (questions.length === 0) throw invalidArgument('questions', 'the file has none');
  for (const { id, relevant } of questions) {
    const unknown = (Array.isArray(relevant) ? relevant : Object.keys(relevant)).find((name) => !names.has(name));
    if (unknown !== undefined) throw invalidArgument(`question ${id}`, `there is no file '${unknown}' in the folder`);
  }
  return { documents, questions, keyOf: ({ metadata }) => String(metadata['source']) };
}

function questionOf({ id, question, relevant, kind }: Record<string, unknown>, index: number): Question {
  if (typeof question !== 'string' || question.trim() === '')
    throw invalidArgument(`line ${index + 1}`, "needs a text as 'question'");
  if (typeof relevant !== 'object' || relevant === null)
    throw invalidArgument(
      `line ${index + 1}`,
      "needs a list of names as 'relevant', or an object with a grade for each",
    );
  return {
    id: typeof id === 'string' ? id : String(index + 1),
    question,
    relevant: relevant as Relevance,
    ...(typeof kind === 'string' && { kind }),
  };
}

async function readLines(file: URL | string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const value = parsed(line);
    if (isRecord(value)) return value;
    throw invalidArgument(`line ${index + 1}`, 'must be an object in JSON');
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
