import { createParser } from 'eventsource-parser';

/**
 * The data of each server-sent event of a body. Characters cut by the network are joined; what stands after the last line end is read as
 * if it had one. Leaving the loop cancels the body, which closes the connection.
 */
export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const waiting: string[] = [];
  const parser = createParser({ onEvent: (event) => void waiting.push(event.data) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let ended = false;
  try {
    while (!ended) {
      const { done, value } = await reader.read();
      ended = done;
      if (value !== undefined) parser.feed(decoder.decode(value, { stream: true }));
      if (done) parser.feed(`${decoder.decode()}\n\n`);
      for (const data of waiting.splice(0)) yield data;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
