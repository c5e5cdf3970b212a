// Contestants take turns (A B C A B C …), so that a slow spell of the machine hits all of them; medians of the rounds, and ratios to the floor.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * @param {string} title
 * @param {Record<string, () => unknown>} contestants the first is the floor; each call does `operations` operations
 * @param {{ operations: number, rounds?: number, unit?: 'us' | 'ms' }} options
 */
export async function compare(title, contestants, { operations, rounds = 15, unit = 'us' }) {
  const names = Object.keys(contestants);
  const wall = new Map(names.map((name) => [name, []]));
  const cpu = new Map(names.map((name) => [name, []]));
  for (const name of names) for (let i = 0; i < 3; i += 1) await contestants[name]();
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const usage = process.cpuUsage();
      const started = performance.now();
      await contestants[name]();
      const took = performance.now() - started;
      const used = process.cpuUsage(usage);
      wall.get(name).push(took / operations);
      cpu.get(name).push((used.user + used.system) / 1000 / operations);
    }
  }
  const scale = unit === 'us' ? 1000 : 1;
  const floor = median(wall.get(names[0]));
  const rows = names.map((name) => ({
    contestant: name,
    [`${unit} each`]: Number((median(wall.get(name)) * scale).toPrecision(3)),
    [`CPU ${unit}`]: Number((median(cpu.get(name)) * scale).toPrecision(3)),
    'x floor': Number((median(wall.get(name)) / floor).toPrecision(3)),
  }));
  console.log(`\n${title}`);
  console.table(rows);
  return rows;
}

const peers = createRequire(new URL('../peers/package.json', import.meta.url));
/** A peer's module, or undefined when the peers are not installed or it cannot be loaded here. */
export async function peer(name) {
  try {
    return await import(pathToFileURL(peers.resolve(name)).href);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND')
      console.log(`(${name} cannot be loaded here: ${error.message.split('\n')[0]})`);
    return undefined;
  }
}
