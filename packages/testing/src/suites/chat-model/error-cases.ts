import type { ChatModel } from '@vernal/core';
import { ModelError, Prompt } from '@vernal/core';
import type { MockExchange } from '../../mock-server/mock-reply.js';
import type { WireErrorKind } from '../../wires/chat-model-wire.js';
import { WIRE_SECRET } from '../../wires/chat-model-wire.js';
import { check, checkCode, checkEqual, rejection, rejectsWith, show } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { WireStage } from './chat-stage.js';
import { collect } from './chat-views.js';

const PROMPT_TEXT = 'prompt-text-that-nobody-may-log';
const ask = (): Prompt => new Prompt(PROMPT_TEXT);

type WholeError = Exclude<WireErrorKind, 'mid-stream'>;

interface Expected {
  readonly code: readonly string[];
  readonly retryable: boolean;
}
const EXPECTED: Readonly<Record<WholeError, Expected>> = {
  authentication: { code: ['model_authentication'], retryable: false },
  'rate-limit': { code: ['model_rate_limit'], retryable: true },
  overloaded: { code: ['model_overloaded'], retryable: true },
  'bad-request': { code: ['model_bad_request'], retryable: false },
  'not-found': { code: ['model_not_found'], retryable: false },
};

/** The failure of a call and of a stream that are answered with the same thing. */
async function failures(
  { server, ...stage }: WireStage,
  exchange: MockExchange,
): Promise<readonly (readonly ['call' | 'stream', unknown])[]> {
  const model: ChatModel = await stage.model();
  server.add(exchange, exchange);
  return [
    ['call', await rejection(() => model.call(ask()), 'call')],
    ['stream', await rejection(() => collect(model.stream(ask())), 'stream')],
  ];
}

function checkNoSecret(error: unknown, face: string): void {
  const text =
    error instanceof Error
      ? `${error.message} ${JSON.stringify(error)} ${show(Reflect.get(error, 'details'))}`
      : show(error);
  for (const secret of [WIRE_SECRET, PROMPT_TEXT]) {
    check(!text.includes(secret), `the error of ${face} repeats what must stay secret`);
  }
}

function errorCase(kind: WholeError): SuiteCase<ChatModelCaseId, WireStage> {
  const { code, retryable } = EXPECTED[kind];
  return {
    id: `chat.error.${kind}`,
    title: `${kind} is ${code.join(' or ')}, ${retryable ? 'may' : 'may not'} be repeated, and tells no secret`,
    async run(stage) {
      const reply = stage.wire.error(kind);
      for (const [face, error] of await failures(stage, reply)) {
        const typed = checkCode(error, code, `${kind} by ${face}`);
        check(ModelError.is(typed), `${kind} by ${face} must be a ModelError`);
        checkEqual(typed.status, reply.status, `status by ${face}`);
        checkEqual(typed.retryable, retryable, `retryable by ${face}`);
        checkEqual(typed.provider, (await stage.model()).provider, `provider by ${face}`);
        const wait = reply.headers['retry-after'];
        if (wait !== undefined) checkEqual(typed.retryAfterMs, Number(wait) * 1000, `retryAfterMs by ${face}`);
        checkNoSecret(typed, face);
      }
    },
  };
}

export const errorCases: readonly SuiteCase<ChatModelCaseId, WireStage>[] = [
  errorCase('authentication'),
  errorCase('rate-limit'),
  errorCase('overloaded'),
  errorCase('bad-request'),
  errorCase('not-found'),
  {
    id: 'chat.error.server',
    title: 'status 500 is an error that may be repeated',
    async run(stage) {
      for (const [face, error] of await failures(stage, { ...stage.wire.error('bad-request'), status: 500 })) {
        const typed = checkCode(error, ['model_error', 'model_overloaded'], `status 500 by ${face}`);
        check(ModelError.is(typed) && typed.status === 500, `status by ${face} must be 500`);
        checkEqual(typed.retryable, true, `retryable by ${face}`);
      }
    },
  },
  {
    id: 'chat.error.retry-after-date',
    title: 'Retry-After may be a date',
    async run(stage) {
      const headers = {
        ...stage.wire.error('rate-limit').headers,
        'retry-after': new Date(Date.now() + 60_000).toUTCString(),
      };
      for (const [face, error] of await failures(stage, { ...stage.wire.error('rate-limit'), headers })) {
        const wait = checkCode(error, 'model_rate_limit', face).retryAfterMs ?? 0;
        check(wait > 30_000 && wait <= 61_000, `retryAfterMs by ${face} must be about a minute, is ${wait}`);
      }
    },
  },
  {
    id: 'chat.error.unreadable-body',
    title: 'an error page that is not JSON is still an error with its status',
    async run(stage) {
      const page = {
        status: 502,
        headers: { 'content-type': 'text/html' },
        parts: ['<html><h1>502 Bad Gateway</h1></html>'],
      };
      for (const [face, error] of await failures(stage, page)) {
        const typed = checkCode(error, ['model_error', 'model_overloaded', 'model_connection'], face);
        check(ModelError.is(typed) && typed.status === 502, `status by ${face} must be 502`);
        checkEqual(typed.retryable, true, `retryable by ${face}`);
      }
    },
  },
  {
    id: 'chat.error.not-json',
    title: 'an answer with status 200 that is not an answer is a typed error, never an empty success',
    async run(stage) {
      const page = { status: 200, headers: { 'content-type': 'text/html' }, parts: ['<html>Please log in</html>'] };
      const codes = ['model_error', 'model_connection', 'model_stream_interrupted'];
      for (const [face, error] of await failures(stage, page)) checkCode(error, codes, face);
    },
  },
  {
    id: 'chat.error.refused',
    title: 'a server that is not there is model_connection, and may be repeated',
    async run({ server, ...stage }) {
      const model = await stage.model();
      await server.close();
      for (const run of [() => model.call(ask()), () => collect(model.stream(ask()))]) {
        const error = await rejectsWith(run, 'model_connection', 'no server');
        checkEqual(error.retryable, true, 'retryable');
      }
    },
  },
];
