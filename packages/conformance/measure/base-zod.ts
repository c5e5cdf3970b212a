// The same schema and function without Vernal.
import { z } from 'zod';

const input = z.object({ location: z.string(), unit: z.enum(['c', 'f']).default('c') });
export const execute = async ({ location, unit }: z.infer<typeof input>): Promise<string> =>
  `It is 20 ${unit} in ${location}`;
