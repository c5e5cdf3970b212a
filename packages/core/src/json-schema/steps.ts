import { isRecord, type JsonRecord } from '../json/json-record.js';

/** Characters that take about as long as one schema. */
const CHARACTERS_A_STEP = 16;

/** Keywords whose whole argument is gone through for each value. */
const WHOLE = ['const', 'enum', 'required', 'type', 'dependentRequired', 'dependencies'];
/** Keywords of which each entry is looked at. */
const ENTRIES = ['properties', 'dependentSchemas'];

/** What a schema costs for each value that it is put to, without those below it. */
export function schemaSteps(schema: JsonRecord): number {
  let steps = 1;
  for (const keyword of WHOLE) if (Object.hasOwn(schema, keyword)) steps += jsonSteps(schema[keyword]);
  for (const keyword of ENTRIES) {
    const argument = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    if (isRecord(argument)) steps += Object.keys(argument).length;
  }
  return steps;
}

/** What a value costs for each schema that is put to it, without what is below it. */
export function valueSteps(value: unknown): number {
  if (typeof value === 'string') return textSteps(value);
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 0;
}

/** What it costs to go through a whole value. Iterative, so that depth cannot exhaust the stack. */
export function jsonSteps(value: unknown): number {
  let steps = 0;
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    steps += 1 + (typeof one === 'string' ? textSteps(one) : 0);
    if (Array.isArray(one)) for (const item of one) open.push(item);
    else if (isRecord(one)) {
      for (const [key, member] of Object.entries(one)) {
        steps += textSteps(key);
        open.push(member);
      }
    }
  }
  return steps;
}

export function textSteps(text: string): number {
  return Math.floor(text.length / CHARACTERS_A_STEP);
}
