import { bodyChunks } from '@vernal/core';
import { createParser } from 'eventsource-parser';

/**
 * The data of each server-sent event of a body. Characters cut by the network are joined; what stands after the last line end is read as
 * if it had one. Leaving the loop cancels the body, which closes the connection.
 */
export async function* serverSentEvents(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const waiting: string[] = [];
  const parser = createParser({ onEvent: (event) => void waiting.push(event.data) });
  const decoder = new TextDecoder();
  for await (const bytes of bodyChunks(body)) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    // Not `yield*`, which takes twice as long.
    for (const data of waiting.splice(0)) yield data;
  }
  parser.feed(`${decoder.decode()}\n\n`);
  for (const data of waiting) yield data;
}
