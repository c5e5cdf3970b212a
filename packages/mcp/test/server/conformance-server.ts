import { setTimeout as wait } from 'node:timers/promises';
import { jsonSchema, media, ToolExecutionError } from '@vernal/core';
import { type McpServer, mcpCompletion, mcpPrompt, mcpResource, mcpServer, mcpTool } from '@vernal/mcp';
import { z } from 'zod';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const png = media('image/png', { type: 'base64', base64: PNG });

const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const text = (words: string) => ({ type: 'text' as const, text: words });

/** What the official conformance suite wants a server to have. */
export function conformanceServer(): McpServer {
  return mcpServer({
    name: 'conformance',
    tools: [
      mcpTool({ name: 'test_simple_text', execute: () => 'This is a simple text response for testing.' }),
      mcpTool({ name: 'test_image_content', mimeType: 'image/png', execute: () => PNG }),
      mcpTool({ name: 'test_audio_content', mimeType: 'audio/wav', execute: () => WAV }),
      mcpTool({
        name: 'test_embedded_resource',
        execute: () => ({
          content: [
            {
              type: 'resource',
              resource: {
                uri: 'test://embedded-resource',
                mimeType: 'text/plain',
                text: 'This is an embedded resource content.',
              },
            },
          ],
        }),
      }),
      mcpTool({
        name: 'test_multiple_content_types',
        execute: () => ({
          content: [
            text('Multiple content types test:'),
            image,
            {
              type: 'resource',
              resource: {
                uri: 'test://mixed-content-resource',
                mimeType: 'application/json',
                text: '{"test":"data","value":123}',
              },
            },
          ],
        }),
      }),
      mcpTool({
        name: 'test_tool_with_logging',
        execute: async (_, { exchange }) => {
          await exchange.info('Tool execution started');
          await wait(50);
          await exchange.info('Tool processing data');
          await wait(50);
          await exchange.info('Tool execution completed');
          return 'Logged';
        },
      }),
      mcpTool({
        name: 'test_error_handling',
        execute: () => {
          throw new ToolExecutionError('This tool intentionally returns an error for testing', {
            toolName: 'test_error_handling',
          });
        },
      }),
      mcpTool({
        name: 'test_tool_with_progress',
        execute: async (_, { exchange }) => {
          for (const percent of [0, 50, 100]) {
            await exchange.progress(percent);
            await wait(50);
          }
          return 'Done';
        },
      }),
      mcpTool({
        name: 'test_sampling',
        input: z.object({ prompt: z.string() }),
        execute: async ({ prompt }, { exchange }) => {
          const answer = await exchange.sample({
            messages: [{ role: 'user', content: text(prompt) }],
            maxTokens: 100,
          });
          return `LLM response: ${'text' in answer.content ? answer.content.text : ''}`;
        },
      }),
      mcpTool({
        name: 'test_elicitation',
        input: z.object({ message: z.string() }),
        execute: async ({ message }, { exchange }) => {
          const schema = z.object({
            username: z.string().describe("User's response"),
            email: z.string().describe("User's email address"),
          });
          const answer = await exchange.elicit(schema, { message });
          return `User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
        },
      }),
      mcpTool({
        name: 'test_elicitation_sep1034_defaults',
        execute: async (_, { exchange }) => {
          const schema = z.object({
            name: z.string().default('John Doe'),
            age: z.number().int().default(30),
            score: z.number().default(95.5),
            status: z.enum(['active', 'inactive', 'pending']).default('active'),
            verified: z.boolean().default(true),
          });
          const answer = await exchange.elicit(schema);
          return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
        },
      }),
      mcpTool({
        name: 'test_elicitation_sep1330_enums',
        execute: async (_, { exchange }) => {
          const answer = await exchange.elicit(ENUMS);
          return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
        },
      }),
      mcpTool({
        name: 'json_schema_2020_12_tool',
        description: 'Tool with JSON Schema 2020-12 features',
        input: jsonSchema({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
          properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
          additionalProperties: false,
        }),
        execute: () => 'ok',
      }),
      mcpTool({
        name: 'test_reconnection',
        execute: async (_, { transport }) => {
          transport.closeStream?.();
          await wait(100);
          return 'Reconnection test completed successfully';
        },
      }),
    ],
    resources: [
      mcpResource({
        uri: 'test://static-text',
        name: 'Static text',
        description: 'A text',
        mimeType: 'text/plain',
        read: () => 'This is the content of the static text resource.',
      }),
      mcpResource({
        uri: 'test://static-binary',
        name: 'Static binary',
        description: 'An image',
        mimeType: 'image/png',
        read: () => png,
      }),
      mcpResource({
        uri: 'test://watched-resource',
        name: 'Watched',
        description: 'Changes',
        read: () => 'watched',
      }),
      mcpResource({
        uri: 'test://template/{id}/data',
        name: 'Template',
        description: 'Data by id',
        mimeType: 'application/json',
        read: ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }),
    ],
    prompts: [
      mcpPrompt({
        name: 'test_simple_prompt',
        description: 'Simple',
        render: () => 'This is a simple prompt for testing.',
      }),
      mcpPrompt({
        name: 'test_prompt_with_arguments',
        description: 'With arguments',
        input: z.object({ arg1: z.string().describe('First'), arg2: z.string().describe('Second') }),
        render: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
      }),
      mcpPrompt({
        name: 'test_prompt_with_embedded_resource',
        description: 'With a resource',
        input: z.object({ resourceUri: z.string() }),
        render: ({ resourceUri }) => ({
          messages: [
            {
              role: 'user',
              content: {
                type: 'resource',
                resource: {
                  uri: resourceUri,
                  mimeType: 'text/plain',
                  text: 'Embedded resource content for testing.',
                },
              },
            },
            { role: 'user', content: text('Please process the embedded resource above.') },
          ],
        }),
      }),
      mcpPrompt({
        name: 'test_prompt_with_image',
        description: 'With an image',
        render: () => ({
          messages: [
            { role: 'user', content: image },
            { role: 'user', content: text('Please analyze the image above.') },
          ],
        }),
      }),
    ],
    completions: [
      mcpCompletion({
        prompt: 'test_prompt_with_arguments',
        complete: ({ value }) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
      }),
    ],
  });
}

const choices = (prefix: string) =>
  ['First', 'Second', 'Third'].map((title, index) => ({ const: `${prefix}${index + 1}`, title: `${title} Option` }));

const ENUMS = jsonSchema({
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: choices('value') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: choices('value') } },
  },
});
