import { type ParseArgsConfig, parseArgs } from 'node:util';
import { usageError } from './usage-error.js';

/** Options of every command. */
export interface CommonOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
  readonly model: string | undefined;
  readonly embeddingModel: string | undefined;
}
export interface CommandArguments extends CommonOptions {
  readonly docs: readonly string[];
  readonly store: string | undefined;
  /** After `ask`: go on with a conversation when standing at a terminal. */
  readonly chat: boolean;
  readonly positionals: readonly string[];
}

type OptionName = 'docs' | 'store' | 'chat';
const own: Record<OptionName, NonNullable<ParseArgsConfig['options']>[string]> = {
  docs: { type: 'string', multiple: true },
  store: { type: 'string' },
  chat: { type: 'boolean' },
};
const common: ParseArgsConfig['options'] = {
  json: { type: 'boolean' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  model: { type: 'string' },
  'embedding-model': { type: 'string' },
};

/** Reads a command's arguments; anything that the command does not know is a usage error that names it. */
export function commandArguments(
  command: string,
  args: readonly string[],
  names: readonly OptionName[],
): CommandArguments {
  const options = { ...common, ...Object.fromEntries(names.map((name) => [name, own[name]])) };
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usageError(`${argumentFault(error)}; see 'vernal ${command} --help'`);
  }
  const { values, positionals } = parsed;
  const text = (name: string): string | undefined => {
    const value = values[name];
    if (value === '') throw usageError(`--${name} is empty: give it a value`, name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    json: values['json'] === true,
    verbose: values['verbose'] === true,
    help: values['help'] === true,
    model: text('model'),
    embeddingModel: text('embedding-model'),
    docs: Array.isArray(values['docs']) ? values['docs'].map(String) : [],
    store: text('store'),
    chat: values['chat'] === true,
    positionals,
  };
}

function argumentFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /Unknown option '([^']+)'/.exec(message)?.[1];
  if (unknown !== undefined) return `There is no option ${unknown}`;
  const missing = /Option '([^ ']+)[^']*' argument missing/.exec(message)?.[1];
  if (missing !== undefined) return `The option ${missing} needs a value`;
  return message.split('\n')[0]?.replace(/\.$/, '') ?? 'The arguments cannot be read';
}
