// A server that speaks as much of chat completions as the benchmark asks for. A process of its own, so that only the client is measured.
import { createServer } from 'node:http';

const created = 1_700_000_000;
const whole = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
});
const event = (choices, usage) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created, model: 'm', choices, usage })}\n\n`;
const word = event([{ index: 0, delta: { content: 'word ' }, finish_reason: null }], null);
const last = event([{ index: 0, delta: {}, finish_reason: 'stop' }], null);
const usage = event([], { prompt_tokens: 5, completion_tokens: 100, total_tokens: 105 });

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (!body.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(whole);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // Ten at a time, as a network brings them.
    for (let i = 0; i < 10; i += 1) response.write(word.repeat(10));
    response.end(`${last}${usage}data: [DONE]\n\n`);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
