/** How the error of a write is told. */
export interface WriteOutcome {
  /** The end of the message; '' when it is known. */
  readonly sentence: string;
  /** Beside the engine's own details. */
  readonly details: { readonly outcome?: 'unknown' };
}

const KNOWN: WriteOutcome = { sentence: '', details: {} };
const UNKNOWN: WriteOutcome = {
  sentence: '; whether it was written is not known: read the conversation before you write again',
  details: { outcome: 'unknown' },
};

/** What an error says of a write whose answer was lost: nobody knows whether the engine has done it. */
export function writeOutcome(isUnknown: boolean): WriteOutcome {
  return isUnknown ? UNKNOWN : KNOWN;
}
