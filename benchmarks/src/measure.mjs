// Contestants take turns (A B C, C B A, …), so that a slow spell of the machine hits all of them; medians of the rounds, and ratios to the
// floor. A contestant is a function that does its operation as often as it is told.
import { createRequire } from 'node:module';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const short = (value) => Number(value.toPrecision(3));

/** Few enough that no collection comes in between. */
const WEIGHED = 150;

/**
 * @param {string} title
 * @param {Record<string, (count: number) => unknown>} contestants the first is the floor
 * @param {{ operations: number, rounds?: number, warmUps?: number, unit?: 'us' | 'ms', weighed?: number, by?: 'cpu' | 'wall' }} options
 *   `by`: what the ratio is of; the clock is for work that mostly waits for a server
 */
export async function compare(
  title,
  contestants,
  { operations, rounds = 21, warmUps = 5, unit = 'us', weighed = WEIGHED, by = 'cpu' },
) {
  const names = Object.keys(contestants);
  const wall = new Map(names.map((name) => [name, []]));
  const cpu = new Map(names.map((name) => [name, []]));
  for (const name of names) for (let i = 0; i < warmUps; i += 1) await contestants[name](operations);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const usage = process.cpuUsage();
      const started = performance.now();
      await contestants[name](operations);
      const took = performance.now() - started;
      const used = process.cpuUsage(usage);
      wall.get(name).push(took / operations);
      cpu.get(name).push((used.user + used.system) / 1000 / operations);
    }
  }
  const scale = unit === 'us' ? 1000 : 1;
  const compared = by === 'wall' ? wall : cpu;
  const floor = median(compared.get(names[0]));
  const rows = [];
  for (const name of names) {
    rows.push({
      contestant: name,
      'x floor': short(median(compared.get(name)) / floor),
      [`CPU ${unit}`]: short(median(cpu.get(name)) * scale),
      [`wall ${unit}`]: short(median(wall.get(name)) * scale),
      ...(globalThis.gc && weighed > 0 && { 'KB made': await kilobytes(contestants[name], weighed) }),
    });
  }
  console.log(`\n${title}`);
  console.table(rows);
  return rows;
}

/** What one operation allocates; '-' where it is so much that the collector ran in between. */
async function kilobytes(contestant, count) {
  const collections = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) collections.push(startTime);
  });
  observer.observe({ entryTypes: ['gc'] });
  const runs = [];
  for (let i = 0; i < 5; i += 1) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    const started = performance.now();
    await contestant(count);
    const ended = performance.now();
    runs.push({ started, ended, made: process.memoryUsage().heapUsed - before });
  }
  // The collector is reported on later.
  await sleep(20);
  observer.disconnect();
  const quiet = runs.filter(({ started, ended }) => !collections.some((at) => at >= started && at <= ended));
  return quiet.length === 0 ? '-' : short(median(quiet.map(({ made }) => made / 1024 / count)));
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

/** The contestant that does `operation` one time after the other. */
export const each = (operation) => async (count) => {
  for (let i = 0; i < count; i += 1) await operation();
};
