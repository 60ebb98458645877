/**
 * The number of a decimal text, or null where a JavaScript number would change it: what is written to JSON from it has
 * exactly the value of the text. Zero has no sign.
 */
export function exactNumber(text: string): number | null {
  const [, sign = '', digits = '', fraction = ''] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  const size = fraction === '' ? digits : `${digits}.${fraction}`;
  const value = Number(text);
  return digits !== '' && String(value) === (size === '0' ? size : `${sign}${size}`) ? value + 0 : null;
}

/** How many digits stand after the point, without trailing zeros. */
export function decimalsOf(text: string): number {
  return (/\.(\d*?)0*$/.exec(text)?.[1] ?? '').length;
}
