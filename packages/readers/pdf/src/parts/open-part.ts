import type { JsonObject, JsonValue } from '@vernal/core';
import { pageImages } from '../engine/page-images.js';
import type { PageContent, PdfFile } from '../engine/pdf-file.js';
import { pageLabels } from '../engine/pdf-info.js';
import { textOf } from '../layout/page-layout.js';
import { type JoinedLine, pageJoint } from '../layout/reading-lines.js';
import { type PdfJob, type PdfPart, pageError } from '../pdf-job.js';

/** A part that pages are still added to. */
export class OpenPart {
  readonly #job: PdfJob;
  readonly #about: Readonly<Record<string, JsonValue>>;
  readonly #lines: JoinedLine[] = [];
  readonly #images: JsonObject[] = [];
  readonly #errors: JsonObject[] = [];
  #first: number;
  #last: number;
  #isEmpty = true;

  constructor(job: PdfJob, first: number, about: Readonly<Record<string, JsonValue>> = {}) {
    this.#job = job;
    this.#first = first;
    this.#last = first;
    this.#about = about;
  }

  /** The pages up to this one belong to the part, whatever is on them. */
  covers(page: number): void {
    this.#last = Math.max(this.#last, page);
  }

  /** Some lines of a page, all of them or none, and what else is known of it. */
  add({ number, fault }: PageContent, lines: readonly JoinedLine[], images: readonly JsonObject[] = []): void {
    const [first, ...rest] = lines;
    if (first !== undefined) {
      const before = this.#lines.at(-1);
      const joint = before === undefined ? first.joint : pageJoint(before, first, this.#job);
      this.#lines.push({ ...first, joint });
      for (const line of rest) this.#lines.push(line);
    }
    this.#images.push(...images);
    if (fault !== undefined) this.#errors.push(pageError(fault));
    if (lines.length > 0 || images.length > 0 || fault !== undefined) {
      if (this.#isEmpty && this.#last === this.#first) this.#first = number;
      this.#isEmpty = false;
      this.covers(number);
    }
  }

  /** Nothing where there is neither text nor anything to tell. */
  *close(labels: readonly string[] | undefined, alwaysEnds = false): Generator<PdfPart> {
    if (this.#isEmpty) return;
    const label = labels?.[this.#first - 1];
    const metadata: Record<string, JsonValue> = { ...this.#about, page_number: this.#first };
    if (alwaysEnds || this.#last !== this.#first) metadata['end_page_number'] = this.#last;
    if (label !== undefined && label !== '') metadata['page_label'] = label;
    if (this.#images.length > 0) metadata['images'] = this.#images;
    if (this.#errors.length > 0) metadata['page_errors'] = this.#errors;
    yield { text: textOf(this.#lines), metadata };
  }
}

/** The page labels, and the images of a page where they are asked for. */
export async function pageFacts(file: PdfFile, job: PdfJob): Promise<PageFacts> {
  const labels = await pageLabels(file);
  return { labels, images: async (page) => (job.images ? pageImages(file, page) : []) };
}

export interface PageFacts {
  readonly labels: readonly string[] | undefined;
  images(page: number): Promise<JsonObject[]>;
}
