import { bytesResource, type DocumentReader, type Resource } from '@vernal/core';
import { PagePdfDocumentReader, ParagraphPdfDocumentReader, type PdfLimits, PdfWorkerPool } from '@vernal/readers-pdf';
import { describeReader, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { lines, pageObject, pdf } from './pdf-builder.js';

const pool = new PdfWorkerPool();
vitest.afterAll(() => pool.close());

const bytes = pdf({
  pages: [lines(['Roses are', 'red.'], 20, 300), lines(['Tulips are', 'dear.'], 20, 300)],
  objects: {
    1000: '<< /Type /Outlines /First 1001 0 R /Last 1002 0 R >>',
    1001: `<< /Title (Roses) /Parent 1000 0 R /Next 1002 0 R /Dest [ ${pageObject(1)} 0 R /Fit ] >>`,
    1002: `<< /Title (Tulips) /Parent 1000 0 R /Dest [ ${pageObject(2)} 0 R /Fit ] >>`,
  },
  catalog: '/Outlines 1000 0 R',
});

const readers: readonly [string, (resource: Resource, limits?: PdfLimits) => DocumentReader][] = [
  ['PagePdfDocumentReader', (resource, limits) => new PagePdfDocumentReader(resource, { worker: pool, limits })],
  [
    'PagePdfDocumentReader in this thread',
    (resource, limits) => new PagePdfDocumentReader(resource, { worker: false, limits }),
  ],
  [
    'PagePdfDocumentReader, as the page stands',
    (resource, limits) => new PagePdfDocumentReader(resource, { worker: pool, layout: 'physical', limits }),
  ],
  [
    'ParagraphPdfDocumentReader',
    (resource, limits) => new ParagraphPdfDocumentReader(resource, { worker: pool, limits }),
  ],
];

for (const [name, create] of readers) {
  describeReader(name, (resource) => ({ subject: create(resource) }), {
    runner: vitestRunner(vitest),
    limited: (resource) => ({ subject: create(resource, { maxFileBytes: 10_000 }) }),
    samples: [
      {
        name: 'two pages',
        resource: bytesResource(bytes, { filename: 'flowers.pdf' }),
        text: ['Roses are', 'red.', 'Tulips are', 'dear.'],
        documents: 2,
        metadata: { source: 'flowers.pdf', total_pages: 2 },
      },
    ],
    hostile: [
      { name: 'nothing', resource: bytesResource('') },
      { name: 'a text', resource: bytesResource('Roses are red.') },
      { name: 'half a file', resource: bytesResource(bytes.slice(0, bytes.length / 2)) },
      { name: 'a file without its end', resource: bytesResource(bytes.slice(0, -60)) },
      { name: 'a file without its beginning', resource: bytesResource(bytes.slice(200)) },
      { name: 'a picture', resource: bytesResource(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0])) },
    ],
  });
}
