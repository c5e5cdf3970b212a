/** The kernel's two sums in JavaScript, in double precision: the fallback, the exact scores of the few best, and the test oracle. */

export function dot(a: Float32Array, b: Float32Array): number {
  // Four sums: each addition would wait for the one before it.
  let s = 0;
  let t = 0;
  let u = 0;
  let v = 0;
  let i = 0;
  for (; i + 3 < a.length; i += 4) {
    s += (a[i] ?? 0) * (b[i] ?? 0);
    t += (a[i + 1] ?? 0) * (b[i + 1] ?? 0);
    u += (a[i + 2] ?? 0) * (b[i + 2] ?? 0);
    v += (a[i + 3] ?? 0) * (b[i + 3] ?? 0);
  }
  for (; i < a.length; i++) s += (a[i] ?? 0) * (b[i] ?? 0);
  return s + t + u + v;
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
