import type { ChatModelCapabilities, ChatResponse, ModelRequest, Usage } from '@vernal/core';
import { assistantMessage, BaseChatModel, chatResponse, ModelError, messageText, noRetry } from '@vernal/core';

/** Ways to be wrong, for tests of the suite. */
export type Fault =
  | 'decodes-pieces'
  | 'keeps-connection'
  | 'sums-usage'
  | 'ignores-signal'
  | 'accepts-everything'
  | 'clean-end-is-fine'
  | 'leaks-body'
  | 'leaks-listeners'
  | 'drops-options'
  | 'invents-usage'
  | 'eager'
  | 'mixes-reasoning';

const CAPABILITIES: ChatModelCapabilities = {
  streaming: true,
  tools: true,
  toolChoice: false,
  outputSchema: 'schema',
  mediaInput: [],
  mediaOutput: [],
  reasoning: true,
  unsupportedOptions: ['frequencyPenalty', 'presencePenalty'],
};

interface Line {
  readonly model?: string;
  readonly error?: string;
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  readonly message?: {
    readonly content: string;
    readonly thinking?: string;
    readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: unknown } }[];
  };
}

/** A small client of Ollama's chat API: right, unless it is given a fault. */
export class ReferenceModel extends BaseChatModel {
  readonly provider = 'reference';
  readonly capabilities: ChatModelCapabilities;
  readonly #baseURL: string;
  readonly #faults: readonly Fault[];

  constructor(baseURL: string, capabilities: Partial<ChatModelCapabilities>, faults: readonly Fault[] = []) {
    super({ retry: noRetry, onUnsupported: faults.includes('accepts-everything') ? 'warn' : 'error' });
    this.#baseURL = baseURL;
    this.capabilities = { ...CAPABILITIES, ...capabilities };
    this.#faults = faults;
  }

