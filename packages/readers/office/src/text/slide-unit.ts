import type { MetadataInput } from '@vernal/core';
import type { Reading } from '../reading/reading.js';
import type { OfficeReaderOptions, Unit } from '../reading/unit-documents.js';
import type { Block } from './block.js';
import { BlockText } from './block-text.js';

/** What of a presentation is read. */
export interface SlideReaderOptions extends OfficeReaderOptions {
  /** What the speaker says, behind the text of the slide and `Notes: `. Default true. */
  readonly includeNotes?: boolean | undefined;
  /** Slides that are not shown, too; they have `hidden: true`. Default true. */
  readonly includeHidden?: boolean | undefined;
  /** Writes targets of links behind their text, `text (url)`. Default false. */
  readonly includeLinkUrls?: boolean | undefined;
}

export interface Slide {
  /** From 1. */
  readonly number: number;
  readonly isHidden: boolean;
  /** '' when there is none. */
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly notes: readonly Block[];
}

/** Undefined for a slide without text, and for one that is not wanted. */
export function slideUnit(
  { number, isHidden, title, blocks, notes }: Slide,
  { includeNotes = true, includeHidden = true }: SlideReaderOptions,
  reading: Reading,
  properties: MetadataInput,
): Unit | undefined {
  if (isHidden && !includeHidden) return undefined;
  const body = textOf(blocks, reading);
  const said = includeNotes ? textOf(notes, reading) : '';
  const text = [body, said === '' ? '' : `Notes: ${said}`].filter((one) => one !== '').join('\n\n');
  if (text === '') return undefined;
  const metadata = {
    ...properties,
    unit: 'slide',
    slide_number: number,
    ...(title !== '' && { title }),
    ...(isHidden && { hidden: true }),
  };
  return { text, metadata };
}

function textOf(blocks: readonly Block[], reading: Reading): string {
  const text = new BlockText(reading);
  for (const block of blocks) text.add(block);
  return text.take();
}
