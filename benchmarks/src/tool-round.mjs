// One round of tool calls with validated arguments: by hand, by the manager, and as a whole turn with two model calls.
import { ChatClient } from '@vernal/client-chat';
import { Prompt, systemMessage, ToolCallingManager, userMessage } from '@vernal/core';
import { compare, each, peer } from './measure.mjs';
import { aiModels, calling, weather, weatherArguments, weatherModel, weatherSchema } from './models.mjs';

const lookUp = async ({ city }) => ({ city, degrees: 21 });

async function byHand() {
  const messages = [
    { role: 'user', text: 'Weather in Delft?' },
    { role: 'assistant', calls: [{ id: 'call-1', name: 'weather', arguments: weatherArguments }] },
  ];
  for (const call of messages[1].calls) {
    const input = JSON.parse(call.arguments);
    if (typeof input !== 'object' || input === null || typeof input.city !== 'string') throw new TypeError('city');
    messages.push({ role: 'tool', id: call.id, text: JSON.stringify(await lookUp(input)) });
  }
  return messages;
}

export async function toolRound() {
  const manager = new ToolCallingManager();
  const prompt = new Prompt([systemMessage('You are terse.'), userMessage('Weather in Delft?')], { tools: [weather] });
  const client = ChatClient.builder(weatherModel).defaultTools(weather).build();
  const contestants = {
    'floor: the round by hand': each(byHand),
    'vernal tool.call': each(() => weather.call(weatherArguments)),
    'vernal manager.executeToolCalls': each(() => manager.executeToolCalls(prompt, calling)),
    'vernal client, whole turn': each(() => client.prompt('Weather in Delft?').call().content()),
  };
  const tools = await peer('@langchain/core/tools');
  const zod = await peer('zod');
  if (tools && zod) {
    const tool = tools.tool(async (input) => JSON.stringify(await lookUp(input)), {
      name: 'weather',
      description: 'The weather in a city',
      schema: zod.z.object({ city: zod.z.string() }),
    });
    contestants['langchain tool.invoke'] = each(() =>
      tool.invoke({ type: 'tool_call', id: 'call-1', name: 'weather', args: JSON.parse(weatherArguments) }),
    );
  }
  const models = await aiModels();
  if (models) {
    const { ai } = models;
    const model = models.weather();
    const weatherTool = ai.tool({ inputSchema: ai.jsonSchema(weatherSchema), execute: lookUp });
    contestants['ai generateText, whole turn'] = each(() =>
      ai.generateText({
        model,
        prompt: 'Weather in Delft?',
        tools: { weather: weatherTool },
        stopWhen: ai.stepCountIs(2),
      }),
    );
  }
  return compare('Tool round, one call, arguments validated', contestants, { operations: 500 });
}
