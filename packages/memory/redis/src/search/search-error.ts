import { VernalError } from '@vernal/core';

/** What the query engine refused, where it has a fix of its own; else what was thrown. Its words stay out: they quote the query. */
export function searchError(thrown: unknown): unknown {
  const message = thrown instanceof Error && !VernalError.is(thrown) ? thrown.message : '';
  if (/unknown command ['`]?FT\./i.test(message)) {
    return new VernalError(
      'The server has no query engine: use Redis 8, Redis Stack, or load the module search 2.10 or later; everything but searching works without',
      { code: 'unsupported_capability', subject: 'search' },
    );
  }
  if (/no such index|unknown index name|index not found/i.test(message)) {
    return new VernalError("The index does not exist: set initializeSchema to 'always', which makes it", {
      code: 'store_read',
      subject: 'indexName',
    });
  }
  if (/syntax error|unknown field|unknown property|no such parameter|invalid|expected/i.test(message)) {
    return new VernalError(
      'The query engine does not understand the query: see its language, and the fields that the README names; values belong into params',
      { code: 'invalid_argument', subject: 'query' },
    );
  }
  return thrown;
}

/** Of what `searchError` gives. */
export function isMissingIndex({ code, subject }: VernalError): boolean {
  return code === 'store_read' && subject === 'indexName';
}
