import { type Logger, throwIfAborted } from '@vernal/core';
import type { OllamaConnection } from './ollama-connection.js';
import { OllamaModelManager } from './ollama-model-manager.js';
import { type OllamaPullOptions, requirePullStrategy } from './pull-options.js';
import { SharedPulls } from './shared-pulls.js';

/** What of a model's options says where and how models are pulled. */
export interface ModelPullsOptions extends OllamaConnection, OllamaPullOptions {
  readonly logger?: Logger | undefined;
}

const DECISIVE = [
  'baseURL',
  'headers',
  'fetch',
  'timeoutMs',
  'providerMessages',
  'logger',
  'pull',
  'pullTimeoutMs',
  'pullRetries',
  'additionalModels',
  'onPullProgress',
] as const satisfies readonly (keyof ModelPullsOptions)[];

/** Sees to it that the server has what a model of this package is asked for, by its strategy. */
export class ModelPulls {
  readonly #active: boolean;
  readonly #additional: readonly string[];
  readonly #shared: SharedPulls;

  constructor(options: ModelPullsOptions) {
    const strategy = requirePullStrategy('pull', options.pull ?? 'never');
    const manager = new OllamaModelManager(options);
    const { onPullProgress: onProgress } = options;
    this.#active = strategy !== 'never';
    this.#additional = options.additionalModels ?? [];
    this.#shared = new SharedPulls((model, signal) => manager.pullModel(model, { strategy, onProgress, signal }));
  }

  /** Undefined when there is nothing to wait for. */
  before(model: string, signal: AbortSignal): Promise<void> | undefined {
    return this.#active && !this.#shared.has(model) ? this.#shared.wait(model, signal) : undefined;
  }

  /** All models, one after the other: they share one line to the registry. */
  async ready(model: string, signal: AbortSignal | undefined): Promise<void> {
    throwIfAborted(signal);
    if (!this.#active) return;
    for (const one of new Set([model, ...this.#additional])) await this.#shared.wait(one, signal);
  }

  /** For a model that turns out to be gone: the next call pulls it. */
  forget(model: string): void {
    this.#shared.forget(model);
  }
}

/** Whether a derived model may go on with the pulls of its original. */
export function samePulls(change: Partial<ModelPullsOptions>): boolean {
  return DECISIVE.every((option) => change[option] === undefined);
}
