/** Each line of a body as JSON. Characters cut by the network are joined; leaving the loop closes the connection. */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let ended = false;
  try {
    while (!ended) {
      const { done, value } = await reader.read();
      ended = done;
      rest += done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true });
      let start = 0;
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', start)) {
        const line = rest.slice(start, end).trim();
        start = end + 1;
        if (line !== '') yield JSON.parse(line);
      }
      rest = rest.slice(start);
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
