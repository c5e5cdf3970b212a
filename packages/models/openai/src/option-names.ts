import {
  type ChatOptions,
  invalidArgument,
  isRecord,
  type JsonRecord,
  mergeChatOptions,
  type Settings,
} from '@vernal/core';
import { OPEN_AI } from './open-ai-connection.js';

/** Every name of a type, so that one which is added there and forgotten here does not compile. */
type Names<T> = { readonly [K in keyof Required<T>]: true };

/** Options that are merged, without nulls. */
export interface KnownOptions<Portable, Own> {
  readonly portable: Portable;
  /** What stands under the name of this provider. */
  readonly own: Readonly<Partial<Own>>;
}

/**
 * The options of one kind of model: the portable ones, and OpenAI's own, which are filed under `providerOptions.openai`. A name that is
 * neither is refused, since it would be ignored in silence.
 */
export class OptionNames<Portable extends object, Own extends object> {
  readonly #portable: Names<Portable>;
  readonly #own: Names<Own>;

  constructor(portable: Names<Portable>, own: Names<Own>) {
    this.#portable = portable;
    this.#own = own;
  }

  /** One literal as the port takes it. */
  filed(options: Settings<Portable> & Settings<Own>): Settings<Portable> {
    const portable: Record<string, unknown> = {};
    const own: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(options)) {
      if (Object.hasOwn(this.#portable, name)) portable[name] = value;
      else if (Object.hasOwn(this.#own, name)) own[name] = value;
      else throw this.#unknown(name, `options.${name}`);
    }
    if (Object.keys(own).length > 0) {
      const providers = { ...(isRecord(portable['providerOptions']) ? portable['providerOptions'] : {}) };
      const filed = providers[OPEN_AI.provider];
      portable['providerOptions'] = { ...providers, [OPEN_AI.provider]: { ...(isRecord(filed) ? filed : {}), ...own } };
    }
    return portable as Settings<Portable>;
  }

  /** `over` on `base`, by the rule of all options: undefined keeps, null unsets. */
  merged(base: Settings<Portable> | undefined, over: Settings<Portable> | undefined): KnownOptions<Portable, Own> {
    this.#check(over);
    const portable = mergeChatOptions(base as ChatOptions, over as ChatOptions);
    const own = portable.providerOptions?.[OPEN_AI.provider] ?? {};
    return { portable: portable as unknown as Portable, own: own as Readonly<Partial<Own>> };
  }

  #check(options: unknown): void {
    if (options === undefined || options === null) return;
    if (!isRecord(options)) throw invalidArgument('options', 'must be an object');
    for (const name of Object.keys(options)) {
      if (!Object.hasOwn(this.#portable, name)) throw this.#unknown(name, `options.${name}`);
    }
    const providers: unknown = options['providerOptions'];
    const own: unknown = isRecord(providers) ? providers[OPEN_AI.provider] : undefined;
    for (const name of Object.keys(isRecord(own) ? own : ({} satisfies JsonRecord))) {
      if (!Object.hasOwn(this.#own, name)) {
        throw this.#unknown(name, `options.providerOptions.${OPEN_AI.provider}.${name}`);
      }
    }
  }

  #unknown(name: string, place: string): Error {
    const names = [...Object.keys(this.#portable), ...Object.keys(this.#own)].join(', ');
    const more = Object.hasOwn(this.#own, 'extra') ? '; what only the server knows goes into `extra`' : '';
    return invalidArgument(
      place.slice(0, 120),
      `no option is called '${name.slice(0, 80)}'; there are ${names}${more}`,
    );
  }
}
