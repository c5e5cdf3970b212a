import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { ChatClient } from '@vernal/client-chat';
import type { ChatModel } from '@vernal/core';
import { tool } from '@vernal/core';
import * as v from 'valibot';

declare const model: ChatModel;
const weather = tool({
  name: 'currentWeather',
  description: 'Current weather in a place',
  input: toStandardJsonSchema(v.object({ location: v.string() })),
  execute: async ({ location }) => `It is 20 in ${location}`,
});
const client = ChatClient.builder(model).defaultSystem('You are terse.').defaultTools(weather).build();
export const answer: string = await client
  .prompt()
  .user((u) => u.text('Weather in {city}?').param('city', 'Delft'))
  .call()
  .content();
