import { detectMimeType } from '@vernal/readers-office';
import { describe, expect, it } from 'vitest';
import { docx, p } from './support/docx.js';
import { epub } from './support/epub.js';
import { failure } from './support/failure.js';
import { fixtureBytes } from './support/fixture.js';
import { odf } from './support/odf.js';
import { ole } from './support/ole.js';
import { zip } from './support/zip.js';

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const OPEN = 'application/vnd.oasis.opendocument';
const OFFICE = 'application/vnd.openxmlformats-officedocument';

describe('detectMimeType', () => {
  it.each<[string, Uint8Array, string | undefined]>([
    ['Word', docx(p('a')), `${OFFICE}.wordprocessingml.document`],
    ['PowerPoint', fixtureBytes('talk.pptx'), `${OFFICE}.presentationml.presentation`],
    ['Excel', fixtureBytes('prices.xlsx'), `${OFFICE}.spreadsheetml.sheet`],
    [
      'Excel in its binary form',
      zip({
        '_rels/.rels':
          '<Relationships><Relationship Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
      }),
      'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    ],
    [
      'a file of Office whose part has another name',
      zip({
        '_rels/.rels': '<Relationships><Relationship Type="x/officeDocument" Target="a/b.xml"/></Relationships>',
        'a/b.xml': '<?xml version="1.0"?><!-- x --><x:workbook/>',
      }),
      `${OFFICE}.spreadsheetml.sheet`,
    ],
    ['OpenDocument texts', fixtureBytes('garden.odt'), `${OPEN}.text`],
    ['OpenDocument slides', fixtureBytes('talk.odp'), `${OPEN}.presentation`],
    ['OpenDocument sheets', fixtureBytes('prices.ods'), `${OPEN}.spreadsheet`],
    ['OpenDocument templates', odf('text-template', ''), `${OPEN}.text`],
    ['OpenDocument drawings', odf('graphics', ''), `${OPEN}.graphics`],
    ['EPUB', epub({ chapters: { 'a.xhtml': '' } }), 'application/epub+zip'],
    ['EPUB that does not say so', zip({ 'META-INF/container.xml': '<container/>' }), 'application/epub+zip'],
    ['another archive', zip({ 'a.txt': 'x' }), 'application/zip'],
    ['an archive of Office with nothing in it', zip({ '[Content_Types].xml': '<Types/>' }), 'application/zip'],
    ['old Word', fixtureBytes('garden.doc'), 'application/msword'],
    ['old Excel', fixtureBytes('prices.xls'), 'application/vnd.ms-excel'],
    ['old PowerPoint', ole('Current User', 'a', 'b', 'c', 'PowerPoint Document'), 'application/vnd.ms-powerpoint'],
    ['Outlook', ole('__nameid_version1.0'), 'application/vnd.ms-outlook'],
    ['another compound file', ole('x'), 'application/x-ole-storage'],
    ['a compound file that is cut off', ole('WordDocument').subarray(0, 600), 'application/x-ole-storage'],
    ['PDF', latin1('%PDF-1.7\n%\xe2\xe3'), 'application/pdf'],
    ['PDF behind some bytes', latin1('\0\0junk%PDF-1.4'), 'application/pdf'],
    ['RTF', fixtureBytes('garden.rtf'), 'application/rtf'],
    ['a picture', latin1('\x89PNG\r\n\x1a\n\0'), 'image/png'],
    ['bytes', latin1('\0\x01\x02'), undefined],
    ['HTML', utf8('\ufeff<!-- c -->\n<!DOCTYPE html><p>'), 'text/html'],
    ['XHTML', utf8('<?xml version="1.0"?><html xmlns="x"/>'), 'text/html'],
    ['other XML', utf8('<?xml version="1.0"?><a/>'), 'application/xml'],
    ['a mail', utf8('Received: from a\r\n by b\r\nSubject: x\r\n\r\nbody'), 'message/rfc822'],
    ['JSON', utf8(' {"a": [1]}'), 'application/json'],
    ['a list of JSON', utf8('[\n {"a": 1},\n {"a": 2}\n]'), 'application/json'],
    ['JSON in lines', utf8('{"a":1}\n\n{"a":2}\n'), 'application/jsonl'],
    ['long JSON in lines', utf8('{"a":1}\n'.repeat(20_000)), 'application/jsonl'],
    ['long JSON', utf8(`[${'{"a":1},'.repeat(20_000)}`), 'application/json'],
    ['text in UTF-16', new Uint8Array(Buffer.from('\ufeffHello', 'utf16le')), 'text/plain'],
    ['text in another encoding', latin1('gr\xfcn und sch\xf6n'), 'text/plain'],
    ['nothing', new Uint8Array(0), 'text/plain'],
  ])('knows %s', async (_, bytes, type) => {
    expect(await detectMimeType(bytes)).toBe(type);
    // Whatever it is called.
    expect(await detectMimeType(bytes, { filename: 'a.bin' })).toBe(type);
  });

  it.each<[string, string, string, string?]>([
    ['BMore text', 'a', 'text/plain'],
    ['name,price\nrose,5\ntulip,2\n', 'a', 'text/csv'],
    ['name\tprice\nrose\t5\ntulip\t2', 'a', 'text/tab-separated-values'],
    ['a;b;c\n1;2;3\n4;5;6', 'a', 'text/csv'],
    ['One, two.\nThree.\nFour, five, six.', 'a', 'text/plain'],
    ['name,price\nrose,5\ntulip,2\n', 'a.txt', 'text/plain'],
    ['name,price\nrose,5\ntulip,2\n', 'a.txt', 'text/csv', 'text/csv; charset=utf-8'],
    ['one line', 'a.csv', 'text/csv'],
    ['# Title\n\ntext', 'a', 'text/markdown'],
    ['[link](x) and more', 'a.md', 'text/markdown'],
    ['<div>in Markdown</div>', 'a.md', 'text/markdown'],
    ['<div>a piece of a page</div>', 'a', 'text/html'],
    ['<!doctype html><p>x', 'a.md', 'text/html'],
    ['{"a": 1}', 'a.csv', 'application/json'],
    ['{not json}', 'a.json', 'application/json'],
    ['{not json}', 'a', 'text/plain'],
    ['{"a": }', 'a', 'text/plain'],
    ['Note: x\nFrom: y said\nthat', 'a', 'text/plain'],
    ['Subject: x\n\ntext', 'a.eml', 'message/rfc822'],
    ['Dear Ada:\nHello', 'a', 'text/plain'],
    ['text', 'a.docx', 'text/plain'],
    ['text', 'a', 'text/markdown', 'text/markdown'],
    ['text', 'constructor', 'text/plain'],
    ['text', 'a.constructor', 'text/plain'],
  ])('takes %j called %s for %s', async (text, filename, type, mimeType?) => {
    expect(await detectMimeType(utf8(text), { filename, ...(mimeType !== undefined && { mimeType }) })).toBe(type);
  });

  it('says what is wrong with archives that it cannot look into', async () => {
    expect((await failure(detectMimeType(docx(p('a')).subarray(0, 300)))).details['reason']).toBe('damaged');
    expect(
      (await failure(detectMimeType(ole('EncryptionInfo', 'EncryptedPackage'), { filename: 'a.docx' }))).details,
    ).toEqual({ reason: 'encrypted' });
  });

  it('does not run in circles of a compound file', async () => {
    const bytes = ole('x');
    new DataView(bytes.buffer).setUint32(512 + 4, 1, true);
    expect(await detectMimeType(bytes)).toBe('application/x-ole-storage');
  });
});
