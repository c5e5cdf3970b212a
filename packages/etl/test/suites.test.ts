import { bytesResource, type ChatModel } from '@vernal/core';
import {
  ContentFormatTransformer,
  JsonReader,
  KeywordMetadataEnricher,
  SummaryMetadataEnricher,
  TextReader,
} from '@vernal/etl';
import { describeReader, describeTransformer, ScriptedChatModel, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';

const runner = vitestRunner(vitest);
const hostile = [
  { name: 'nothing', resource: bytesResource('') },
  { name: 'half a value', resource: bytesResource('[{"a":') },
  { name: 'bytes of no encoding', resource: bytesResource(new Uint8Array([0xff, 0xc0, 0x80, 0xfe])) },
  { name: 'a picture', resource: bytesResource(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0])) },
  { name: 'brackets without end', resource: bytesResource('['.repeat(100_000)) },
];

describeReader('TextReader', (resource) => ({ subject: new TextReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new TextReader(resource, { limits: { maxFileBytes: 10_000 } }) }),
  samples: [
    {
      name: 'a text',
      resource: bytesResource('First line\r\nzweite Zeile €', { filename: 'a.txt' }),
      text: ['First line', 'zweite Zeile €'],
      documents: 1,
      metadata: { source: 'a.txt', charset: 'utf-8' },
    },
  ],
  hostile,
});

describeReader('JsonReader', (resource) => ({ subject: new JsonReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new JsonReader(resource, { limits: { maxValueLength: 10_000 } }) }),
  samples: [
    {
      name: 'an array with equal elements',
      resource: bytesResource('[{"a":"one"},"two","two",null]', { filename: 'a.json' }),
      text: ['one', 'two', 'two', 'null'],
      documents: 4,
      metadata: { source: 'a.json' },
    },
    {
      name: 'lines',
      resource: bytesResource('{"a":"one"}\n\n{"a":"one"}', { filename: 'a.jsonl' }),
      text: ['one', 'one'],
      documents: 2,
    },
  ],
  hostile,
});

describeReader('JsonReader with lines', (resource) => ({ subject: new JsonReader(resource, { lines: true }) }), {
  runner,
  limited: (resource) => ({ subject: new JsonReader(resource, { lines: true, limits: { maxValueLength: 10_000 } }) }),
  samples: [{ name: 'lines', resource: bytesResource('"one"\n"two"\n'), text: ['one', 'two'], documents: 2 }],
  hostile,
});

describeReader('JsonReader with a pointer', (resource) => ({ subject: new JsonReader(resource, { pointer: '/a' }) }), {
  runner,
  limited: (resource) => ({ subject: new JsonReader(resource, { pointer: '/a', limits: { maxFileBytes: 10_000 } }) }),
  samples: [{ name: 'a list', resource: bytesResource('{"a":["one","two"]}'), text: ['one', 'two'], documents: 2 }],
  hostile,
});

/** As many answers as the suite may ask for. */
const model = (): ChatModel => new ScriptedChatModel(Array.from({ length: 200 }, (_, index) => `word${index}`));

describeTransformer(
  'KeywordMetadataEnricher',
  () => ({ subject: new KeywordMetadataEnricher({ model: model(), keywordCount: 2 }) }),
  { runner },
);
describeTransformer(
  'SummaryMetadataEnricher',
  () => ({ subject: new SummaryMetadataEnricher({ model: model(), types: ['previous', 'current', 'next'] }) }),
  { runner },
);
describeTransformer(
  'ContentFormatTransformer',
  () => ({ subject: new ContentFormatTransformer({ excludedEmbedMetadataKeys: ['page'] }) }),
  { runner },
);
