import { contentId, type IngestedVersion } from '@vernal/core';

/** The ids of one version of a source: UUIDs that are the same in every run and on every machine. */
export function passageIds(
  scope: string,
  source: string,
): (of: Pick<IngestedVersion, 'version' | 'take'>, number: number) => Promise<string> {
  return ({ version, take = 0 }, number) =>
    contentId(JSON.stringify([scope, source, version, number, ...(take === 0 ? [] : [take])]));
}
