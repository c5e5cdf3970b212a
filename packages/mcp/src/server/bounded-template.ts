import { UriTemplate } from '@modelcontextprotocol/server';

/** Characters that an address may have. */
export const MAX_URI_LENGTH = 8_192;

/**
 * Characters of an address that fits a template, by the number of places where text between two variables may belong to either, '{year}-{month}'. An address
 * can then be cut in many ways, and the SDK's pattern tries them all: these lengths keep it within milliseconds.
 */
const MAX_LENGTHS = [MAX_URI_LENGTH, 2_048, 256, 96];

/** A template that no address keeps busy. Throws for one that could be. */
export class BoundedTemplate extends UriTemplate {
  readonly #maxLength: number;

  constructor(template: string) {
    super(template);
    const maxLength = MAX_LENGTHS[openPlaces(template)];
    if (maxLength === undefined)
      throw new Error(
        `has more than ${MAX_LENGTHS.length - 1} places where text between variables may belong to either`,
      );
    this.#maxLength = maxLength;
  }

  override match(uri: string): ReturnType<UriTemplate['match']> {
    return uri.length > this.#maxLength ? null : super.match(uri);
  }
}

/** Throws where nothing stands between two variables. */
function openPlaces(template: string): number {
  const [, ...pieces] = template.split('{');
  let open = 0;
  let before: RegExp | undefined;
  let text = '';
  for (const piece of pieces) {
    const [expression = '', after = ''] = piece.split('}');
    const operator = /^[+#./?&]?/.exec(expression)?.[0] ?? '';
    const between = text + (operator === '+' || operator === '#' ? '' : operator);
    if (before !== undefined && between === '')
      throw new Error(`has nothing between two variables: where one ends nobody can tell`);
    if (before !== undefined && !before.test(between)) open += 1;
    before = endOf(operator, expression);
    text = after;
  }
  return open;
}

/** What a variable cannot hold, so that it ends there. */
function endOf(operator: string, expression: string): RegExp {
  if (operator === '+' || operator === '#') return /\n/;
  if (operator === '?' || operator === '&') return /&/;
  return expression.includes('*') ? /\// : /[/,]/;
}
