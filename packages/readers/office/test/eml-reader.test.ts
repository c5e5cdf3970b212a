import { bytesResource, type Document, type Resource, type VernalError } from '@vernal/core';
import { CsvReader, EmlReader, type EmlReaderOptions, XlsxReader } from '@vernal/readers-office';
import { describe, expect, it } from 'vitest';
import { failure } from './support/failure.js';

const crlf = (lines: readonly string[]): string => lines.join('\r\n');
const read = (mail: string | Uint8Array, options?: EmlReaderOptions): Promise<Document[]> =>
  new EmlReader(bytesResource(mail, { filename: 'a.eml' }), options).read();
const HTML =
  '<html><head><title>T</title><style>p{}</style></head><body><h1>Order</h1><p>Dear&nbsp;<b>Ada</b>,<br>see <a href="https://s.invalid/1">it</a>.</p>' +
  '<table><tr><td><table><tr><th>Item</th><th>n</th></tr><tr><td>Rose</td><td>2</td></tr></table></td></tr></table>' +
  '<ul><li>one<ol start="3"><li>sub</li></ol></li><li><p>two</p><p>more</p></li></ul><div style="display:none">HIDDEN</div><pre> a\n  b</pre></body></html>';

const mixed = crlf([
  'From: =?utf-8?q?Ada_Gr=C3=BCn?= <ada@x.invalid>',
  'To: a@b.invalid, Team: c@d.invalid, "E, F" <e@f.invalid>;',
  'Cc: g@h.invalid',
  'Subject: =?iso-8859-1?q?Gr=FC=DFe?=',
  ' and more',
  'Date: Wed, 1 May 2024 10:00:00 +0200',
  'Message-ID: <1@x.invalid>',
  'In-Reply-To: <0@x.invalid>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: multipart/alternative; boundary=c',
  '',
  '--c',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe,',
  'a long=',
  ' line',
  '--c',
  'Content-Type: text/html',
  '',
  '<p>HTML</p>',
  '--c--',
  '--b',
  'Content-Type: text/csv',
  'Content-Disposition: attachment; filename="../../prices.csv"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('a,b\n1,2\n').toString('base64'),
  '--b',
  'Content-Type: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet; name=broken.xlsx',
  'Content-Disposition: attachment',
  '',
  'this is no workbook',
  '--b',
  'Content-Type: message/rfc822',
  '',
  'From: x@y.invalid',
  'Subject: Inner',
  '',
  'inner body',
  '--b--',
  '',
]);

