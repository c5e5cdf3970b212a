import type { FixtureResponse, LLMock } from '@copilotkit/aimock';
import { Prompt, VernalError } from '@vernal/core';
import { hashedVector } from '../doubles/hashed-vector.js';
import type { ScriptStep } from '../doubles/script-step.js';
import { resolveStep } from '../doubles/script-step.js';
import { openAiChatRequest } from '../wires/openai-chat-request.js';
import { aimockAnswer } from './aimock-answer.js';

/** Dimensions of the embeddings: those of `hashingEmbeddingModel`. */
const DIMENSIONS = 64;

/** A request that the mock got. */
export interface AimockRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; of Anthropic and Ollama as aimock keeps it, in OpenAI's shape. */
  readonly body: unknown;
}

/** Scripted answers on one port of 127.0.0.1. Embeddings are those of `hashingEmbeddingModel`, for any text. */
export interface Aimock extends AsyncDisposable {
  /** Ends in `/v1`, as OpenAI's SDK wants it. */
  readonly openaiBaseURL: string;
  /** Without a path, as Anthropic's SDK wants it. */
  readonly anthropicBaseURL: string;
  /** Without a path. */
  readonly ollamaBaseURL: string;
  /** In the order they came. */
  readonly requests: readonly AimockRequest[];
  close(): Promise<void>;
}

async function load(): Promise<typeof import('@copilotkit/aimock')> {
  try {
    return await import('@copilotkit/aimock');
  } catch (cause) {
    throw new VernalError(
      "@copilotkit/aimock, an optional peer of @vernal/testing, cannot be loaded: run 'npm install --save-dev @copilotkit/aimock'",
      { code: 'invalid_state', subject: '@copilotkit/aimock', cause },
    );
  }
}

/** A step a request, whatever the provider; one beyond the script is status 500 and says so. */
function answerInOrder(steps: readonly ScriptStep[]): (request: unknown) => Promise<FixtureResponse> {
  let asked = 0;
  return async (request) => {
    const position = asked++;
    const step = steps[position];
    if (step === undefined) {
      const message = `The script has ${steps.length} steps and was asked for number ${position + 1}: add a step`;
      return { status: 500, error: { message, type: 'server_error' } };
    }
    return aimockAnswer(await resolveStep(step, new Prompt(openAiChatRequest(request).messages)));
  };
}

function requestsOf(mock: LLMock): AimockRequest[] {
  return mock.getRequests().map(({ method, path, headers, body }) => ({ method, path, headers, body }));
}

/**
 * Starts aimock (`@copilotkit/aimock`) with a script: each chat request, in whichever provider's format, gets the next step, streamed or
 * not as it asks. A step's `error` is status 500; its `chunks`, `delayMs` and `afterChunks` are not played, and to Ollama every answer ends
 * with 'stop'.
 *
 * @throws VernalError `invalid_state` when `@copilotkit/aimock` is not installed; the message names the command.
 *
 * @example
 * ```ts
 * await using aimock = await startAimock(['Hello from the mock.']);
 * const client = new OpenAI({ baseURL: aimock.openaiBaseURL, apiKey: 'none' });
 * ```
 */
export async function startAimock(steps: readonly ScriptStep[]): Promise<Aimock> {
  const { LLMock: Server } = await load();
  const mock = new Server({ port: 0, host: '127.0.0.1', logLevel: 'silent', journalMaxEntries: 0 });
  mock.addFixture({ match: { endpoint: 'chat' }, response: answerInOrder(steps) });
  mock.addFixture({
    match: { endpoint: 'embedding' },
    response: ({ embeddingInput }) => ({ embedding: Array.from(hashedVector(embeddingInput ?? '', DIMENSIONS)) }),
  });
  await mock.start();
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= mock.stop();
    return closed;
  };
  return {
    openaiBaseURL: `${mock.url}/v1`,
    anthropicBaseURL: mock.url,
    ollamaBaseURL: mock.url,
    get requests() {
      return requestsOf(mock);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
