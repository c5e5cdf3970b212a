import { zip } from './zip.js';

const NS =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

export interface PptxSlide {
  /** XML of its shapes. */
  readonly shapes: string;
  readonly notes?: string;
  readonly diagram?: string;
  readonly links?: Readonly<Record<string, string>>;
  readonly isHidden?: boolean;
}

/** A presentation; the files of its slides are named in reverse order. `order` lists slides by their index. */
export function pptx(
  slides: readonly PptxSlide[],
  order: readonly number[] = slides.map((_, index) => index),
): Uint8Array {
  const file = (index: number): number => slides.length - index;
  const relationships = (list: readonly string[]): string =>
    `<Relationships xmlns="${PACKAGE}">${list.join('')}</Relationships>`;
  const entries: Record<string, string> = {
    '_rels/.rels': relationships([`<Relationship Id="1" Type="${R}/officeDocument" Target="ppt/presentation.xml"/>`]),
    'ppt/presentation.xml': `<p:presentation ${NS}><p:sldIdLst>${order.map((index, at) => `<p:sldId id="${256 + at}" r:id="s${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      slides.map(
        (_, index) => `<Relationship Id="s${index}" Type="${R}/slide" Target="slides/slide${file(index)}.xml"/>`,
      ),
    ),
  };
  for (const [index, { shapes, notes, diagram, links = {}, isHidden = false }] of slides.entries()) {
    const number = file(index);
    entries[`ppt/slides/slide${number}.xml`] =
      `<p:sld ${NS}${isHidden ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    const related = Object.entries(links).map(
      ([id, url]) => `<Relationship Id="${id}" Type="${R}/hyperlink" Target="${url}" TargetMode="External"/>`,
    );
    if (notes !== undefined) {
      entries[`ppt/notesSlides/notes${index}.xml`] =
        `<p:notes ${NS}><p:cSld><p:spTree>${notes}</p:spTree></p:cSld></p:notes>`;
      related.push(`<Relationship Id="n" Type="${R}/notesSlide" Target="../notesSlides/notes${index}.xml"/>`);
    }
    if (diagram !== undefined) {
      entries[`ppt/diagrams/data${index}.xml`] = `<dgm:dataModel xmlns:dgm="d" ${NS}>${diagram}</dgm:dataModel>`;
      related.push(`<Relationship Id="d" Type="${R}/diagramData" Target="../diagrams/data${index}.xml"/>`);
    }
    entries[`ppt/slides/_rels/slide${number}.xml.rels`] = relationships(related);
  }
  return zip(entries);
}

/** A shape with paragraphs, each its text or its XML; `placeholder` such as 'title'. */
export function shape(paragraphs: readonly string[], placeholder?: string): string {
  const kind = placeholder === undefined ? '' : `<p:ph type="${placeholder}"/>`;
  const body = paragraphs
    .map((one) => (one.startsWith('<') ? one : `<a:p><a:r><a:t>${one}</a:t></a:r></a:p>`))
    .join('');
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr>${kind}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>${body}</p:txBody></p:sp>`;
}
