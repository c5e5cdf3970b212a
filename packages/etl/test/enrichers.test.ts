import { type ChatModel, chatResponse, type Document, document, media, PromptTemplate, TEXT_ONLY } from '@vernal/core';
import {
  ContentFormatTransformer,
  ContextualChunkEnricher,
  KeywordMetadataEnricher,
  SentenceTextSplitter,
  SummaryMetadataEnricher,
} from '@vernal/etl';
import { describe, expect, it } from 'vitest';

interface TestModel extends ChatModel {
  readonly prompts: string[];
  most: number;
}

/** Answers by the prompt; counts how many calls run at a time. */
function model(answer: (prompt: string) => string | Promise<string>): TestModel {
  let running = 0;
  const made: TestModel = {
    provider: 'test',
    capabilities: TEXT_ONLY,
    defaultOptions: {},
    prompts: [],
    most: 0,
    async call(prompt) {
      const text = prompt.userMessage.text;
      made.prompts.push(text);
      made.most = Math.max(made.most, ++running);
      try {
        await Promise.resolve();
        return chatResponse(await answer(text));
      } finally {
        running--;
      }
    },
    async *stream(prompt, context) {
      yield await made.call(prompt, context);
    },
  };
  return made;
}

async function collect(documents: AsyncIterable<Document>): Promise<Document[]> {
  const all: Document[] = [];
  for await (const entry of documents) all.push(entry);
  return all;
}

const numbered = (count: number, source = 'a.md'): Document[] =>
  Array.from({ length: count }, (_, index) =>
    document({ id: `${source}${index}`, text: `text ${index}`, metadata: { source } }),
  );

describe('KeywordMetadataEnricher', () => {
  it('adds a list of keywords, and keeps everything else', async () => {
    const chat = model(() => 'Keywords: roses, 2. "tulips",\n- garden , roses, , beds');
    const [enriched] = await collect(
      new KeywordMetadataEnricher({ model: chat, keywordCount: 3 }).transform([
        document({ id: 'd', text: 'About roses', metadata: { k: 1 } }),
      ]),
    );
    expect(enriched).toMatchObject({
      id: 'd',
      text: 'About roses',
      metadata: { k: 1, excerpt_keywords: ['roses', 'tulips', 'garden'] },
    });
    expect(chat.prompts[0]).toContain('About roses');
    expect(chat.prompts[0]).toContain('3 unique keywords');
  });

  it('takes a template of its own', async () => {
    const chat = model(() => 'x');
    const promptTemplate = new PromptTemplate('{keyword_count} words for: {context_str}');
    await collect(
      new KeywordMetadataEnricher({ model: chat, keywordCount: 2, promptTemplate }).transform([document('{braces}')]),
    );
    expect(chat.prompts).toEqual(['2 words for: {braces}']);
  });

  it('leaves the key out when there is nothing, and does not ask about media or blank text', async () => {
    const chat = model(() => ' , ');
    const picture = document({ media: media('image/png', new Uint8Array([1])) });
    const enriched = await collect(
      new KeywordMetadataEnricher({ model: chat, keywordCount: 2 }).transform([
        document('text'),
        picture,
        document('  '),
      ]),
    );
    expect(enriched.every((entry) => !('excerpt_keywords' in entry.metadata))).toBe(true);
    expect(chat.prompts).toHaveLength(1);
  });

  it('asks several at a time and keeps the order', async () => {
    const chat = model(async (prompt) => {
      for (let turn = 0; turn < (prompt.includes('text 0') ? 20 : 1); turn++) await Promise.resolve();
      return prompt.match(/text \d+/)?.[0] ?? '';
    });
    const enriched = await collect(
      new KeywordMetadataEnricher({ model: chat, keywordCount: 1, concurrency: 3 }).transform(numbered(10)),
    );
    expect(enriched.map((entry) => entry.metadata['excerpt_keywords'])).toEqual(
      Array.from({ length: 10 }, (_, index) => [`text ${index}`]),
    );
    expect(chat.most).toBe(3);
  });

  it('reads no further ahead than it asks, and closes the source', async () => {
    let taken = 0;
    let closed = false;
    const source = (async function* () {
      try {
        for (;;) yield document(`text ${taken++}`);
      } finally {
        closed = true;
      }
    })();
    for await (const entry of new KeywordMetadataEnricher({
      model: model(() => 'a'),
      keywordCount: 1,
      concurrency: 2,
    }).transform(source)) {
      expect(entry.text).toBe('text 0');
      break;
    }
    expect(taken).toBeLessThanOrEqual(3);
    expect(closed).toBe(true);
  });

  it('fails with the error of the model, and aborts the other calls', async () => {
    const signals: AbortSignal[] = [];
    const chat = model(() => 'x');
    const failing: ChatModel = {
      ...chat,
      call: async (prompt, context) => {
        if (context?.signal) signals.push(context.signal);
        if (prompt.userMessage.text.includes('text 1')) throw new Error('overloaded');
        return chat.call(prompt, context);
      },
    };
    await expect(
      collect(new KeywordMetadataEnricher({ model: failing, keywordCount: 1 }).transform(numbered(8))),
    ).rejects.toThrow('overloaded');
    expect(signals.every((signal) => signal.aborted)).toBe(true);
  });

  it('honours the signal', async () => {
    const signal = AbortSignal.abort();
    await expect(
      collect(
        new KeywordMetadataEnricher({ model: model(() => 'x'), keywordCount: 1 }).transform(numbered(2), { signal }),
      ),
    ).rejects.toMatchObject({ code: 'aborted' });
  });

  it('refuses bad options', () => {
    expect(() => new KeywordMetadataEnricher({ model: model(() => ''), keywordCount: 0 })).toThrow(
      expect.objectContaining({ subject: 'keywordCount' }),
    );
    expect(() => new KeywordMetadataEnricher({ model: model(() => ''), keywordCount: 1, concurrency: 0 })).toThrow(
      expect.objectContaining({ subject: 'concurrency' }),
    );
    expect(
      () =>
        new KeywordMetadataEnricher({
          model: model(() => ''),
          keywordCount: 1,
          promptTemplate: new PromptTemplate('no placeholder'),
        }),
    ).toThrow(expect.objectContaining({ code: 'template' }));
  });
});

