import type { ChatMemory, Message } from '@vernal/core';
import { assistantMessage, messageText, systemMessage, toolResponseMessage, userMessage } from '@vernal/core';
import { check, checkEqual, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import type { MemoryCaseId } from './memory-case-id.js';
import { numbered } from './sample-messages.js';

function toolTurn(index: number): Message[] {
  const id = `call-${index}`;
  return [
    userMessage(`question ${index}`),
    assistantMessage({ toolCalls: [{ id, name: 'weather', arguments: '{}' }] }),
    toolResponseMessage([{ id, name: 'weather', result: 'rain' }]),
    assistantMessage(`answer ${index}`),
  ];
}

/** Every answer needs its call before it, every call its answer after it. */
function checkPairs(messages: readonly Message[], what: string): void {
  const calls = messages.flatMap((message) =>
    message.type === 'assistant' ? message.toolCalls.map((call) => call.id) : [],
  );
  const answers = messages.flatMap((message) =>
    message.type === 'tool' ? message.responses.map((one) => one.id) : [],
  );
  checkEqual(answers, calls, `tool calls and their answers in ${what}`);
}

export const chatMemoryCases: readonly SuiteCase<MemoryCaseId, ChatMemory>[] = [
  {
    id: 'memory.chat.order',
    title: 'what was added comes back oldest first; one message or a list',
    async run(memory) {
      await memory.add('c', userMessage('one'));
      await memory.add('c', [assistantMessage('two'), userMessage('three')]);
      checkEqual((await memory.get('c')).map(messageText), ['one', 'two', 'three'], 'texts');
    },
  },
  {
    id: 'memory.chat.apart',
    title: 'conversations are apart; an unknown one is empty; a cleared one is gone',
    async run(memory) {
      await memory.add('a', userMessage('of a'));
      await memory.add('b', userMessage('of b'));
      checkEqual([await memory.get('nobody'), (await memory.get('b')).map(messageText)], [[], ['of b']], 'texts');
      await memory.clear('a');
      await memory.clear('nobody');
      checkEqual([(await memory.get('a')).length, (await memory.get('b')).length], [0, 1], 'messages after clear');
    },
  },
  {
    id: 'memory.chat.concurrent',
    title: 'two who add at the same time both land',
    async run(memory) {
      await Promise.all([memory.add('c', numbered(2, 'a')), memory.add('c', numbered(2, 'b'))]);
      const texts = (await memory.get('c')).map(messageText);
      checkEqual(texts.toSorted(), ['a 0', 'a 1', 'b 0', 'b 1'], 'texts');
    },
  },
  {
    id: 'memory.chat.tool-pairs',
    title: 'however long it gets, no tool call is without its answer',
    async run(memory) {
      for (let index = 0; index < 30; index++) {
        await memory.add('c', toolTurn(index));
        const messages = await memory.get('c');
        checkPairs(messages, `turn ${index}`);
        checkEqual(messages.slice(-4).map(messageText), toolTurn(index).map(messageText), `the running turn ${index}`);
      }
    },
  },
  {
    id: 'memory.chat.one-system',
    title: 'a system message is there once and in front; a new one replaces it',
    async run(memory) {
      for (const text of ['first', 'first', 'second']) {
        await memory.add('c', [systemMessage(text), ...numbered(15)]);
        const messages = await memory.get('c');
        const systems = messages.filter((message) => message.type === 'system').map(messageText);
        checkEqual(systems, [text], 'system messages');
        check(messages[0]?.type === 'system', 'the system message must come first');
      }
    },
  },
  {
    id: 'memory.chat.blank-id',
    title: 'a blank conversation id is refused',
    async run(memory) {
      const codes = ['missing_conversation_id', 'invalid_argument'];
      for (const id of ['', '  ']) {
        await rejectsWith(() => memory.add(id, userMessage('x')), codes, `add to '${id}'`);
        await rejectsWith(() => memory.get(id), codes, `get of '${id}'`);
      }
    },
  },
  {
    id: 'memory.chat.abort',
    title: "a signal that has fired already gives 'aborted'",
    async run(memory) {
      const options = { signal: AbortSignal.abort() };
      await rejectsWith(() => memory.add('c', userMessage('x'), options), 'aborted', 'add');
      await rejectsWith(() => memory.get('c', options), 'aborted', 'get');
      checkEqual(await memory.get('c'), [], 'messages');
    },
  },
];
