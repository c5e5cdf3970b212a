import { check } from '../kernel/assertions.js';

/** The turns of that name among texts, in their order; fails when one is not whole or others stand inside of it. */
export function storedTurns(texts: readonly string[], name: string): number[] {
  const turns: number[] = [];
  for (const [index, text] of texts.entries()) {
    const [, role, turn] = new RegExp(`^${name} (user|assistant) (\\d+)$`).exec(text) ?? [];
    if (role === 'user')
      check(texts[index + 1] === `${name} assistant ${turn}`, `turn ${turn} of ${name} must be whole and in one piece`);
    if (role === 'assistant') {
      check(texts[index - 1] === `${name} user ${turn}`, `turn ${turn} of ${name} must be whole and in one piece`);
      turns.push(Number(turn));
    }
  }
  return turns;
}
