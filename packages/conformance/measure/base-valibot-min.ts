// The same schema and function without Vernal.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

const input = v.object({ location: v.string() });
export const schema = toStandardJsonSchema(input);
export const execute = async ({ location }: v.InferOutput<typeof input>): Promise<string> => `It is 20 in ${location}`;
