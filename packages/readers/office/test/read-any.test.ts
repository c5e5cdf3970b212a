import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  bytesResource,
  type Document,
  type DocumentReader,
  document,
  type Resource,
  type VernalError,
} from '@vernal/core';
import { AnyReader, type ReadAnyInput, type ReadAnyOptions, readAny } from '@vernal/readers-office';
import { describe, expect, it } from 'vitest';
import { docx, heading, p } from './support/docx.js';
import { epub } from './support/epub.js';
import { failure } from './support/failure.js';
import { fixture, fixtureBytes } from './support/fixture.js';
import { ole } from './support/ole.js';

async function all(input: ReadAnyInput | readonly ReadAnyInput[], options?: ReadAnyOptions): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const one of readAny(input, options)) documents.push(one);
  return documents;
}
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
/** A reader of another package: it tells what it was given. */
const telling = (resource: Resource): DocumentReader => {
  const read = async () => [
    document(new TextDecoder().decode(await resource.bytes()), {
      type: resource.mimeType ?? '',
      source: resource.uri ?? resource.filename ?? '',
    }),
  ];
  return {
    read,
    stream: async function* () {
      yield* await read();
    },
  };
};

async function served<T>(listener: RequestListener, run: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const url = { allowPrivateAddresses: true };

describe('readAny', () => {
  it.each<[string, Uint8Array, string]>([
    ['Word', fixtureBytes('garden.docx'), 'Before any heading.'],
    ['PowerPoint', fixtureBytes('talk.pptx'), 'Roses'],
    ['Excel', fixtureBytes('prices.xlsx'), 'Region\tFlower'],
    ['OpenDocument texts', fixtureBytes('garden.odt'), 'Before any heading.'],
    ['OpenDocument slides', fixtureBytes('talk.odp'), 'Roses'],
    ['OpenDocument sheets', fixtureBytes('prices.ods'), 'Region\tFlower'],
    ['RTF', fixtureBytes('garden.rtf'), 'Before any heading.'],
    ['EPUB', epub({ chapters: { 'a.xhtml': '<p>chapter</p>' } }), 'chapter'],
    ['mail', utf8('From: a@b.invalid\nSubject: x\n\nbody'), 'body'],
    ['CSV', utf8('a,b\n1,2\n3,4\n'), 'a: 1\nb: 2'],
    ['text', utf8('Just text.'), 'Just text.'],
  ])('reads %s whatever it is called', async (_, bytes, beginning) => {
    for (const filename of ['a', 'a.pdf']) {
      const [first] = await all(bytes, { filename });
      expect(first?.text?.startsWith(beginning)).toBe(true);
      expect(first?.metadata['source']).toBe(filename);
    }
  });

  it('takes resources, and paths where it is told how to open them', async () => {
    const opened: (string | URL)[] = [];
    const file = (path: string | URL): Resource => {
      opened.push(path);
      return fixture('garden.docx');
    };
    expect(await all(fixture('garden.docx'))).toHaveLength(5);
    expect(await all(['notes/a.docx', 'file:///a.docx', new URL('file:///b.docx')], { file })).toHaveLength(15);
    expect(opened.map(String)).toEqual(['notes/a.docx', 'file:///a.docx', 'file:///b.docx']);
    const error = await failure(all('a.docx'));
    expect([error.code, error.message]).toEqual(['invalid_argument', expect.stringContaining('fileResource')]);
    expect((await failure(all(7 as unknown as string))).subject).toBe('input');
  });

  it('hands what it does not read itself to the readers that it is given, the first that fits', async () => {
    const readers = [
      { mimeTypes: ['application/pdf'], open: async (file: Resource) => telling(file) },
      { mimeTypes: ['text/*'], open: telling },
    ];
    const options = { readers, metadata: { tenant: 1 } };
    const told = async (text: string, resource: object = {}) =>
      (await all(bytesResource(text, resource), options)).map(({ text: found, metadata }) => [
        found,
        metadata['type'],
        metadata['tenant'],
      ]);
    expect(await told('%PDF-1.7')).toEqual([['%PDF-1.7', 'application/pdf', 1]]);
    expect(await told('<!doctype html>x', { mimeType: 'text/plain; charset=koi8-r' })).toEqual([
      ['<!doctype html>x', 'text/html; charset=koi8-r', 1],
    ]);
    expect(await told('a,b\n1,2\n3,4')).toEqual([['a,b\n1,2\n3,4', 'text/csv', 1]]);
    expect((await all(docx(p('own')), options))[0]?.text).toBe('own');
  });

  it.each<[string, string | Uint8Array, string, string]>([
    ['PDF', '%PDF-1.7', 'application/pdf', '@vernal/readers-pdf'],
    ['HTML', '<html>', 'text/html', '@vernal/readers-html'],
    ['Markdown', '# A\n', 'text/markdown', '@vernal/readers-markdown'],
    ['JSON', '{"a":1}', 'application/json', '@vernal/etl'],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47]), 'image/png', 'readers'],
    ['an archive', ole('x'), 'application/x-ole-storage', 'readers'],
  ])('says which reader is wanting for %s', async (_, content, type, name) => {
    const error = await failure(all(bytesResource(content, { filename: 'a' })));
    expect([error.code, error.subject, error.details]).toEqual([
      'resource',
      'a',
      { reason: 'unsupported_format', mime_type: type },
    ]);
    expect(error.message).toContain(name);
  });

  it('says what it cannot read', async () => {
    const reason = async (bytes: Uint8Array) => (await failure(all(bytes))).details['reason'];
    expect(await reason(new Uint8Array(0))).toBe('empty');
    expect(await reason(new Uint8Array([0, 1, 2]))).toBe('unsupported_format');
    expect(await reason(docx(p('a')).subarray(0, 300))).toBe('damaged');
    expect(await reason(ole('EncryptedPackage'))).toBe('encrypted');
    expect(await reason(fixtureBytes('garden.doc'))).toBe('unsupported_format');
    expect((await failure(all(docx(p('a')), { limits: { maxFileBytes: 9 } }))).details['limit']).toBe('maxFileBytes');
  });

  it('goes on with other files, and tells of those that it cannot read', async () => {
    const told: [string | undefined, ReadAnyInput][] = [];
    const bad = bytesResource(docx(p('a')).subarray(0, 300), { filename: 'bad.docx' });
    const inputs = [bytesResource('one'), bad, 'a/path', bytesResource('two')];
    const documents = await all(inputs, {
      onError: (error: VernalError, input) => void told.push([error.subject, input]),
    });
    expect(documents.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(told).toEqual([
      ['bad.docx', bad],
      ['input', 'a/path'],
    ]);
    expect((await failure(all(inputs))).subject).toBe('bad.docx');
  });

  it('reads nothing before it is asked, and ends where the caller does', async () => {
    let begun = 0;
    let ended = 0;
    const lazy: Resource = {
      bytes: async () => utf8('a,b\n1,2\n3,4\n'),
      async *stream() {
        begun++;
        try {
          for (;;) yield utf8('a,b\n1,2\n3,4\n');
        } finally {
          ended++;
        }
      },
    };
    const stream = readAny([lazy, lazy]);
    expect(begun).toBe(0);
    for await (const one of stream) {
      expect(one.text).toBe('a: 1\nb: 2');
      break;
    }
    // Its beginning, and then its rows.
    expect([begun, ended]).toEqual([2, 2]);
  });

  it('honours the signal, whatever onError says', async () => {
    const controller = new AbortController();
    const run = async () => {
      for await (const _ of readAny([docx(heading(1, 'A') + heading(1, 'B')), docx(p('c'))], {
        signal: controller.signal,
        onError: () => {},
      }))
        controller.abort();
    };
    expect((await failure(run())).code).toBe('aborted');
    expect((await failure(all(utf8('x'), { signal: AbortSignal.abort() }))).code).toBe('aborted');
  });

  it('reads what is attached to a mail, when asked to', async () => {
    const mail = (parts: readonly string[]): Uint8Array =>
      utf8(
        [
          'From: a@b.invalid',
          'Subject: s',
          'Content-Type: multipart/mixed; boundary=q',
          '',
          ...parts.flatMap((part) => ['--q', part]),
          '--q--',
          '',
        ].join('\r\n'),
      );
    const attached = (name: string, content: Uint8Array): string =>
      `Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}`;
    const text = 'Content-Type: text/plain\r\n\r\nbody';
    const file = mail([
      text,
      attached('a.bin', docx(p('in Word'))),
      attached('b.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47])),
      attached('c.txt', utf8('plain')),
    ]);
    expect((await all(file)).map((one) => one.text)).toEqual(['body']);
    const read = await all(file, { filename: 'm.eml', includeAttachments: true, metadata: { tenant: 1 } });
    expect(
      read.map((one) => [one.text, one.metadata['source'], one.metadata['attachment_of'], one.metadata['tenant']]),
    ).toEqual([
      ['body', 'm.eml', undefined, 1],
      ['in Word', 'm.eml#a.bin', 'm.eml', 1],
      ['plain', 'm.eml#c.txt', 'm.eml', 1],
    ]);
    const broken = mail([text, attached('a.docx', docx(p('x')).subarray(0, 200))]);
    expect((await failure(all(broken, { includeAttachments: true }))).subject).toBe('a.docx');
    expect(await all(broken, { includeAttachments: true, onBadAttachment: () => {} })).toHaveLength(1);
    const matryoshka = Array.from({ length: 9 }).reduce<Uint8Array>(
      (inner, _, at) => mail([`Content-Type: text/plain\r\n\r\nlevel ${at}`, attached('in.eml', inner)]),
      utf8('x'),
    );
    expect((await all(matryoshka, { includeAttachments: true })).map((one) => one.text)).toEqual([
      'level 8',
      'level 7',
      'level 6',
      'level 5',
      'level 4',
      'level 3',
    ]);
  });
});

