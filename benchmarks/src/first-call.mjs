// The first call in a fresh process, once everything is imported: the client is made, asked, and answers.
import { inFreshProcesses, medianOf, peersInstalled } from './fresh-process.mjs';

const vernalModel = `
  const { chatResponse, TEXT_ONLY } = m[0];
  const model = {
    provider: 'echo',
    capabilities: TEXT_ONLY,
    defaultOptions: {},
    call: async (prompt) => chatResponse(prompt.userMessage.text),
  };`;

const aiModel = `
  const Mock = m[1].MockLanguageModelV3 ?? m[1].MockLanguageModelV2;
  const model = new Mock({
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'Hello' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    }),
  });`;

export function firstCall() {
  const programs = {
    'floor: an async function': {
      imports: ['node:path'],
      prepare: 'const model = async (messages) => ({ text: messages[1].text });',
      call: "await model([{ role: 'system', text: 'You are terse.' }, { role: 'user', text: 'Hello' }]);",
    },
    'vernal client': {
      imports: ['@vernal/core', '@vernal/client-chat'],
      prepare: vernalModel,
      call: "await m[1].ChatClient.create(model).prompt().system('You are terse.').user('Hello').call().content();",
    },
    ...(peersInstalled && {
      'langchain model.invoke': {
        peer: true,
        imports: ['@langchain/core/utils/testing', '@langchain/core/messages'],
        prepare: "const model = new m[0].FakeListChatModel({ responses: ['Hello'] });",
        call: "await model.invoke([new m[1].SystemMessage('You are terse.'), new m[1].HumanMessage('Hello')]);",
      },
      'ai generateText': {
        peer: true,
        imports: ['ai', 'ai/test'],
        prepare: aiModel,
        call: "await m[0].generateText({ model, system: 'You are terse.', prompt: 'Hello' });",
      },
    }),
  };
  const found = inFreshProcesses(programs);
  const rows = [...found].map(([contestant, runs]) => ({
    contestant,
    'wall ms': Number(medianOf(runs, 'call').toPrecision(3)),
  }));
  console.log('\nFirst call in a fresh process');
  console.table(rows);
  return rows;
}
