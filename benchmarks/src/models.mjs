// Models in the process: they answer at once, so what is measured is the framework around them.
import { BaseAdvisor } from '@vernal/client-chat';
import { assistantMessage, chatResponse, jsonSchema, TEXT_ONLY, tool } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import { peer } from './measure.mjs';

/** Sees what goes in and what comes back, and changes neither. */
export class PassAdvisor extends BaseAdvisor {
  constructor(name) {
    super({ scope: 'turn' });
    this.name = name;
  }

  before(request) {
    return request;
  }

  after(response) {
    return response;
  }
}
export const passAdvisors = () => [new PassAdvisor('a'), new PassAdvisor('b'), new PassAdvisor('c')];

export const echo = {
  provider: 'echo',
  capabilities: { ...TEXT_ONLY, tools: true },
  defaultOptions: {},
  call: async (prompt) => chatResponse(prompt.userMessage.text),
  async *stream(prompt) {
    yield chatResponse(prompt.userMessage.text);
  },
};

/** Streams as many chunks as it is asked for. */
export const chunked = (count) => ({
  ...echo,
  async *stream() {
    for (let i = 0; i < count; i += 1) yield chatResponse('word ');
  },
});

export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
export const weather = tool({
  name: 'weather',
  description: 'The weather in a city',
  input: jsonSchema(weatherSchema, { validator: jsonSchemaValidator() }),
  execute: ({ city }) => ({ city, degrees: 21 }),
});
export const weatherArguments = '{"city":"Delft"}';
const toolCalls = [{ id: 'call-1', name: 'weather', arguments: weatherArguments }];
export const calling = chatResponse([
  { output: assistantMessage({ toolCalls }), metadata: { finishReason: 'tool_calls' } },
]);

/** Calls the tool once, then answers. */
export const weatherModel = {
  ...echo,
  call: async (prompt) => (prompt.messages.at(-1).type === 'tool' ? chatResponse('21 degrees') : calling),
};

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const stop = { finishReason: { unified: 'stop', raw: 'stop' }, usage };

/** The same models for `ai`, or undefined. */
export async function aiModels() {
  const ai = await peer('ai');
  const test = await peer('ai/test');
  const Mock = test?.MockLanguageModelV3 ?? test?.MockLanguageModelV2;
  if (ai === undefined || Mock === undefined) return undefined;
  const generating = (...results) => {
    let at = 0;
    return new Mock({
      doGenerate: async () => ({ warnings: [], ...results[at++ % results.length] }),
    });
  };
  return {
    ai,
    echo: () => generating({ ...stop, content: [{ type: 'text', text: 'Hello' }] }),
    weather: () =>
      generating(
        {
          usage,
          finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
          content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'weather', input: weatherArguments }],
        },
        { ...stop, content: [{ type: 'text', text: '21 degrees' }] },
      ),
    chunked: (count) =>
      new Mock({
        doStream: async () => ({
          stream: ai.simulateReadableStream({
            initialDelayInMs: null,
            chunkDelayInMs: null,
            chunks: [
              { type: 'stream-start', warnings: [] },
              { type: 'text-start', id: '1' },
              ...Array.from({ length: count }, () => ({ type: 'text-delta', id: '1', delta: 'word ' })),
              { type: 'text-end', id: '1' },
              { type: 'finish', ...stop },
            ],
          }),
        }),
      }),
  };
}
