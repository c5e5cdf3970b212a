import type { MetadataInput } from '@vernal/core';
import type { Reading } from '../reading/reading.js';
import type { Unit } from '../reading/unit-documents.js';
import type { Block } from './block.js';
import { BlockText } from './block-text.js';

interface Heading {
  readonly title: string;
  readonly level: number;
}

/**
 * A unit for each heading, with its place as metadata: `title`, `headings` (from the top down to this one), `level`, `category`. The
 * heading is not in the text; one with nothing below it is a unit of its title.
 */
export async function* headingSections(
  blocks: AsyncIterable<Block>,
  reading: Reading,
  properties: MetadataInput,
): AsyncGenerator<Unit> {
  const body = new BlockText(reading);
  const path: Heading[] = [];
  /** The heading above has not been told of by any section, its own or one below it. */
  let isUntold = false;

  function* flush(nextLevel: number): Generator<Unit> {
    const above = path.at(-1);
    let text = body.take();
    if (text === '' && isUntold && above !== undefined && nextLevel <= above.level) text = above.title;
    if (text === '') return;
    isUntold = false;
    yield { text, metadata: { ...properties, unit: 'section', ...placeOf(path, properties) } };
  }

  for await (const block of blocks) {
    if (block.kind !== 'heading') {
      body.add(block);
      continue;
    }
    yield* flush(block.level);
    const title = block.text.replace(/\s+/g, ' ').trim();
    reading.countText(title.length);
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= block.level) path.pop();
    path.push({ title, level: block.level });
    isUntold = title !== '';
  }
  yield* flush(-1);
}

/** One unit of all blocks; none when there is no text. */
export async function* wholeText(
  blocks: AsyncIterable<Block>,
  reading: Reading,
  properties: MetadataInput,
): AsyncGenerator<Unit> {
  const body = new BlockText(reading);
  for await (const block of blocks) body.add(block);
  const text = body.take();
  const title = properties['document_title'];
  if (text !== '') yield { text, metadata: { ...properties, unit: 'document', ...(title !== undefined && { title }) } };
}

function placeOf(path: readonly Heading[], properties: MetadataInput): MetadataInput {
  const above = path.at(-1);
  if (above === undefined) {
    const title = properties['document_title'];
    return title === undefined ? {} : { title };
  }
  return {
    title: above.title,
    headings: path.map(({ title }) => title),
    level: above.level,
    category: above.level === 0 ? 'title' : `header_${above.level}`,
  };
}
