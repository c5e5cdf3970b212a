import { bytesResource, type DocumentReader, type Resource, type VernalError } from '@vernal/core';
import {
  AnyReader,
  CsvReader,
  DocxReader,
  EmlReader,
  OdpReader,
  OdsReader,
  OdtReader,
  type OfficeLimits,
  PptxReader,
  RtfReader,
  XlsxReader,
} from '@vernal/readers-office';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { docx, docxEntries, p } from './support/docx.js';
import { failure } from './support/failure.js';
import { fixtureBytes } from './support/fixture.js';
import { packedSpaces, rawZip } from './support/raw-zip.js';
import { xlsx } from './support/xlsx.js';
import { findSignature, zip } from './support/zip.js';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const reader = (bytes: Uint8Array, limits?: OfficeLimits): DocumentReader =>
  new DocxReader(bytesResource(bytes, { filename: 'a.docx' }), { limits });
const fault = async (
  bytes: Uint8Array,
  limits?: OfficeLimits,
): Promise<[string, string | undefined, unknown, unknown]> => {
  const error = await failure(reader(bytes, limits).read());
  return [error.code, error.subject, error.details['reason'], error.details['part'] ?? error.details['limit']];
};
const withDocument = (document: string): Uint8Array => zip(docxEntries(document));
const patched = (bytes: Uint8Array, change: (view: DataView, copy: Uint8Array) => void): Uint8Array => {
  const copy = bytes.slice();
  change(new DataView(copy.buffer), copy);
  return copy;
};

describe('what is no archive, or a broken one', () => {
  it('is a typed error with the name of the file', async () => {
    expect(await fault(new Uint8Array(0))).toEqual(['resource', 'a.docx', 'empty', undefined]);
    expect(await fault(new TextEncoder().encode('Hello'))).toEqual(['resource', 'a.docx', 'wrong_type', undefined]);
    expect(await fault(docx(p('a')).subarray(0, 400))).toEqual(['resource', 'a.docx', 'damaged', undefined]);
    expect(await fault(zip({ 'a.txt': 'x' }))).toEqual(['resource', 'a.docx', 'wrong_type', undefined]);
    expect(await fault(withDocument('<html><body/></html>'))).toEqual(['resource', 'a.docx', 'wrong_type', undefined]);
  });

  it('may lack any end: documents or a typed error, at every length', async () => {
    const whole = docx(p('a'));
    for (let length = 0; length < whole.length; length += 7)
      await reader(whole.subarray(0, length)).read().catch(mustBeTyped);
  });

  it('is found by its checksum', async () => {
    const stored = zip(docxEntries(`<w:document ${W}><w:body>${p('SECRETWORD')}</w:body></w:document>`), 0);
    const at = Buffer.from(stored).indexOf('SECRETWORD');
    const error = await failure(reader(patched(stored, (_, copy) => copy.set([88], at))).read());
    expect([error.details['reason'], error.details['part']]).toEqual(['damaged', 'word/document.xml']);
    expect(error.message).not.toContain('ECRETWORD');
  });

  it('names the part that is missing, encrypted or packed by another method', async () => {
    const entries = docxEntries(`<w:document ${W}><w:body/></w:document>`);
    const bytes = zip(entries);
    let header = 0;
    for (let index = 0; index <= Object.keys(entries).indexOf('_rels/.rels'); index++)
      header = findSignature(bytes, 0x02014b50, header + 1);
    expect(await fault(patched(bytes, (view) => view.setUint16(header + 8, 1, true)))).toEqual([
      'resource',
      'a.docx',
      'encrypted',
      '_rels/.rels',
    ]);
    expect(await fault(patched(bytes, (view) => view.setUint16(header + 10, 12, true)))).toEqual([
      'resource',
      'a.docx',
      'unsupported_format',
      '_rels/.rels',
    ]);
  });

  it('may stand behind another file, as a program that unpacks itself does', async () => {
    const joined = Buffer.concat([Buffer.from('#!/bin/sh\n'), docx(p('inside'))]);
    expect((await reader(new Uint8Array(joined)).read())[0]?.text).toBe('inside');
  });
});

