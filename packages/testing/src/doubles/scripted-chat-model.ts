import type {
  CallContext,
  ChatModel,
  ChatModelCapabilities,
  ChatResponse,
  Prompt,
  ResolvedChatOptions,
} from '@vernal/core';
import { VernalError } from '@vernal/core';
import { ScriptPlayer } from './script-player.js';
import type { ScriptStep } from './script-step.js';
import { resolveStep } from './script-step.js';

const EVERYTHING: ChatModelCapabilities = {
  streaming: true,
  tools: true,
  toolChoice: true,
  outputSchema: 'schema',
  mediaInput: ['*/*'],
  mediaOutput: ['*/*'],
  reasoning: true,
  unsupportedOptions: [],
};

/** What the model declares that it can do; nothing of this changes the script. */
export interface ScriptedChatModelOptions {
  /** Over "everything is supported". What is switched off is refused with `UnsupportedCapabilityError`. */
  readonly capabilities?: Partial<ChatModelCapabilities> | undefined;
  /** Default {}. */
  readonly defaultOptions?: ResolvedChatOptions | undefined;
}

/**
 * Plays a script, one step a model call, in the order of the calls. A call beyond it, or a step that was never asked for, is an error
 * (`invalid_state`). `call` is the fold of `stream`; a stream takes its step when it is first read. A call that is refused or whose signal
 * has fired takes no step.
 *
 * @example
 * ```ts
 * const model = new ScriptedChatModel([
 *   { toolCalls: [{ name: 'weather', arguments: { city: 'Delft' } }] },
 *   { text: 'It rains.', chunks: 'char' },
 *   (prompt) => `You said ${prompt.userMessage.text}`,
 * ]);
 * ```
 */
export class ScriptedChatModel implements ChatModel {
  readonly provider: string = 'scripted';
  readonly capabilities: ChatModelCapabilities;
  readonly defaultOptions: ResolvedChatOptions;
  readonly #steps: readonly ScriptStep[];
  readonly #prompts: Prompt[] = [];
  #callIds = 0;

  constructor(steps: readonly ScriptStep[], options: ScriptedChatModelOptions = {}) {
    this.#steps = [...steps];
    this.capabilities = { ...EVERYTHING, ...options.capabilities };
    this.defaultOptions = options.defaultOptions ?? {};
  }

  /** Prompts in the order they came, also those of calls that failed later. */
  get prompts(): readonly Prompt[] {
    return this.#prompts;
  }

  call(prompt: Prompt, context?: CallContext): Promise<ChatResponse> {
    return this.#player(prompt).call(prompt, context);
  }

  stream(prompt: Prompt, context?: CallContext): AsyncIterable<ChatResponse> {
    return this.#player(prompt).stream(prompt, context);
  }

  /** Throws `invalid_state` unless every step was used. */
  assertComplete(): void {
    const [steps, used] = [this.#steps.length, this.#prompts.length];
    if (used >= steps) return;
    throw new VernalError(
      `${steps - used} of the script's ${steps} steps were never asked for: take them out, or find the call that did not happen`,
      { code: 'invalid_state', subject: 'steps', details: { steps, used } },
    );
  }

  #player(prompt: Prompt): ScriptPlayer {
    return new ScriptPlayer({
      provider: this.provider,
      capabilities: this.capabilities,
      defaultOptions: this.defaultOptions,
      take: () => this.#take(prompt),
      nextCallId: () => `call_${++this.#callIds}`,
    });
  }

  #take(prompt: Prompt): ReturnType<ConstructorParameters<typeof ScriptPlayer>[0]['take']> {
    const asked = this.#prompts.length + 1;
    const step = this.#steps[asked - 1];
    if (step === undefined) {
      const steps = this.#steps.length;
      throw new VernalError(
        `The script has ${steps} steps and was asked for number ${asked}: add a step, or find the call that is one too many`,
        { code: 'invalid_state', subject: 'steps', details: { steps, asked } },
      );
    }
    this.#prompts.push(prompt);
    return { id: `scripted-${asked}`, answer: resolveStep(step, prompt) };
  }
}
