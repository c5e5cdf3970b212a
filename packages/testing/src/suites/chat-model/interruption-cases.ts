import { Prompt } from '@vernal/core';
import type { ScriptAnswer } from '../../doubles/script-step.js';
import type { BodyPart } from '../../mock-server/mock-reply.js';
import type { WireReply } from '../../wires/chat-model-wire.js';
import { check, checkCode, checkEqual, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { WireStage } from './chat-stage.js';
import { chunkText, collectUntilError, weather } from './chat-views.js';

const ask = (): Prompt => new Prompt('Tell me a story.');
const STORY: ScriptAnswer = {
  text: 'Once upon a time there was a stream',
  usage: { promptTokens: 3, completionTokens: 8 },
};

/** The parts up to and with the first that holds `text`, so that what follows is missing. */
function upTo({ parts }: WireReply, text: string): BodyPart[] {
  const last = parts.findIndex((part) => String(part).includes(text));
  check(last >= 0, `the wire's stream must send '${text}'`);
  return parts.slice(0, last + 1);
}

function interruption(
  id: ChatModelCaseId,
  title: string,
  end: 'close' | 'cut' | 'reset',
  codes: readonly string[],
): SuiteCase<ChatModelCaseId, WireStage> {
  return {
    id,
    title,
    async run({ wire, server, ...stage }) {
      const model = await stage.model();
      if (!model.capabilities.streaming) notDeclared('streaming is not declared');
      const reply = wire.stream([STORY]);
      server.add({ ...reply, parts: [...upTo(reply, 'time'), { end }] });
      const { chunks, error } = await collectUntilError(model.stream(ask()));
      checkCode(error, codes, `a stream that ends by '${end}'`);
      checkEqual(chunkText(chunks), 'Once upon a time', 'the text before the failure');
      check(
        chunks.every((chunk) => chunk.result?.metadata.finishReason === undefined),
        'no chunk may claim that the answer is finished',
      );
    },
  };
}

/** Streams that do not come to their end. */
export const interruptionCases: readonly SuiteCase<ChatModelCaseId, WireStage>[] = [
  interruption(
    'chat.interrupted.clean-end',
    'a stream that ends without its finish reason is interrupted, after the text that came',
    'close',
    ['model_stream_interrupted'],
  ),
  interruption(
    'chat.interrupted.connection-lost',
    'a connection that is closed in the middle is interrupted, after the text that came',
    'cut',
    ['model_stream_interrupted', 'model_connection'],
  ),
  {
    id: 'chat.interrupted.reset',
    title: 'a connection that is reset in the middle is interrupted',
    async run({ wire, server, ...stage }) {
      const model = await stage.model();
      if (!model.capabilities.streaming) notDeclared('streaming is not declared');
      const reply = wire.stream([STORY]);
      server.add({ ...reply, parts: [...upTo(reply, 'time'), { end: 'reset' }] });
      const { chunks, error } = await collectUntilError(model.stream(ask()));
      checkCode(error, ['model_stream_interrupted', 'model_connection'], 'a stream that is reset');
      // A reset may overtake bytes that were on their way.
      check('Once upon a time'.startsWith(chunkText(chunks)), 'text before the reset must be what was sent');
    },
  },
  {
    id: 'chat.interrupted.provider-error',
    title: 'an error of the provider in the stream is thrown, after the text that came',
    async run({ wire, server, ...stage }) {
      const model = await stage.model();
      server.add(wire.error('mid-stream'));
      const { chunks, error } = await collectUntilError(model.stream(ask()));
      const codes = ['model_error', 'model_stream_interrupted', 'model_overloaded', 'model_rate_limit'];
      checkCode(error, codes, 'an error in the stream');
      checkEqual(chunkText(chunks), 'partial', 'the text before the failure');
    },
  },
  {
    id: 'chat.interrupted.tool-call',
    title: 'a tool call that was cut off is never handed out as a whole one',
    async run({ wire, server, ...stage }) {
      const model = await stage.model();
      if (!model.capabilities.tools || !model.capabilities.streaming) notDeclared('streamed tools are not declared');
      const reply = wire.stream([{ toolCalls: [{ name: 'weather', arguments: { city: 'Delft' } }], chunks: 'char' }]);
      server.add({ ...reply, parts: [...upTo(reply, 'weather'), { end: 'close' }] });
      const prompt = new Prompt('Weather?', { tools: [weather] });
      const { chunks, error } = await collectUntilError(model.stream(prompt));
      checkCode(error, ['model_stream_interrupted'], 'a stream that ends in a tool call');
      check(
        chunks.every((chunk) => chunk.result?.metadata.finishReason === undefined),
        'no chunk may claim that the answer is finished',
      );
    },
  },
  {
    id: 'chat.interrupted.nothing',
    title: 'a connection that is closed before the headers is model_connection, from call and from stream',
    async run({ server, ...stage }) {
      const model = await stage.model();
      const codes = ['model_connection', 'model_stream_interrupted'];
      server.add({ drop: true }, { drop: true });
      await rejectsWith(() => model.call(ask()), codes, 'call');
      const { chunks, error } = await collectUntilError(model.stream(ask()));
      checkCode(error, codes, 'stream');
      checkEqual(chunks.length, 0, 'chunks');
    },
  },
];
