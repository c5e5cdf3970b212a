import type { CreateMessageResultWithTools } from '@modelcontextprotocol/client';
import { type ChatModel, type ChatResponse, isRecord, mediaBase64, type ToolCall } from '@vernal/core';
import type { McpSamplingAnswer } from './client-handlers.js';

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  tool_calls: 'toolUse',
};

type Block = Extract<CreateMessageResultWithTools['content'], { readonly type: string }>;

/** A model's answer as a server wants it: one block of content, or several when tools are called. */
export function samplingAnswer(response: ChatResponse, model: ChatModel, asked: string | undefined): McpSamplingAnswer {
  const generation = response.results[0];
  const output = generation?.output;
  const base = {
    role: 'assistant' as const,
    model: response.metadata.model ?? asked ?? model.defaultOptions.model ?? model.provider,
    stopReason: STOP_REASONS[generation?.metadata.finishReason ?? 'stop'] ?? 'endTurn',
  };
  const calls = output?.toolCalls ?? [];
  if (calls.length > 0) {
    const text: Block[] = output?.text ? [{ type: 'text', text: output.text }] : [];
    return { ...base, stopReason: 'toolUse', content: [...text, ...calls.map(toolUse)] };
  }
  const shown = output?.media.find(
    ({ mimeType, source }) => source.type !== 'url' && /^(image|audio)\//.test(mimeType),
  );
  if (shown !== undefined && !output?.text) {
    const type = shown.mimeType.startsWith('image/') ? 'image' : 'audio';
    return { ...base, content: { type, data: mediaBase64(shown), mimeType: shown.mimeType } };
  }
  return { ...base, content: { type: 'text', text: output?.text ?? '' } };
}

function toolUse({ id, name, arguments: text }: ToolCall): Block {
  return { type: 'tool_use', id, name, input: inputOf(text) };
}

/** A model may write what is no object; the server's own check then says what is wrong with {}. */
function inputOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return isRecord(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
