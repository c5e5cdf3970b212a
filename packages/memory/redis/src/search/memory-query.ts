import { invalidArgument, type Message } from '@vernal/core';
import { conversationKey } from '@vernal/core/adapter';
import { type MetadataField, tagOf, valuesOf } from './metadata-fields.js';
import { searchedWords } from './searched-words.js';

/** A question for the engine. */
export interface MemoryQuery {
  readonly text: string;
  /** What `text` names as `$name`: nothing that a caller gave stands in it, words of letters and digits excepted. */
  readonly params: Readonly<Record<string, string | number>>;
  /** Of what the engine finds: what was meant. Default all. */
  readonly fits?: (message: Message) => boolean;
}

const TYPES: readonly string[] = ['system', 'user', 'assistant', 'tool'] satisfies Message['type'][];
/** What the engine takes for a phrase in reasonable time. */
const MOST_WORDS = 200;

/** Those words one after the other. */
export function contentQuery(content: string): MemoryQuery {
  return { text: `@words:${phrase(content, 'content')}`, params: {} };
}

export function typeQuery(type: Message['type']): MemoryQuery {
  if (!TYPES.includes(type)) throw invalidArgument('type', `must be one of ${TYPES.join(', ')}`);
  return { text: '@type:{$type}', params: { type } };
}

/** Both ends included. */
export async function timeQuery(
  conversationId: string | undefined,
  from: Date | number,
  to: Date | number,
): Promise<MemoryQuery> {
  const params = { from: instant(from, 'from'), to: instant(to, 'to') };
  const text = '@createdAt:[$from $to]';
  if (conversationId === undefined) return { text, params };
  const id = await conversationKey(conversationId);
  return { text: `${text} @conversation:{$id}`, params: { ...params, id } };
}

/** A number or a whole value, or for the type 'text' words one after the other. */
export function metadataQuery(
  key: string,
  value: string | number | boolean,
  fields: readonly MetadataField[],
): MemoryQuery {
  const field = fields.find(({ name }) => name === key);
  if (field === undefined) throw invalidArgument('key', 'is not declared: name it in metadataFields');
  const { alias, type } = field;
  if (type === 'text') return { text: `@${alias}:${phrase(value, 'value')}`, params: {} };
  const holds = ({ metadata }: Message): boolean => valuesOf(metadata[key]).includes(value);
  if (type === 'tag') {
    if (valuesOf(value).length === 0) throw invalidArgument('value', 'must be text, a number, true or false');
    return { text: `@${alias}:{$value}`, params: { value: tagOf(value) }, fits: holds };
  }
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalidArgument('value', `must be a number, for metadataFields says 'numeric'`);
  return { text: `@${alias}:[$value $value]`, params: { value }, fits: holds };
}

function phrase(given: unknown, subject: string): string {
  const words = typeof given === 'string' ? searchedWords(given) : [];
  if (words.length === 0 || words.length > MOST_WORDS)
    throw invalidArgument(subject, `must be text with 1 to ${MOST_WORDS} words of letters or digits`);
  return `"${words.join(' ')}"`;
}

function instant(given: Date | number, subject: string): number {
  const at = given instanceof Date ? given.getTime() : given;
  if (typeof at !== 'number' || Number.isNaN(at))
    throw invalidArgument(subject, 'must be a Date, or milliseconds since 1970');
  return Math.min(Math.max(at, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

export function ownQuery(text: string, params: Readonly<Record<string, string | number>> = {}): MemoryQuery {
  if (typeof text !== 'string' || text.trim() === '') throw invalidArgument('query', "must be a query, such as '*'");
  for (const [name, value] of Object.entries(params)) {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw invalidArgument(`params.${name}`, 'must be text or a number');
  }
  return { text, params };
}
