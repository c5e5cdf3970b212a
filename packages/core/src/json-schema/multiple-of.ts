/** Whether `value` is a whole multiple of `factor` as the decimals they are written as: 0.3 is one of 0.1. */
export function isMultipleOf(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const a = decimal(value);
  const b = decimal(factor);
  const exponent = Math.min(a.exponent, b.exponent);
  return (a.digits * 10n ** BigInt(a.exponent - exponent)) % (b.digits * 10n ** BigInt(b.exponent - exponent)) === 0n;
}

/** `digits * 10 ** exponent`, exactly the shortest decimal that stands for the number. */
function decimal(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
