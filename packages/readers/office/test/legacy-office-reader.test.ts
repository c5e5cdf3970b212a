import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesResource, VernalError } from '@vernal/core';
import {
  DocxReader,
  type LegacyFile,
  LegacyOfficeReader,
  type LegacyOfficeReaderOptions,
} from '@vernal/readers-office';
import { describe, expect, it } from 'vitest';
import { failure } from './support/failure.js';
import { fixture, fixtureBytes } from './support/fixture.js';
import { ole } from './support/ole.js';

const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0;

/** As the README shows it. */
async function withLibreOffice({ format, bytes }: LegacyFile): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'vernal-legacy-'));
  try {
    writeFileSync(join(folder, `old.${format}`), bytes);
    spawnSync('soffice', [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      '--convert-to',
      `${format}x`,
      '--outdir',
      folder,
      join(folder, `old.${format}`),
    ]);
    return new Uint8Array(readFileSync(join(folder, `old.${format}x`)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('LegacyOfficeReader', () => {
  it.each([
    ['garden.doc', fixtureBytes('garden.doc'), 'doc', 'application/msword'],
    ['prices.xls', fixtureBytes('prices.xls'), 'xls', 'application/vnd.ms-excel'],
    ['talk.ppt', ole('PowerPoint Document'), 'ppt', 'application/vnd.ms-powerpoint'],
  ])('names the conversion of %s', async (filename, bytes, format, type) => {
    const error = await failure(new LegacyOfficeReader(bytesResource(bytes, { filename })).read());
    expect([error.code, error.subject, error.details]).toEqual([
      'resource',
      filename,
      { reason: 'unsupported_format', mime_type: type },
    ]);
    expect(error.message).toContain(`--convert-to ${format}x`);
  });

  it('reads what a converter makes of it, under its own name', async () => {
    const asked: [LegacyFile['format'], string | undefined, number][] = [];
    const convert: LegacyOfficeReaderOptions['convert'] = async ({ format, filename, bytes }) => {
      asked.push([format, filename, bytes.length]);
      return fixtureBytes('garden.docx');
    };
    const documents = await new LegacyOfficeReader(fixture('garden.doc'), { convert, metadata: { tenant: 1 } }).read();
    const expected = await new DocxReader(fixture('garden.docx')).read();
    expect(documents.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
    expect(documents[1]?.metadata).toMatchObject({
      source: 'garden.doc',
      mime_type: 'application/msword',
      title: 'Roses',
      tenant: 1,
    });
    expect(asked).toEqual([['doc', 'garden.doc', fixtureBytes('garden.doc').length]]);
  });

  it.skipIf(!hasLibreOffice)(
    'reads old files by way of LibreOffice (skipped where it is not installed)',
    { timeout: 240_000 },
    async () => {
      const doc = await new LegacyOfficeReader(fixture('garden.doc'), { convert: withLibreOffice }).read();
      expect(doc.map(({ metadata }) => metadata['headings'])).toEqual([
        undefined,
        ['Roses'],
        ['Roses', 'Prices'],
        ['Tulips'],
        ['Empty'],
      ]);
    },
  );

  it('says what else it cannot read, and lets the error of a converter through', async () => {
    const reason = async (bytes: Uint8Array) =>
      (await failure(new LegacyOfficeReader(bytesResource(bytes)).read())).details['reason'];
    expect(await reason(new Uint8Array(0))).toBe('empty');
    expect(await reason(fixtureBytes('garden.docx'))).toBe('wrong_type');
    expect(await reason(ole('EncryptedPackage'))).toBe('encrypted');
    const broken = new VernalError('The converter is down', { code: 'resource' });
    const convert = async () => {
      throw broken;
    };
    expect(await failure(new LegacyOfficeReader(fixture('garden.doc'), { convert }).read())).toBe(broken);
    expect(
      (await failure(new LegacyOfficeReader(fixture('garden.doc'), { convert: async () => new Uint8Array(9) }).read()))
        .details['reason'],
    ).toBe('wrong_type');
    const options = { convert: 'soffice' } as unknown as LegacyOfficeReaderOptions;
    expect(() => new LegacyOfficeReader(fixture('garden.doc'), options)).toThrow(
      expect.objectContaining({ subject: 'convert' }),
    );
  });

  it('honours the signal', async () => {
    const controller = new AbortController();
    const convert = async () => {
      controller.abort();
      return fixtureBytes('garden.docx');
    };
    const reader = new LegacyOfficeReader(fixture('garden.doc'), { convert });
    expect((await failure(reader.read({ signal: controller.signal }))).code).toBe('aborted');
  });
});
