import { invalidArgument } from '@vernal/core';

/** Refuses a name that is none. */
export function requireModelName(name: string): string {
  const trimmed = typeof name === 'string' ? name.trim() : '';
  if (trimmed === '') throw invalidArgument('model', "must be the name of a model, such as 'llama3.2'");
  return trimmed;
}

/**
 * A name as lists of the server have it, for comparing: in small letters, without what Ollama's own library is called, and with the tag
 * that a name without one means. A colon before the last slash is a port and no tag.
 */
export function comparableModelName(name: string): string {
  const short = requireModelName(name)
    .toLowerCase()
    .replace(/^registry\.ollama\.ai\//, '')
    .replace(/^library\//, '');
  return short.slice(short.lastIndexOf('/') + 1).includes(':') ? short : `${short}:latest`;
}