describe('SummaryMetadataEnricher', () => {
  const summarizing = () => model((prompt) => `sum of ${prompt.match(/text \d+/)?.[0]}`);

  it('adds the document’s own summary by default, made of text and metadata', async () => {
    const chat = summarizing();
    const [first] = await collect(new SummaryMetadataEnricher({ model: chat }).transform(numbered(1)));
    expect(first?.metadata).toEqual({ source: 'a.md', section_summary: 'sum of text 0' });
    expect(chat.prompts[0]).toContain('source: a.md');
  });

  it('adds those of the neighbours, within one source', async () => {
    const documents = [...numbered(2, 'a.md'), ...numbered(1, 'b.md')];
    const enriched = await collect(
      new SummaryMetadataEnricher({ model: summarizing(), types: ['previous', 'next'] }).transform(documents),
    );
    expect(enriched.map((entry) => entry.metadata)).toEqual([
      { source: 'a.md', next_section_summary: 'sum of text 1' },
      { source: 'a.md', prev_section_summary: 'sum of text 0' },
      { source: 'b.md' },
    ]);
  });

  it('takes an empty list for the default, and refuses other words', async () => {
    const [first] = await collect(
      new SummaryMetadataEnricher({ model: summarizing(), types: [], metadataMode: 'none' }).transform(numbered(1)),
    );
    expect(first?.metadata).toHaveProperty('section_summary');
    expect(() => new SummaryMetadataEnricher({ model: summarizing(), types: ['all' as 'next'] })).toThrow(
      expect.objectContaining({ subject: 'types' }),
    );
  });
});

describe('ContentFormatTransformer', () => {
  it('gives a format, and joins what is excluded', async () => {
    const own = document({
      text: 'x',
      format: { metadataTemplate: '{key}={value}', excludedEmbedMetadataKeys: ['a'] },
    });
    const format = {
      metadataTemplate: '{key}',
      textTemplate: '{content}',
      excludedEmbedMetadataKeys: ['b', 'a'],
      excludedInferenceMetadataKeys: ['c'],
    };
    const [plain, joined] = await collect(new ContentFormatTransformer(format).transform([document('y'), own]));
    expect(plain?.format).toEqual(format);
    expect(joined?.format).toEqual({
      metadataTemplate: '{key}={value}',
      textTemplate: '{content}',
      excludedEmbedMetadataKeys: ['a', 'b'],
      excludedInferenceMetadataKeys: ['c'],
    });
  });

  it('leaves text templates alone when told to', async () => {
    const format = { textTemplate: '{content}', metadataSeparator: ' ' };
    const [plain] = await collect(
      new ContentFormatTransformer(format, { disableTemplateRewrite: true }).transform([document('y')]),
    );
    expect(plain?.format).toEqual({ metadataSeparator: ' ' });
  });
});