describe('readAny: addresses', () => {
  it('fetches once, and takes the declared type for a hint', async () => {
    let requests = 0;
    const listener: RequestListener = (_, response) => {
      requests++;
      response.setHeader('content-type', 'text/csv; charset=windows-1252').end(Buffer.from('n\xfcmber', 'latin1'));
    };
    const documents = await served(listener, (host) => all(new URL(`${host}/data`), { url }));
    expect(documents.map(({ text, metadata }) => [text, metadata['mime_type']])).toEqual([['nümber', 'text/csv']]);
    expect(requests).toBe(1);
  });

  it('ends redirects that never end, and what is too large or too slow', async () => {
    const redirecting: RequestListener = (request, response) =>
      response.writeHead(302, { location: `${request.url}x` }).end();
    expect((await served(redirecting, (host) => failure(all(host, { url })))).message).toContain('redirects more than');
    const large: RequestListener = (_, response) => response.end('x'.repeat(100_000));
    expect(
      (await served(large, (host) => failure(all(host, { url: { ...url, maxBytes: 1_000 } })))).details['maxBytes'],
    ).toBe(1_000);
    const silent: RequestListener = (_, response) => void response.write('a');
    const late = await served(silent, (host) => failure(all(host, { url, urlTimeoutMs: 50 })));
    expect([late.code, late.retryable]).toEqual(['timeout', true]);
    const controller = new AbortController();
    const aborted = served(
      (_, response) => {
        response.write('a');
        controller.abort();
      },
      (host) => failure(all(host, { url, signal: controller.signal })),
    );
    expect((await aborted).code).toBe('aborted');
  });

  it('refuses private addresses, and lets other files go on', async () => {
    const told: string[] = [];
    const documents = await all(['http://127.0.0.1:9/a', bytesResource('ok')], {
      onError: (error) => void told.push(error.code),
    });
    expect([documents.map(({ text }) => text), told]).toEqual([['ok'], ['invalid_argument']]);
  });
});

describe('AnyReader', () => {
  it('refuses bad options, at construction', () => {
    for (const [subject, options] of [
      ['readers', { readers: [{ mimeTypes: 'text/html', open: telling }] }],
      ['urlTimeoutMs', { urlTimeoutMs: 0 }],
      ['limits.maxDepth', { limits: { maxDepth: -1 } }],
      ['maxDeep', { limits: { maxDeep: 9 } }],
      ['reader', { reader: [] }],
      ['options', null],
    ] as const)
      expect(() => new AnyReader(bytesResource(''), options as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject }),
      );
  });
});
