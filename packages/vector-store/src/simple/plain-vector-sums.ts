/** The kernel's two sums in JavaScript, in double precision: the fallback, the exact scores of the few best, and the test oracle. */

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

export function squaredDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    sum += difference * difference;
  }
  return sum;
}

export function norm(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector));
}
