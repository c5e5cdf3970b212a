import type { SchemaIssue } from '../schema/standard-schema.js';
import { plainStringEnd } from './json-like.js';

const SUSPECT = /\d{16}|\d[eE]\+?\d{3}/;
const TOKEN = /-?\d[\d.eE+-]*|[{}[\],:"]/g;

/**
 * Numbers of a JSON text that JavaScript would change on reading: whole numbers that lose digits (64-bit ids), and numbers beyond
 * the range, which would become infinite. `json` has to be JSON. Decimal fractions are rounded as everywhere and are no issue.
 */
export function inexactNumbers(json: string): readonly SchemaIssue[] {
  if (!SUSPECT.test(json)) return [];
  const issues: SchemaIssue[] = [];
  const path: (string | number)[] = [];
  const inList: boolean[] = [];
  let keyIsNext = false;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(json); match !== null; match = TOKEN.exec(json)) {
    const token = match[0];
    switch (token[0]) {
      case '{':
      case '[':
        inList.push(token === '[');
        path.push(token === '[' ? 0 : '');
        keyIsNext = token === '{';
        break;
      case '}':
      case ']':
        inList.pop();
        path.pop();
        keyIsNext = false;
        break;
      case ',':
        keyIsNext = inList.at(-1) === false;
        if (!keyIsNext) path.push(Number(path.pop()) + 1);
        break;
      case ':':
        keyIsNext = false;
        break;
      case '"':
        // Not by the expression: a string of a few megabytes exhausts its stack.
        TOKEN.lastIndex = plainStringEnd(json, match.index);
        if (keyIsNext) path[path.length - 1] = JSON.parse(json.slice(match.index, TOKEN.lastIndex));
        break;
      default: {
        const message = faultOf(token);
        if (message !== undefined) issues.push({ message, path: [...path] });
      }
    }
  }
  return issues;
}

function faultOf(digits: string): string | undefined {
  const value = Number(digits);
  if (!Number.isFinite(value)) return 'Number beyond the range of JavaScript; a finite number is wanted';
  const whole = /^(-?\d+)(?:\.0+)?$/.exec(digits)?.[1];
  if (whole === undefined || BigInt(whole) === BigInt(value)) return undefined;
  return 'Whole number with more digits than a JavaScript number keeps; ask for it as a string';
}
