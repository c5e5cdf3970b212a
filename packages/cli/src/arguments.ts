import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type RagMode, ragMode } from './retrieval/rag-mode.js';
import { usageError } from './usage-error.js';

export interface CommandArguments {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly model: string | undefined;
  readonly embeddingModel: string | undefined;
  readonly docs: readonly string[];
  readonly store: string | undefined;
  /** Undefined when it was not given. */
  readonly rag: RagMode | undefined;
  /** After the answers of `ask`: go on with a conversation. */
  readonly chat: boolean;
  readonly positionals: readonly string[];
  /** Those of them that stand before '--'. */
  readonly plainPositionals: readonly string[];
  /** Of an option that only this command has: every value, in order; [] when it was not given. */
  values(option: string): readonly string[];
  /** Is a flag that only this command has given? */
  flag(option: string): boolean;
}

/** Options that only some commands have. */
type OwnOption = 'docs' | 'store' | 'rag' | 'chat';
export type OptionTypes = NonNullable<ParseArgsConfig['options']>;

const own: Readonly<Record<OwnOption, OptionTypes[string]>> = {
  docs: { type: 'string', multiple: true },
  store: { type: 'string', multiple: true },
  rag: { type: 'string', multiple: true },
  chat: { type: 'boolean' },
};
const common: OptionTypes = {
  json: { type: 'boolean' },
  verbose: { type: 'boolean' },
  model: { type: 'string' },
  'embedding-model': { type: 'string' },
};

/**
 * Reads a command's arguments. Of an option that names a model the last counts; what the command does not know is a usage error. `more` are options
 * that no other command has.
 */
export function commandArguments(
  command: string,
  args: readonly string[],
  names: readonly OwnOption[],
  more: OptionTypes = {},
): CommandArguments {
  const options = { ...common, ...Object.fromEntries(names.map((name) => [name, own[name]])), ...more };
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usageError(`${argumentFault(error)}; see 'vernal ${command} --help'`);
  }
  const { values, positionals } = parsed;
  const texts = (name: string): string[] => {
    const given = [values[name] ?? []].flat().map(String);
    if (given.some((text) => text.trim() === '')) throw usageError(`--${name} is empty: give it a value`, name);
    return given;
  };
  const stores = texts('store');
  if (stores.length > 1) throw usageError('--store is there twice: name one store', 'store');
  const behind = args.includes('--') ? args.length - args.indexOf('--') - 1 : 0;
  return {
    json: values['json'] === true,
    verbose: values['verbose'] === true,
    model: texts('model')[0],
    embeddingModel: texts('embedding-model')[0],
    docs: texts('docs'),
    store: stores[0],
    rag: ragMode(texts('rag').at(-1)),
    chat: values['chat'] === true,
    positionals,
    plainPositionals: positionals.slice(0, positionals.length - behind),
    values: texts,
    flag: (option) => values[option] === true,
  };
}

/** Is a flag given? Also for arguments that cannot be read otherwise. Behind '--' nothing is an option. */
export function hasFlag(args: readonly string[], ...names: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((argument) => names.includes(argument));
}

function argumentFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /Unknown option '([^']+)'/.exec(message)?.[1];
  if (unknown !== undefined) return `There is no option ${unknown}`;
  const missing = /Option '[^']*?(--[^ ']+)[^']*' argument (?:missing|is ambiguous)/.exec(message)?.[1];
  if (missing !== undefined) return `The option ${missing} needs a value`;
  return message.split('\n')[0]?.replace(/\.$/, '') ?? 'The arguments cannot be read';
}
