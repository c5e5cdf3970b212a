const WORDS = `a about above after again against all also am an and another any are as at be because been before being below
between both but by can cannot could did do does doing done down during each either else etc ever every few for from further
get gets getting give given gives go goes going got had has have having he hence her here hers herself him himself his how i if
in into is it its itself just kind let lets like made make makes making many may me might mine more most much must my myself
neither no nor not now of off on once one only onto or other others our ours ourselves out over own per perhaps please put rather
same shall she should since so some somehow someone something sort still such take takes tell than that the their theirs them
themselves then there these they thing things this those though through to too toward towards under until up upon us very via
want wants was way we well were what whatever when where whether which while who whom whose why will with within would yes yet
you your yours yourself yourselves`;

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/));

/** True for English words that say nothing about what a text is about. Lower case is expected. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
