const ASKS =
  /\bhow (?:many|much|often|long|big|large|tall|high|old|far|fast|heavy)\b|\bwhat (?:time|year|date|percentage|number)\b|\b(?:which|what) (?:[\w.]+ )?version\b|^\s*(?:and |but )?when (?:was|were|did)\b/i;
const HOLDS =
  /\p{N}|\b(?:no|none|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|once|twice|half|dozen|unlimited|every|all|nothing)\b/iu;

const MEASURE = /\bhow (?:many|much|often|long|big|large|tall|high|old|far|fast|heavy)\b/gi;

/** The question without the words that only ask for a number: whoever answers "how long" gives a number, and seldom says "long". */
export function withoutMeasure(question: string): string {
  return question.replace(MEASURE, ' ');
}

/** True when the answer to an English question ought to hold a number. */
export function asksForAmount(question: string): boolean {
  return ASKS.test(question);
}

/** True when a text holds a number, in figures or as an English word. */
export function holdsAmount(text: string): boolean {
  return HOLDS.test(text);
}
