type Values = Readonly<Record<string, unknown>>;

/**
 * Ollama's own options under the names of its API: members of the request itself, and what the request holds under `options`, which is all
 * the rest. `numCtx` is `num_ctx` there.
 */
export function splitOwnOptions(own: Values, members: ReadonlySet<string>): { request: Values; parameters: Values } {
  const request: Record<string, unknown> = {};
  const parameters: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(own)) {
    const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    (members.has(name) ? request : parameters)[name] = value;
  }
  return { request, parameters };
}
