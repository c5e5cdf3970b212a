import { Prompt } from '@vernal/core';
import { gate } from '../../mock-server/gate.js';
import type { BodyPart } from '../../mock-server/mock-reply.js';
import { check, checkEqual, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { ChatModelCaseId } from './chat-case-id.js';
import type { WireStage } from './chat-stage.js';
import { collect, weather } from './chat-views.js';
import { unhandledRejections } from './unhandled-rejections.js';

const ask = (): Prompt => new Prompt('Tell me a story.');

/** The reply of a stream that stays open after its first text. */
function openStream({
  wire,
}: Pick<WireStage, 'wire'>): { readonly parts: readonly BodyPart[] } & ReturnType<typeof wire.stream> {
  const reply = wire.stream(['Once upon a time']);
  const first = reply.parts.findIndex((part) => String(part).includes('Once'));
  const parts: readonly (string | Uint8Array)[] = reply.parts.slice(0, first + 1);
  return { ...reply, parts };
}

/** Cancelling, and what is left of the connection. */
export const abortCases: readonly SuiteCase<ChatModelCaseId, WireStage>[] = [
  {
    id: 'chat.abort.no-request',
    title: 'a signal that has fired already sends nothing',
    async run({ server, ...stage }) {
      const model = await stage.model();
      const context = { signal: AbortSignal.abort() };
      await rejectsWith(() => model.call(ask(), context), 'aborted', 'call');
      await rejectsWith(() => collect(model.stream(ask(), context)), 'aborted', 'stream');
      checkEqual(server.requests.length, 0, 'requests');
    },
  },
  {
    id: 'chat.abort.before-headers',
    title: 'an abort while the provider thinks rejects and closes the connection',
    async run({ server, ...stage }) {
      const model = await stage.model();
      for (const [index, face] of (['call', 'stream'] as const).entries()) {
        const controller = new AbortController();
        server.add({ hold: gate(), json: {} });
        const context = { signal: controller.signal };
        const outcome = rejectsWith(
          () => (face === 'call' ? model.call(ask(), context) : collect(model.stream(ask(), context))),
          'aborted',
          face,
        );
        await server.whenRequested(index + 1);
        controller.abort();
        await outcome;
        await server.whenDropped(index + 1);
      }
    },
  },
  {
    id: 'chat.abort.between-chunks',
    title: 'an abort between chunks rejects the next one and closes the connection',
    async run({ server, ...stage }) {
      const model = await stage.model();
      if (!model.capabilities.streaming) notDeclared('streaming is not declared');
      const controller = new AbortController();
      const reply = openStream(stage);
      server.add({ ...reply, parts: [...reply.parts, { end: 'hang' }] });
      let chunks = 0;
      await rejectsWith(
        async () => {
          for await (const _ of model.stream(ask(), { signal: controller.signal })) {
            chunks++;
            controller.abort();
          }
        },
        'aborted',
        'the stream',
      );
      check(chunks >= 1, 'the first chunk must have come');
      await server.whenDropped(1);
    },
  },
  {
    id: 'chat.abort.while-waiting',
    title: 'an abort while the next chunk is awaited rejects at once',
    async run({ server, ...stage }) {
      const model = await stage.model();
      if (!model.capabilities.streaming) notDeclared('streaming is not declared');
      const controller = new AbortController();
      const [reply, hold] = [openStream(stage), gate()];
      server.add({ ...reply, parts: [...reply.parts, { hold }] });
      const outcome = rejectsWith(
        () => collect(model.stream(ask(), { signal: controller.signal })),
        'aborted',
        'the stream',
      );
      await hold.reached;
      controller.abort();
      await outcome;
      await server.whenDropped(1);
    },
  },
  {
    id: 'chat.abort.in-tool-call',
    title: 'an abort in the middle of a tool call rejects at once and closes the connection',
    async run({ server, wire, ...stage }) {
      const model = await stage.model();
      if (!model.capabilities.streaming) notDeclared('streaming is not declared');
      if (!model.capabilities.tools) notDeclared('tools are not declared');
      const controller = new AbortController();
      const hold = gate();
      const reply = wire.stream([{ toolCalls: [{ name: 'weather', arguments: { city: 'Delft' } }], chunks: 'char' }]);
      const named = reply.parts.findIndex((part) => String(part).includes('weather'));
      server.add({ ...reply, parts: [...reply.parts.slice(0, named + 2), { hold }] });
      const prompt = new Prompt('Weather?', { tools: [weather] });
      const outcome = rejectsWith(
        () => collect(model.stream(prompt, { signal: controller.signal })),
        'aborted',
        'the stream',
      );
      await hold.reached;
      controller.abort();
      await outcome;
      await server.whenDropped(1);
    },
  },
  {
    id: 'chat.abort.break',
    title: 'leaving the loop closes the connection, without an error',
    async run({ server, ...stage }) {
      const model = await stage.model();
      if (!model.capabilities.streaming) notDeclared('streaming is not declared');
      const reply = openStream(stage);
      server.add({ ...reply, parts: [...reply.parts, { end: 'hang' }] });
      for await (const chunk of model.stream(ask())) {
        if (chunk.result?.output.text !== '') break;
      }
      await server.whenDropped(1);
    },
  },
  {
    id: 'chat.abort.leave-waiting',
    title: 'leaving while the next chunk is awaited closes the connection, without waiting for the chunk',
    async run({ server, ...stage }) {
      const model = await stage.model();
      if (!model.capabilities.streaming) notDeclared('streaming is not declared');
      const [reply, hold] = [openStream(stage), gate()];
      server.add({ ...reply, parts: [...reply.parts, { hold }] });
      const chunks = model.stream(ask())[Symbol.asyncIterator]();
      const waiting = (async () => {
        while ((await chunks.next()).done !== true);
      })();
      await hold.reached;
      await chunks.return?.();
      await server.whenDropped(1);
      await waiting;
    },
  },
  {
    id: 'chat.abort.throw',
    title: 'an error of the consumer closes the connection and is the one that is thrown',
    async run({ server, ...stage }) {
      const model = await stage.model();
      if (!model.capabilities.streaming) notDeclared('streaming is not declared');
      const reply = openStream(stage);
      server.add({ ...reply, parts: [...reply.parts, { end: 'hang' }] });
      const own = new Error('of the consumer');
      let caught: unknown;
      try {
        for await (const _ of model.stream(ask())) throw own;
      } catch (error) {
        caught = error;
      }
      check(caught === own, 'the error must be the one of the consumer');
      await server.whenDropped(1);
    },
  },
  {
    id: 'chat.abort.after',
    title: 'an abort after the answer changes nothing',
    async run({ server, ...stage }) {
      const model = await stage.model();
      const controller = new AbortController();
      stage.answer('done');
      const response = await model.call(ask(), { signal: controller.signal });
      stage.answer('done');
      await collect(model.stream(ask(), { signal: controller.signal }));
      const unhandled = await unhandledRejections(async () => controller.abort());
      checkEqual(
        [response.result?.output.text, unhandled.length, server.dropped],
        ['done', 0, 0],
        'text, rejections, drops',
      );
    },
  },
];
