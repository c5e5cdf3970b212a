import type { DocumentWriter } from '@vernal/core';

/** A writer whose target is replaced by every `write`, such as one file: a pipeline gives it all documents as one stream. */
export interface WholeStreamWriter extends DocumentWriter {
  readonly takesWholeStream: true;
}

export function takesWholeStream(writer: DocumentWriter): writer is WholeStreamWriter {
  return 'takesWholeStream' in writer && writer.takesWholeStream === true;
}
