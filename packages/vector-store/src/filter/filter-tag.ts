import type { FilterExpression, FilterInput } from './filter-expression.js';
import { FilterParseError } from './filter-parse-error.js';
import { holdsPlaceholder, MAX_PLACEHOLDERS, placeholder } from './filter-placeholder.js';
import { readFilterText } from './filter-text.js';
import { filterInvalid, filterScalar, listedScalars } from './filter-value.js';
import { checkFilterLength, DEFAULT_FILTER_DEPTH } from './parse-filter.js';

/**
 * The tagged template. Each value is one character of the text, from a plane that has no other use, and becomes a value of the tree after
 * parsing: there is nothing in it that could be read as syntax.
 */
export function filterTag(
  text: TemplateStringsArray,
  values: readonly (FilterInput | readonly FilterInput[])[],
): FilterExpression {
  if (values.length > MAX_PLACEHOLDERS) {
    filterInvalid('values', `a template takes at most ${MAX_PLACEHOLDERS} values: hand in a list`);
  }
  let joined = '';
  for (const [index, part] of text.entries()) {
    if (holdsPlaceholder(part)) {
      throw new FilterParseError('A private-use character of plane 16 stands in the template: hand it in as a value', {
        line: 1,
        column: 1,
      });
    }
    joined += part;
    if (index < values.length) joined += placeholder(index);
  }
  checkFilterLength(joined);
  return readFilterText(joined, {
    legacy: false,
    maxDepth: DEFAULT_FILTER_DEPTH,
    placeholders: values.map((value, index) =>
      Array.isArray(value) ? listedScalars(value, `value ${index + 1}`) : filterScalar(value, `value ${index + 1}`),
    ),
  });
}
