import { zip } from './zip.js';

export interface EpubParts {
  /** Bodies of the chapters by file name. */
  readonly chapters: Readonly<Record<string, string>>;
  /** File names in the order of the spine. Default that of the chapters. */
  readonly spine?: readonly string[];
  readonly nav?: string;
  readonly ncx?: string;
  readonly metadata?: string;
  readonly encryption?: string;
}

/** A book whose files lie in the folder OEBPS. */
export function epub({
  chapters,
  spine = Object.keys(chapters),
  nav,
  ncx,
  metadata = '',
  encryption,
}: EpubParts): Uint8Array {
  const names = Object.keys(chapters);
  const items = names.map(
    (name, index) =>
      `<item id="c${index}" href="text/${encodeURIComponent(name)}" media-type="application/xhtml+xml"/>`,
  );
  if (nav !== undefined)
    items.push('<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>');
  if (ncx !== undefined) items.push('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>');
  const refs = spine.map((name) => `<itemref idref="${name === 'nav' ? 'nav' : `c${names.indexOf(name)}`}"/>`);
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    ...(encryption !== undefined && { 'META-INF/encryption.xml': encryption }),
    'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>${metadata}</metadata><manifest>${items.join('')}</manifest><spine${ncx === undefined ? '' : ' toc="ncx"'}>${refs.join('')}</spine></package>`,
    ...(nav !== undefined && {
      'OEBPS/nav.xhtml': `<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="e"><body>${nav}</body></html>`,
    }),
    ...(ncx !== undefined && {
      'OEBPS/toc.ncx': `<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx><navMap>${ncx}</navMap></ncx>`,
    }),
    ...Object.fromEntries(
      Object.entries(chapters).map(([name, body]) => [
        `OEBPS/text/${name}`,
        body.startsWith('<?')
          ? body
          : `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Page of ${name}</title></head><body>${body}</body></html>`,
      ]),
    ),
  });
}
