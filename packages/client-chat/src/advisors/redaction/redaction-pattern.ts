/** What is not to be read, and what stands in its place. */
export interface RedactionPattern {
  /**
   * Found anywhere in a text; the flags `g` and `y` mean nothing here, and a match of no length is none. Like any regular expression it can
   * be made to take very long: keep its repeats bounded (`\d{1,20}`) and unnested.
   */
  readonly pattern: RegExp;
  /** With `restore`, numbered: '[EMAIL]' becomes '[EMAIL_1]'. */
  readonly replacement: string;
  /**
   * The longest match in characters, >= 1. A longer one is replaced piece by piece, if a piece of it matches. It is also how far before and
   * after a match the pattern may look, and what a stream holds back. Default 256.
   */
  readonly maxLength?: number | undefined;
  /** Whether a match is one: a checksum. Default: every one. */
  readonly valid?: ((match: string) => boolean) | undefined;
}

/**
 * Patterns for what is commonly personal: where they look for something they find most of it and little else, and none of them is
 * proof that a text holds nothing personal. Phone numbers are those with a country code, and North American ones.
 *
 * @example
 * new RedactionAdvisor({ patterns: [redactionPatterns.email, redactionPatterns.creditCard] });
 */
export const redactionPatterns: {
  readonly email: RedactionPattern;
  readonly phone: RedactionPattern;
  readonly creditCard: RedactionPattern;
  readonly iban: RedactionPattern;
  readonly ipAddress: RedactionPattern;
} = {
  email: {
    pattern: /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,4}\p{L}{2,24}/u,
    replacement: '[EMAIL]',
    maxLength: 254,
  },
  phone: {
    pattern:
      /(?<![\p{L}\p{N}])(?:(?:\+|00)[1-9](?:[ ().-]{0,2}\d){6,14}|\(?[2-9]\d{2}\)?[ .-][2-9]\d{2}[ .-]\d{4})(?![\p{L}\p{N}])/u,
    replacement: '[PHONE]',
    maxLength: 48,
  },
  creditCard: { pattern: /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/, replacement: '[CARD]', maxLength: 40, valid: passesLuhn },
  iban: {
    pattern:
      /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}| [A-Z0-9]{4}(?: (?=[A-Z]{0,3}\d)[A-Z0-9]{4}){1,6}(?: (?=[A-Z]{0,2}\d)[A-Z0-9]{1,3})?)(?![A-Za-z0-9])/,
    replacement: '[IBAN]',
    maxLength: 48,
    valid: passesMod97,
  },
  ipAddress: {
    pattern:
      /(?<![\w.:])(?:(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\w|\.\d)|(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:]))/i,
    replacement: '[IP]',
    maxLength: 48,
    valid: isAddress,
  },
};

/** Source: ISO/IEC 7812-1, annex B. */
function passesLuhn(match: string): boolean {
  let sum = 0;
  const digits = match.replace(/\D/g, '');
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (1 + (i % 2));
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Source: ISO 13616, the check of ISO/IEC 7064 MOD 97-10. */
function passesMod97(match: string): boolean {
  const iban = match.replaceAll(' ', '');
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Four numbers; or eight groups, or fewer with one gap. Times of day are neither. */
function isAddress(match: string): boolean {
  if (match.includes('.')) return true;
  const gaps = match.split('::').length - 1;
  return /[0-9a-f]/i.test(match) && (gaps === 1 ? !match.includes(':::') : /^[^:]+(?::[^:]+){7}$/.test(match));
}
