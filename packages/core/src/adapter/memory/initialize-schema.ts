import { invalidArgument } from '@vernal/core';

/**
 * When a repository makes its tables, indexes and the like: `'embedded'` in an engine that runs inside of the application, `'always'` or
 * `'never'`. Source: `DatabaseInitializationMode` of Spring Boot.
 */
export type InitializeMemorySchema = 'embedded' | 'always' | 'never';

/** Throws `invalid_argument` for any other word. Default `'embedded'`. */
export function createsSchema(initializeSchema: InitializeMemorySchema | undefined, isEmbedded: boolean): boolean {
  const mode = initializeSchema ?? 'embedded';
  if (mode !== 'embedded' && mode !== 'always' && mode !== 'never')
    throw invalidArgument('initializeSchema', "must be 'embedded', 'always' or 'never'");
  return mode === 'always' || (mode === 'embedded' && isEmbedded);
}
