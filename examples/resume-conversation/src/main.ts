import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { repositoryAt } from './repository-at.js';
import { travelDesk } from './travel-desk.js';

const [url = 'sqlite:conversation.db', conversation = `trip-${Date.now().toString(36)}`, role] = process.argv.slice(2);

/** The first process: books, says so, and waits for a customer who never comes back. */
async function first(): Promise<void> {
  const repository = await repositoryAt(url);
  const desk = travelDesk(repository, 'books');
  console.log(await desk.prompt('Book the ferry at 17:40').conversation(conversation).call().content());
  setInterval(() => {}, 1_000);
}

/** The second one: knows of the first only what the database holds. */
async function second(): Promise<void> {
  const repository = await repositoryAt(url);
  try {
    let shown = 0;
    const desk = travelDesk(repository, 'answers', (messages) => {
      shown = messages;
    });
    const answer = await desk.prompt('What was my number?').conversation(conversation).call().content();
    console.log(`Another process, shown ${shown} messages: ${answer}`);
  } finally {
    await repository.close?.();
  }
}

if (role === 'first') await first();
else {
  const main = fileURLToPath(import.meta.url);
  const process1 = spawn(process.execPath, [main, url, conversation, 'first'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(process1, 'close');
  const [said] = (await Promise.race([once(process1.stdout.setEncoding('utf8'), 'data'), ended])) as [unknown];
  if (typeof said !== 'string') throw new Error('The first process ended before it had booked');
  console.log(`One process: ${said.trim()}`);
  process1.kill('SIGKILL');
  await ended;
  console.log('It is killed.');
  await second();
}
