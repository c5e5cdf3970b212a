import { type ChatResponse, type Input, type RateLimit, responseFold } from '@vernal/core';
import { EventReader } from './anthropic-events.js';
import { fieldsOf } from './json-fields.js';

/** A whole answer: read as the events that would have brought it, so that both are the same. */
export function fromAnthropicMessage(value: unknown, rateLimit: Input<RateLimit> | undefined): ChatResponse {
  const message = fieldsOf(value, 'message');
  const content = Array.isArray(message['content']) ? message['content'] : [];
  const reader = new EventReader(rateLimit);
  const answer = responseFold();
  const read = (event: object): void => {
    const chunk = reader.read(event);
    if (chunk !== undefined) answer.add(chunk);
  };
  read({ type: 'message_start', message });
  for (const [index, block] of content.entries()) {
    read({ type: 'content_block_start', index, content_block: block });
    read({ type: 'content_block_stop', index });
  }
  read({ type: 'message_delta', delta: message });
  read({ type: 'message_stop' });
  return answer.result();
}
