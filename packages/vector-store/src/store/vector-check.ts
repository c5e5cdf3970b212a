/** Also for arrays of another realm, where `instanceof` says no. */
export function isVector(value: unknown): value is Float32Array {
  return Object.prototype.toString.call(value) === '[object Float32Array]';
}

export function isFiniteVector(vector: Float32Array): boolean {
  // One NaN or infinity makes the sum of the differences NaN: a loop without a branch.
  let sum = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] ?? 0;
    sum += value - value;
  }
  return sum === 0;
}
