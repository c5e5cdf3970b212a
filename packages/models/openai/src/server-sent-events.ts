import { createParser } from 'eventsource-parser';

/**
 * The data of each server-sent event of a body. Characters cut by the network are joined; what stands after the last line end is read as
 * if it had one. Leaving the loop leaves the body, too.
 */
export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const waiting: string[] = [];
  const parser = createParser({ onEvent: (event) => void waiting.push(event.data) });
  const decoder = new TextDecoder();
  let returned = false;
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    if (text === '') continue;
    // The parser waits behind a carriage return for the line feed that may follow. A server that ends its lines without one sends none.
    const rest = returned && text.startsWith('\n') ? text.slice(1) : text;
    returned = text.endsWith('\r');
    parser.feed(returned ? `${rest}\n` : rest);
    // Not `yield*`, which takes twice as long.
    for (const data of waiting.splice(0)) yield data;
  }
  parser.feed(`${decoder.decode()}\n\n`);
  for (const data of waiting) yield data;
}
