// publint over the packed packages.
import { readFileSync } from 'node:fs';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { pack } from '../pack.mjs';

export default async function publintCheck() {
  const problems = [];
  for (const one of pack()) {
    const content = readFileSync(one.tarball);
    const { messages, pkg } = await publint({
      pack: { tarball: content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength) },
      strict: true,
    });
    for (const message of messages) problems.push(`${one.name}: ${formatMessage(message, pkg, { color: false })}`);
  }
  return problems;
}
