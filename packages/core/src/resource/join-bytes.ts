/** The pieces as one. A single piece that is not empty is given back itself, not copied. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const filled = pieces.filter((piece) => piece.length > 0);
  const [first] = filled;
  if (first !== undefined && filled.length === 1) return first;
  const whole = new Uint8Array(filled.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of filled) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