describe('limits', () => {
  it('stop a gigabyte of zeros after some megabytes', async () => {
    const bomb = rawZip([{ name: 'word/document.xml', packed: packedSpaces(`<w:document ${W}>`, 1_024) }]);
    expect(bomb.length).toBeLessThan(1_200_000);
    const before = process.memoryUsage().rss;
    for (const limits of [
      {},
      { maxRatio: 5_000, maxEntryBytes: 20_000_000 },
      { maxRatio: 5_000, maxUnpackedBytes: 20_000_000 },
    ])
      expect(await fault(bomb, limits)).toEqual(['resource', 'a.docx', 'too_large', 'word/document.xml']);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });

  it.each<[keyof OfficeLimits, OfficeLimits]>([
    ['maxFileBytes', { maxFileBytes: 100 }],
    ['maxEntries', { maxEntries: 3 }],
    ['maxEntryBytes', { maxEntryBytes: 200 }],
    ['maxUnpackedBytes', { maxUnpackedBytes: 900 }],
    ['maxDepth', { maxDepth: 4 }],
    ['maxTextLength', { maxTextLength: 99 }],
  ])('%s', async (name, limits) => {
    const error = await failure(reader(docx(p('x'.repeat(100))), limits).read());
    expect([error.code, error.details['reason'], error.details['limit'], error.details['most']]).toEqual([
      'resource',
      'too_large',
      name,
      limits[name],
    ]);
    expect(error.message).toContain(`limits.${name}`);
  });

  it('count what comes out, whatever the archive says', async () => {
    const document = `<w:document ${W}><w:body>${p('x'.repeat(6_000_000))}</w:body></w:document>`;
    const lying = patched(withDocument(document), (view, copy) => {
      for (let at = 0; at + 4 <= copy.length; at++)
        if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1, true);
    });
    expect(await fault(lying, { maxRatio: 50 })).toEqual(['resource', 'a.docx', 'too_large', 'word/document.xml']);
    expect((await reader(lying, { maxRatio: 5_000 }).read())[0]?.text).toHaveLength(6_000_000);
  });

  it('refuse entries that share their bytes', async () => {
    const bytes = zip({ a: 'x'.repeat(100), b: 'y'.repeat(100) });
    const first = findSignature(bytes, 0x02014b50);
    const second = findSignature(bytes, 0x02014b50, first + 1);
    const overlapping = patched(bytes, (view) => view.setUint32(second + 42, view.getUint32(first + 42, true), true));
    expect(await fault(overlapping)).toEqual(['resource', 'a.docx', 'damaged', undefined]);
  });

  it('are checked at construction', () => {
    for (const limits of [{ maxDepth: 0 }, { maxEntries: Number.NaN }, { maxRatio: '3' as unknown as number }]) {
      expect(() => reader(new Uint8Array(1), limits)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    }
    expect(() => new DocxReader('a.docx' as unknown as Resource)).toThrow(
      expect.objectContaining({ subject: 'resource' }),
    );
  });
});

