const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** True for a plain signed decimal: `12`, `-0.50`, `1.005`; no exponent, no plus sign. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

type Scaled = { readonly units: bigint; readonly scale: number };

function parse(text: string): Scaled {
  const match = DECIMAL.exec(text);
  if (!match) throw new Error('Not a plain decimal number.');
  const fraction = match[3] ?? '';
  const units = BigInt(`${match[2] ?? '0'}${fraction}`);
  return { units: match[1] === '-' ? -units : units, scale: fraction.length };
}

function print(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(digits.length - scale)}` : ''}`;
}

/** Exact sum, written with the most decimals of any part, and at least two. */
export function sumDecimals(parts: Iterable<string>): string {
  let units = 0n;
  let scale = 2;
  for (const part of parts) {
    const next = parse(part);
    if (next.scale > scale) {
      units *= 10n ** BigInt(next.scale - scale);
      scale = next.scale;
    }
    units += next.units * 10n ** BigInt(scale - next.scale);
  }
  return print(units, scale);
}

/** The same figure with the other sign; zero has none. */
export function negateDecimal(text: string): string {
  const { units, scale } = parse(text);
  return print(-units, scale);
}

export function isNegative(text: string): boolean {
  return parse(text).units < 0n;
}

/** Whole cents as the vendor's decimal string: `-1250` -> `-12.50`. */
export function centsText(cents: number): string {
  return print(BigInt(cents), 2);
}

/** A figure with at least two decimals, as the standard's amount strings have. */
export function atLeastTwoDecimals(text: string): string {
  const { units, scale } = parse(text);
  return scale >= 2 ? print(units, scale) : print(units * 10n ** BigInt(2 - scale), 2);
}
