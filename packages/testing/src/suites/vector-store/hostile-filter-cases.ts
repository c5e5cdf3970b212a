import { filter } from '@vernal/vector-store';
import { checkEqual } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { StoreCase } from './store-case.js';
import type { StoreStage } from './store-stage.js';
import { doc } from './store-stage.js';

const DOCUMENTS = [
  doc('d1', { tenant: 'acme', note: "O'Brien" }),
  doc('d2', { tenant: 'evil', note: 'say "hi"' }),
  doc('d3', { tenant: 'acme', note: 'back\\slash' }),
  doc('d4', { tenant: 'evil', note: 'a%b_c*d?e' }),
];
/** Values that would be operators, or everything, if they were pasted into a query. None of them is a tenant. */
const INTRUDERS = [
  'x" || tenant == "evil',
  "x' OR '1'='1",
  "x') OR 1=1 --",
  '") or true or ("',
  'evil\\',
  '\\" OR 1=1 /*',
  '*',
  '%',
  '_cme',
  'acme\u0000',
  '{"$ne":null}',
  '@tenant:{evil}',
  'acme} | @tenant:{evil',
  'acme|evil',
  'a-b c.d,e',
  '’ OR 1=1',
  '',
  'Acme',
  'acme ',
] as const;

function needsEquality(stage: StoreStage): void {
  if (!stage.store.capabilities.filterOperators.includes('EQ')) notDeclared('EQ is not declared');
}

/** A filter is the wall between tenants. */
export const hostileFilterCases: readonly StoreCase[] = [
  {
    id: 'vs.hostile.tenants',
    title: "no value opens another tenant's documents",
    async run(stage) {
      needsEquality(stage);
      await stage.add(...DOCUMENTS);
      for (const value of INTRUDERS) {
        const what = `documents of the tenant ${JSON.stringify(value)}`;
        checkEqual(await stage.ids({ filterExpression: filter.eq('tenant', value) }), [], what);
        const key = `tenant" == 'acme' || "${value}`;
        checkEqual(await stage.ids({ filterExpression: filter.eq(key, 'acme') }), [], `documents by the key ${key}`);
      }
      for (const { id, metadata } of DOCUMENTS)
        checkEqual(
          await stage.ids({ filterExpression: filter.eq('note', String(metadata['note'])) }),
          [id],
          `note of ${id}`,
        );
    },
  },
  {
    id: 'vs.hostile.delete',
    title: "no value deletes another tenant's documents",
    async run(stage) {
      needsEquality(stage);
      if (!stage.store.capabilities.deleteByFilter) notDeclared('deleteByFilter is not declared');
      await stage.add(...DOCUMENTS);
      for (const value of INTRUDERS) await stage.store.delete({ filter: filter.eq('tenant', value) });
      await stage.store.delete([...INTRUDERS]);
      await stage.settle();
      checkEqual((await stage.ids()).length, DOCUMENTS.length, 'documents left');
      await stage.store.delete({ filter: filter.eq('note', 'a%b_c*d?e') });
      await stage.settle();
      checkEqual((await stage.ids()).toSorted(), ['d1', 'd2', 'd3'], 'documents after deleting one');
    },
  },
];