  override stream(...parameters: Parameters<BaseChatModel['stream']>): AsyncIterable<ChatResponse> {
    const [prompt, context] = parameters;
    if (this.#has('eager')) fetch(this.#baseURL, { method: 'POST', body: '{}' }).catch(() => undefined);
    if (this.#has('leaks-listeners')) context?.signal?.addEventListener('abort', () => {});
    if (this.#has('ignores-signal')) return super.stream(prompt);
    return super.stream(prompt, context);
  }

  override call(...[prompt, context]: Parameters<BaseChatModel['call']>): Promise<ChatResponse> {
    return this.#has('ignores-signal') ? super.call(prompt) : super.call(prompt, context);
  }

  protected async *doStream(request: ModelRequest): AsyncGenerator<ChatResponse> {
    const response = await this.#send(request);
    let finished = false;
    let seen: Usage = {};
    try {
      for await (const text of this.#lines(response)) {
        const line = this.#parse(text, response.status);
        if (line.error !== undefined)
          throw this.#fail('model_error', 'The provider failed in the stream', response.status);
        finished ||= line.done === true;
        const chunk = this.#chunk(line, seen);
        seen = chunk.metadata.usage;
        yield chunk;
      }
    } catch (error) {
      throw ModelError.is(error) ? error : this.#fail('model_stream_interrupted', 'The stream broke off');
    }
    if (!finished && !this.#has('clean-end-is-fine'))
      throw this.#fail('model_stream_interrupted', 'The stream ended early');
  }

  async #send({ messages, options, signal }: ModelRequest): Promise<Response> {
    const { model = 'm', temperature, topP, topK, maxTokens, stopSequences, tools, outputSchema, extra } = options;
    const body = {
      ...extra,
      model,
      stream: true,
      messages: messages.flatMap((message): readonly object[] => {
        if (message.type === 'tool') {
          return message.responses.map(({ id, name, result }) => ({
            role: 'tool',
            tool_name: name,
            tool_call_id: id,
            content: result,
          }));
        }
        const base = { role: message.type, content: messageText(message) };
        if (message.type !== 'assistant') return [base];
        const calls = message.toolCalls.map(({ id, name, arguments: text }) => ({
          id,
          function: { name, arguments: JSON.parse(text || '{}') },
        }));
        return [{ ...base, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
      }),
      ...(tools === undefined
        ? {}
        : {
            tools: tools.map(({ definition: { name, description, inputSchema } }) => ({
              type: 'function',
              function: { name, description, parameters: inputSchema },
            })),
          }),
      ...(outputSchema === undefined ? {} : { format: outputSchema }),
      ...(this.#has('drops-options')
        ? {}
        : { options: { temperature, top_p: topP, top_k: topK, num_predict: maxTokens, stop: stopSequences } }),
    };
    let response: Response;
    try {
      const init = { method: 'POST', body: JSON.stringify(body) };
      response = await fetch(this.#baseURL, this.#has('keeps-connection') ? init : { ...init, signal });
    } catch {
      throw this.#fail('model_connection', 'The server cannot be reached');
    }
    if (response.status === 200) return response;
    const text = await response.text();
    const wait = response.headers.get('retry-after');
    const after = wait === null ? undefined : /^\d+$/.test(wait) ? Number(wait) * 1000 : Date.parse(wait) - Date.now();
    const codes: Record<number, string> = {
      400: 'model_bad_request',
      401: 'model_authentication',
      404: 'model_not_found',
      429: 'model_rate_limit',
      503: 'model_overloaded',
    };
    const message = this.#has('leaks-body') ? text : `The provider answered with status ${response.status}`;
    throw this.#fail(codes[response.status] ?? 'model_error', message, response.status, after);
  }

  async *#lines(response: Response): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    let rest = '';
    let over = false;
    try {
      while (reader !== undefined) {
        const { done, value } = await reader.read();
        over = done;
        rest += this.#has('decodes-pieces')
          ? new TextDecoder().decode(value)
          : decoder.decode(value, { stream: !done });
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
        if (done) break;
      }
      if (rest !== '') yield rest;
    } finally {
      if (!over && !this.#has('keeps-connection')) await reader?.cancel().catch(() => undefined);
    }
  }

  #parse(text: string, status: number): Line {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#fail('model_error', 'The provider sent a line that is not JSON', status);
    }
  }

  #chunk(line: Line, seen: Usage): ChatResponse {
    const { content = '', thinking, tool_calls: calls = [] } = line.message ?? {};
    const mixed = this.#has('mixes-reasoning');
    const reason = line.done === true ? line.done_reason : undefined;
    const called = calls.length > 0 || this.#calledBefore(seen);
    const usage = this.#usage(line, seen);
    return chatResponse(
      [
        {
          output: assistantMessage({
            text: mixed ? `${thinking ?? ''}${content}` : content,
            reasoning: thinking === undefined || mixed ? [] : [{ text: thinking, index: 0 }],
          }),
          toolCallDeltas: calls.map((call) => ({
            id: crypto.randomUUID(),
            name: call.function.name,
            arguments: JSON.stringify(call.function.arguments),
          })),
          metadata: {
            finishReason: reason === undefined ? undefined : called ? 'tool_calls' : reason,
            nativeFinishReason: reason,
          },
        },
      ],
      { model: line.model, usage: called ? { ...usage, native: CALLED } : usage },
    );
  }

  #calledBefore({ native }: Usage): boolean {
    return native === CALLED;
  }

  #usage({ prompt_eval_count: prompt, eval_count: completion }: Line, seen: Usage): Usage {
    if (this.#has('invents-usage')) return { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
    if (prompt === undefined || completion === undefined) return seen;
    const total = (prompt + completion) * (this.#has('sums-usage') ? 2 : 1);
    return { promptTokens: prompt, completionTokens: completion, totalTokens: total };
  }

  #fail(code: string, message: string, status?: number, retryAfterMs?: number): ModelError {
    const retryable = code === 'model_connection' || status === 429 || (status !== undefined && status >= 500);
    return new ModelError(message, { code, provider: this.provider, status, retryable, retryAfterMs });
  }

  #has(fault: Fault): boolean {
    return this.#faults.includes(fault);
  }
}

const CALLED = 'tool calls were seen';