describe('EmlReader', () => {
  it('makes a document of the text, with the headers as metadata', async () => {
    const documents = await read(mixed);
    expect(documents.map((one) => [one.text, one.metadata])).toEqual([
      [
        'Grüße,\na long line',
        {
          source: 'a.eml',
          mime_type: 'message/rfc822',
          unit: 'message',
          title: 'Grüße and more',
          from: 'Ada Grün <ada@x.invalid>',
          to: ['a@b.invalid', 'c@d.invalid', 'E, F <e@f.invalid>'],
          cc: ['g@h.invalid'],
          date: '2024-05-01T08:00:00.000Z',
          message_id: '<1@x.invalid>',
          in_reply_to: '<0@x.invalid>',
          attachments: [
            { name: 'prices.csv', mime_type: 'text/csv', size: 8 },
            {
              name: 'broken.xlsx',
              mime_type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
              size: expect.any(Number),
            },
            { name: 'attachment-3.eml', mime_type: 'message/rfc822', size: expect.any(Number) },
          ],
        },
      ],
    ]);
  });

  it('reads what is attached with the readers that it is given', async () => {
    const attachments = (file: Resource) => {
      if (file.mimeType === 'text/csv') return new CsvReader(file);
      return file.mimeType === 'message/rfc822' ? new EmlReader(file) : undefined;
    };
    const documents = await read(mixed, { attachments, metadata: { tenant: 1 } });
    expect(
      documents.map(({ text, metadata }) => [
        text,
        metadata['source'],
        metadata['unit'],
        metadata['attachment_of'],
        metadata['tenant'],
      ]),
    ).toEqual([
      ['Grüße,\na long line', 'a.eml', 'message', undefined, 1],
      ['a: 1\nb: 2', 'a.eml#prices.csv', 'rows', 'a.eml', 1],
      ['inner body', 'a.eml#attachment-3.eml', 'message', 'a.eml', 1],
    ]);
    expect(new Set(documents.map(({ id }) => id)).size).toBe(3);
  });

  it('fails at an attachment that cannot be read, or leaves it out and tells of it', async () => {
    const attachments = (file: Resource) =>
      file.filename === 'broken.xlsx' ? new XlsxReader(file) : new EmlReader(file);
    expect((await failure(read(mixed, { attachments }))).subject).toBe('prices.csv');
    const told: [string | undefined, VernalError['code']][] = [];
    const documents = await read(mixed, {
      attachments,
      onBadAttachment: (error, file) => void told.push([file.filename, error.code]),
    });
    expect(documents.map(({ text }) => text)).toEqual(['Grüße,\na long line', 'inner body']);
    expect(told).toEqual([
      ['prices.csv', 'resource'],
      ['broken.xlsx', 'resource'],
    ]);
  });

  it('takes the text of HTML where there is no other', async () => {
    const mail = crlf(['From: a@b.invalid', 'Content-Type: text/html; charset=utf-8', '', HTML]);
    const expected = 'Order\n\nDear Ada,\nsee it.\n\nItem | n\nRose | 2\n\n- one\n  3. sub\n- two\n  more\n\na\n  b';
    expect((await read(mail))[0]?.text).toBe(expected);
    expect((await read(mail, { includeLinkUrls: true }))[0]?.text).toBe(
      expected.replace('see it', 'see it (https://s.invalid/1)'),
    );
  });

  it.each([
    ['a mail of its subject alone', 'Subject: Only this\r\n\r\n', ['Only this']],
    ['a mail without line ends of mail', 'From: a@b.invalid\n\nbody\n', ['body']],
    ['a mail that is cut off', `${mixed.slice(0, 560)}`, [expect.any(String)]],
    ['a mail of headers alone', 'From: a@b.invalid\r\n\r\n', []],
    ['a charset that nobody knows', 'From: a@b.invalid\nContent-Type: text/plain; charset=klingon\n\nbody', ['body']],
  ])('reads %s', async (_, mail, expected) => {
    expect((await read(mail)).map(({ text }) => text)).toEqual(expected);
  });

  it('says that a file is no mail, or one of endless parts', async () => {
    expect((await failure(read('Dear diary\n\nbody'))).details).toEqual({ reason: 'wrong_type' });
    expect((await failure(read(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1])))).details['reason']).toBe('wrong_type');
    expect((await failure(read(''))).details['reason']).toBe('empty');
    const nested = `From: a@b.invalid\nContent-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: multipart/mixed; boundary=b\n\n'.repeat(400)}`;
    expect((await failure(read(nested))).details['reason']).toBe('damaged');
    const headers = 'X-A: b\n'.repeat(500_000);
    const error = await failure(read(`From: a@b.invalid\n${headers}\nSECRET`));
    expect([error.details['reason'], String(error.cause)]).toEqual(['damaged', 'undefined']);
  });

  it('survives HTML that never closes, and that is deeper than it may be', async () => {
    const html = (body: string): string => `From: a@b.invalid\nContent-Type: text/html\n\n${body}`;
    for (const body of [
      '<p>x'.repeat(20_000),
      '<td>x'.repeat(20_000),
      '<li><ul>'.repeat(2_000),
      '<!--'.repeat(20_000),
      '<a href="'.repeat(20_000),
      '<table><tr><td>x'.repeat(1_000),
    ])
      expect((await read(html(body))).length).toBeLessThanOrEqual(1);
    expect((await failure(read(html('<b>'.repeat(10_000))))).details['limit']).toBe('maxDepth');
  });

  it('refuses bad options, at construction', () => {
    const options = { attachments: true } as unknown as EmlReaderOptions;
    expect(() => new EmlReader(bytesResource(''), options)).toThrow(
      expect.objectContaining({ subject: 'attachments' }),
    );
  });
});