describe('ContextualChunkEnricher', () => {
  const splitter = new SentenceTextSplitter({ chunkSize: 20, overlap: 0 });
  const long = document({
    id: 'long',
    text: 'The rent is due. The tenant pays it. No pets.',
    metadata: { source: 'lease.md' },
  });

  it('shows the model the document around each chunk, and keeps what it says beside the text', async () => {
    const chat = model((prompt) => `about ${/part of it:\n(.*)/.exec(prompt)?.[1]}`);
    const other = document({ id: 'short', text: 'One part.' });
    const media = document({ id: 'whole', text: 'No chunk.' });
    async function* chunks() {
      yield* splitter.transform([long, other]);
      yield media;
    }
    const enriched = await collect(new ContextualChunkEnricher({ model: chat }).transform(chunks()));
    expect(enriched.map(({ text, metadata }) => [text, metadata['chunk_context']])).toEqual([
      ['The rent is due.', 'about The rent is due.'],
      ['The tenant pays it.', 'about The tenant pays it.'],
      ['No pets.', 'about No pets.'],
      ['One part.', undefined],
      ['No chunk.', undefined],
    ]);
    for (const prompt of chat.prompts)
      expect(prompt).toMatch(/^Here is a document:\nThe rent is due\.\nThe tenant pays it\.\nNo pets\.\n/);
  });

  it('puts overlapping chunks together once, and shows no more than it may', async () => {
    const chat = model(() => 'c');
    const overlapping = new SentenceTextSplitter({ chunkSize: 14, overlap: 5 }).transform([
      document('A b. C d. E f. G h.'),
    ]);
    const texts = await collect(new ContextualChunkEnricher({ model: chat }).transform(overlapping));
    expect(texts.map(({ text }) => text)).toEqual(['A b. C d. E f.', 'E f. G h.']);
    expect(chat.prompts[1]).toContain('Here is a document:\nA b. C d. E f. G h.\n');
    const small = model(() => 'c');
    await collect(
      new ContextualChunkEnricher({ model: small, maxDocumentChars: 19 }).transform(splitter.transform([long])),
    );
    expect(small.prompts.map((prompt) => prompt.split('\n')[1])).toEqual([
      'The rent is due.',
      'The tenant pays it.',
      't pays it.',
    ]);
  });

  it('refuses what cannot work', () => {
    const chat = model(() => '');
    expect(() => new ContextualChunkEnricher({ model: chat, maxDocumentChars: 0 })).toThrow(/maxDocumentChars/);
    expect(() => new ContextualChunkEnricher({ model: chat, promptTemplate: new PromptTemplate('{chunk}') })).toThrow(
      expect.objectContaining({ code: 'template' }),
    );
  });
});

describe('what enrichers do when calls fail', () => {
  const failing = (times: number): TestModel => {
    let left = times;
    return model(() => {
      if (left-- > 0) throw Object.assign(new Error('busy'), { status: 503 });
      return 'a, b';
    });
  };

  it('asks again, as they are told to', async () => {
    const chat = failing(2);
    const retry = { maxAttempts: 3, initialDelayMs: 1 };
    const [enriched] = await collect(
      new KeywordMetadataEnricher({ model: chat, keywordCount: 2, retry }).transform(numbered(1)),
    );
    expect(enriched?.metadata['excerpt_keywords']).toEqual(['a', 'b']);
    expect(chat.prompts).toHaveLength(3);
  });

  it('goes on without, and says which', async () => {
    const failures: string[] = [];
    const onFailure = ({ id }: Document): unknown => failures.push(id);
    const enricher = new KeywordMetadataEnricher({
      model: failing(1),
      keywordCount: 2,
      concurrency: 1,
      onError: 'skip',
      onFailure,
    });
    const enriched = await collect(enricher.transform(numbered(3)));
    expect(enriched.map(({ metadata }) => metadata['excerpt_keywords'])).toEqual([undefined, ['a', 'b'], ['a', 'b']]);
    expect(failures).toEqual(['a.md0']);
  });

  it('does not skip an abort', async () => {
    const leaving = new AbortController();
    const chat = model(() => {
      leaving.abort();
      throw new Error('too late');
    });
    const enricher = new SummaryMetadataEnricher({ model: chat, onError: 'skip' });
    await expect(collect(enricher.transform(numbered(2), { signal: leaving.signal }))).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('asks a second time only what is missing', async () => {
    const answers = new Map<string, string>();
    const first = failing(1);
    await collect(
      new SummaryMetadataEnricher({ model: first, answers, concurrency: 1, onError: 'skip' }).transform(numbered(3)),
    );
    const second = model(() => 'again');
    const enriched = await collect(new SummaryMetadataEnricher({ model: second, answers }).transform(numbered(3)));
    expect(second.prompts).toHaveLength(1);
    expect(enriched.map(({ metadata }) => metadata['section_summary'])).toEqual(['again', 'a, b', 'a, b']);
    const other = { ...model(() => 'other'), defaultOptions: { model: 'other' } };
    await collect(new SummaryMetadataEnricher({ model: other, answers }).transform(numbered(3)));
    expect(other.prompts).toHaveLength(3);
  });

  it('refuses settings that there are not', () => {
    for (const options of [{ onError: 'ignore' }, { answers: {} }])
      expect(() => new SummaryMetadataEnricher({ model: failing(0), ...options } as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
  });
});