describe('XML', () => {
  const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at || ''};`.repeat(10)}">`).join('')}]>`;

  it('may not declare anything', async () => {
    const bomb = withDocument(
      `<?xml version="1.0"?>${laughs}<w:document ${W}><w:body>${p('&lol9;')}</w:body></w:document>`,
    );
    expect(await fault(bomb)).toEqual(['resource', 'a.docx', 'unsafe_xml', 'word/document.xml']);
    const outside = withDocument(`<!DOCTYPE x SYSTEM "file:///etc/passwd"><w:document ${W}><w:body/></w:document>`);
    expect(await fault(outside)).toEqual(['resource', 'a.docx', 'unsafe_xml', 'word/document.xml']);
  });

  it('keeps references that nobody declared as they are', async () => {
    const [found] = await reader(
      withDocument(`<w:document ${W}><w:body>${p('a &unknown; b')}</w:body></w:document>`),
    ).read();
    expect(found?.text).toBe('a &unknown; b');
  });

  it('may be deep, but not endlessly', async () => {
    const nested = (depth: number): Uint8Array => docx('<w:sdt>'.repeat(depth) + p('deep') + '</w:sdt>'.repeat(depth));
    expect((await reader(nested(400)).read())[0]?.text).toBe('deep');
    expect(await fault(nested(10_000))).toEqual(['resource', 'a.docx', 'too_large', 'word/document.xml']);
    expect((await reader(nested(10_000), { maxDepth: 20_000 }).read())[0]?.text).toBe('deep');
  });

  it.each([
    ['an element that is not closed', `<w:document ${W}><w:body><w:p></w:body></w:document>`],
    ['an end that is missing', `<w:document ${W}><w:body>`],
    ['two roots', `<w:document ${W}/><w:document ${W}/>`],
  ])('says where it is broken: %s', async (_, document) => {
    const error = await failure(reader(withDocument(document)).read());
    expect([error.details['reason'], error.details['part'], typeof error.details['offset']]).toEqual([
      'damaged',
      'word/document.xml',
      'number',
    ]);
  });

  it('may have any prefix, and none', async () => {
    const uri = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
    const own = withDocument(
      `<ns0:document xmlns:ns0="${uri}"><ns0:body><ns0:p><ns0:pPr><ns0:outlineLvl ns0:val="1"/></ns0:pPr><ns0:r><ns0:t>A</ns0:t></ns0:r></ns0:p></ns0:body></ns0:document>`,
    );
    const none = withDocument(`<document xmlns="${uri}"><body><p><r><t>A</t></r></p></body></document>`);
    expect((await reader(own).read())[0]?.metadata['level']).toBe(2);
    expect((await reader(none).read())[0]?.text).toBe('A');
  });

  it('may be in UTF-16, and hold sections of characters', async () => {
    const text = `\ufeff<?xml version="1.0" encoding="UTF-16"?><w:document ${W}><w:body>${p('Grün <![CDATA[<b>]]>')}</w:body></w:document>`;
    const bytes = zip({ ...docxEntries(''), 'word/document.xml': new Uint8Array(Buffer.from(text, 'utf16le')) });
    expect((await reader(bytes).read())[0]?.text).toBe('Grün <b>');
  });

  it('stays linear where fields, tables and choices never end', async () => {
    const broken = ['<w:fldChar w:fldCharType="begin"/>', '<w:tbl/>', '<w:p/>', '<w:hyperlink/>', '<w:tc/><w:tr/>'].map(
      (one) => one.repeat(20_000),
    );
    for (const body of broken)
      expect((await reader(docx(`<w:p><w:r>${body}<w:t>x</w:t></w:r></w:p>`)).read()).length).toBeLessThanOrEqual(1);
  });
});

describe('time', () => {
  const many = 300_000;
  const part = (content: string): Uint8Array => docx(`<w:p><w:r>${content}<w:t>x</w:t></w:r></w:p>`);
  const page = (html: string): Uint8Array =>
    new TextEncoder().encode(`From: a@b.invalid\nContent-Type: text/html\n\n${html}`);
  const noRatio = { limits: { maxRatio: 5_000 } };

  it.each<[string, () => DocumentReader]>([
    ['tabs', () => new DocxReader(bytesResource(part('<w:tab/>'.repeat(many))), noRatio)],
    ['spaces', () => new DocxReader(bytesResource(part(`<w:t>${' '.repeat(many)}</w:t>`)), noRatio)],
    [
      'fields that never end',
      () =>
        new DocxReader(
          bytesResource(part('<w:fldChar w:fldCharType="begin"/><w:t>a</w:t>'.repeat(many / 10))),
          noRatio,
        ),
    ],
    ['spaces between tags', () => new EmlReader(bytesResource(page(`${'<b> </b>'.repeat(many)}x`)))],
    ['spaces in a cell', () => new CsvReader(bytesResource(`a,b\n1,x${' '.repeat(many)}x\n`))],
    [
      'merged areas that are none',
      () => new XlsxReader(bytesResource(xlsx([{ name: 'S', rows: `<!--${'<mergeCell '.repeat(many)}-->` }])), noRatio),
    ],
    [
      'spaces in a cell of a sheet',
      () =>
        new XlsxReader(
          bytesResource(xlsx([{ name: 'S', rows: `<row><c t="str"><v>x${' '.repeat(many)}x</v></c></row>` }])),
          noRatio,
        ),
    ],
    ['comments before nothing', () => new AnyReader(bytesResource('<!---->'.repeat(1_000)))],
    ['brackets', () => new AnyReader(bytesResource(`{"a":${'['.repeat(many)}`), { readers: [] })],
    ['groups of RTF', () => new RtfReader(bytesResource(`{\\rtf1 ${'{\\b x}'.repeat(many)}}`))],
    ['spaces of RTF', () => new RtfReader(bytesResource(`{\\rtf1 x${' '.repeat(many)}x}`))],
  ])('is as long as the file is: %s', async (_, make) => {
    await make().read().catch(mustBeTyped);
  });

  it('is not spent on attributes and columns without end', async () => {
    const attributes = Array.from({ length: 20_000 }, (__, at) => `a${at}=""`).join(' ');
    expect(await fault(docx(`<w:p ${attributes}/>`))).toEqual(['resource', 'a.docx', 'damaged', 'word/document.xml']);
    const row =
      '<w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999"/></w:tcPr><w:p/></w:tc><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr>';
    expect(
      (await reader(docx(`<w:tbl>${row.repeat(1_000)}</w:tbl>`), { maxRatio: 5_000 }).read())[0]?.text?.length,
    ).toBeLessThan(300_000);
  });

  it('and memory are not spent on one long text that stands in every row', async () => {
    const long = 'x'.repeat(1_000_000);
    const cell = (merge: string, content: string): string =>
      `<w:tc><w:tcPr><w:vMerge${merge}/></w:tcPr>${content}</w:tc>`;
    const rows = `<w:tr>${cell(' w:val="restart"', p(long))}</w:tr>${`<w:tr>${cell('', '<w:p/>')}${'<w:tc/>'}</w:tr>`.repeat(5_000)}`;
    for (const body of [`<w:tbl>${rows}</w:tbl>`, `<w:tbl><w:tr><w:tc><w:tbl>${rows}</w:tbl></w:tc></w:tr></w:tbl>`])
      expect(await fault(docx(body), { maxRatio: 5_000 })).toEqual([
        'resource',
        'a.docx',
        'too_large',
        'maxTextLength',
      ]);
  });
});

describe('a file of any kind', () => {
  it.each<[string, (resource: Resource) => DocumentReader]>([
    ['garden.docx', (file) => new DocxReader(file)],
    ['talk.pptx', (file) => new PptxReader(file)],
    ['prices.xlsx', (file) => new XlsxReader(file)],
    ['garden.odt', (file) => new OdtReader(file)],
    ['talk.odp', (file) => new OdpReader(file)],
    ['prices.ods', (file) => new OdsReader(file)],
    ['garden.rtf', (file) => new RtfReader(file)],
    ['garden.doc', (file) => new AnyReader(file)],
  ])('gives documents or a typed error, cut off or changed anywhere: %s', async (name, make) => {
    const whole = fixtureBytes(name);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, isCut) => {
        const changed = isCut ? whole.subarray(0, at) : patched(whole, (_, copy) => copy.set([byte], at));
        await make(bytesResource(changed, { filename: name }))
          .read()
          .catch(mustBeTyped);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a reading', () => {
  const long = docx(
    Array.from(
      { length: 60_000 },
      (_, at) => `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Heading ${at}</w:t></w:r></w:p>`,
    ).join(''),
  );

  it('can be left early, and aborted in the middle', async () => {
    const all = reader(long, { maxRatio: 5_000 });
    for await (const first of all.stream()) {
      expect(first.text).toBe('Heading 0');
      break;
    }
    const controller = new AbortController();
    let read = 0;
    const error = await failure(
      (async () => {
        for await (const _ of all.stream({ signal: controller.signal })) if (++read === 10) controller.abort();
      })(),
    );
    expect([error.code, read]).toEqual(['aborted', 10]);
  });

  it('lets a timer abort it', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1);
    expect((await failure(reader(long, { maxRatio: 5_000 }).read({ signal: controller.signal }))).code).toBe('aborted');
  });

  it('has nothing to do with another at the same time', async () => {
    const one = reader(docx(p('a'.repeat(60))), { maxTextLength: 100 });
    const [first, second] = await Promise.all([one.read(), one.read()]);
    expect(first).toEqual(second);
  });

  it('leaves a file that is too large without reading it to its end', async () => {
    let given = 0;
    let closed = 0;
    const endless: Resource = {
      filename: 'endless.docx',
      bytes: async () => new Uint8Array(0),
      async *stream() {
        try {
          for (;;) {
            given++;
            yield new Uint8Array(1_000);
          }
        } finally {
          closed++;
        }
      },
    };
    const error = await failure(new DocxReader(endless, { limits: { maxFileBytes: 10_000 } }).read());
    expect([error.details['limit'], given, closed]).toEqual(['maxFileBytes', 11, 1]);
  });
});

function mustBeTyped(error: VernalError): void {
  if (error.code === undefined) throw error;
}
