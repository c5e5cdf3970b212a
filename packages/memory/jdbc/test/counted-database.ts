import type { SqlDatabase } from '@vernal/sql';

/** A database, and how many statements were sent and rows read and changed since the last call of `taken`. */
export function countedDatabase(database: SqlDatabase): { readonly database: SqlDatabase; taken(): number } {
  let count = 0;
  return {
    database: {
      dialect: database.dialect,
      isEmbedded: database.isEmbedded,
      async run(statements, context) {
        const results = await database.run(statements, context);
        count += statements.length;
        for (const [index, { rows, changes }] of results.entries()) {
          // MySQL counts a row twice that it had in mind to insert and then updates.
          const isOne = statements[index]?.text.includes('ON DUPLICATE KEY UPDATE');
          count += Math.max(rows.length, isOne ? Math.min(changes, 1) : changes);
        }
        return results;
      },
    },
    taken() {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}
