import { ChatClient } from '@vernal/client-chat';
import type { ChatModel } from '@vernal/core';
import { tool } from '@vernal/core';
import { z } from 'zod';

declare const model: ChatModel;
const weather = tool({
  name: 'currentWeather',
  description: 'Current weather in a place',
  input: z.object({ location: z.string(), unit: z.enum(['c', 'f']).default('c') }),
  execute: async ({ location, unit }) => `It is 20 ${unit} in ${location}`,
});
const client = ChatClient.builder(model).defaultSystem('You are terse.').defaultTools(weather).build();
export const answer: string = await client
  .prompt()
  .user((u) => u.text('Weather in {city}?').param('city', 'Delft'))
  .call()
  .content();
