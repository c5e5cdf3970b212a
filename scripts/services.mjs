// `pnpm services up [name…] | down [name…] | status`: real engines for the tests, each with the way it was had.
import { endEngine, engines, isUp, startEngine } from './services/engines.mjs';
import { readState, writeState } from './services/state.mjs';

const [command = 'status', ...named] = process.argv.slice(2);
const unknown = named.filter((name) => !(name in engines));
if (!['up', 'down', 'status'].includes(command) || unknown.length > 0) {
  console.error(`usage: services up [name…] | down [name…] | status; names: ${Object.keys(engines).join(', ')}`);
  process.exit(2);
}
const state = readState();
const names = named.length > 0 ? named : Object.keys(engines);
const told = (name, { how, url, version }) =>
  console.log(`${name}: ${how}, ${hideSecrets(url)}${version ? ` (${version})` : ''}`);
let failed = 0;

if (command === 'up') {
  await Promise.all(
    names.map(async (name) => {
      try {
        const running = state[name];
        if (running !== undefined && isUp(running)) return told(name, running);
        if (running !== undefined) await endEngine(running);
        const service = await startEngine(name);
        writeState(name, service);
        told(name, service);
      } catch (error) {
        failed += 1;
        writeState(name, undefined);
        console.log(`${name}: none: ${error.message}`);
      }
    }),
  );
}
if (command === 'down') {
  for (const name of names) {
    if (state[name] === undefined) continue;
    await endEngine(state[name]);
    writeState(name, undefined);
    console.log(`${name}: ended`);
  }
}
if (command === 'status') {
  for (const name of names) {
    if (state[name] === undefined) console.log(`${name}: not started, its tests are skipped: pnpm services up ${name}`);
    else if (isUp(state[name])) told(name, state[name]);
    else console.log(`${name}: ended by itself`);
  }
}
process.exit(failed > 0 ? 1 : 0);

function hideSecrets(url) {
  return url.replace(/(:\/\/[^:@/]*):[^@/]*@/, '$1:…@');
}
