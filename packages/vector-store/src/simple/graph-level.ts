/** Levels get rarer by the factor m; nobody has 2^32 vectors. */
const HIGHEST_LEVEL = 31;

/** How far up a node reaches: drawn by its number, so that it is the same each time. One of `m` reaches the next level. */
export function graphLevel(node: number, m: number): number {
  let bits = Math.imul(node + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  const chance = (((bits ^ (bits >>> 16)) >>> 0) + 1) / 2 ** 32;
  return Math.min(HIGHEST_LEVEL, Math.floor(-Math.log(chance) / Math.log(m)));
}
