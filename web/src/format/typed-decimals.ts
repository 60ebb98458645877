import { LOCALE } from './locale.ts';

const DECIMAL = /^\d{1,12}(?:\.\d{1,4})?$/;
const UNWRITTEN = /[\p{Sc}\u200e\u200f\u061c]/gu;
const SAMPLE = 123_456_789.5;

interface Notation {
  readonly decimal: string;
  readonly group: string;
  readonly digits: readonly string[];
  /** Digits in groups separated by spaces. */
  readonly grouped: RegExp;
}

/**
 * A typed amount without a sign as a decimal, `1000.50`, or null if it cannot be read or could be two amounts. A point
 * counts as decimal in every notation where it cannot are between thousands.
 */
export function readDecimal(text: string, locale: readonly string[] = LOCALE): string | null {
  const { decimal, group, digits, grouped } = notationOf(locale);
  const plain = [...text.replaceAll(UNWRITTEN, '').replaceAll(/\s/g, ' ').replaceAll("'", '’').trim()]
    .map((one) => (digits.includes(one) ? String(digits.indexOf(one)) : one))
    .join('');
  const parts = plain.split(decimal);
  const [whole = '', fraction = ''] = parts;
  if (parts.length > 2) return null;
  const figures = wholeOf(whole, group, grouped);
  if (figures !== null) return valid(figures, fraction);
  const point = /^(\d+)\.(\d{0,4})$/.exec(plain);
  // Three figures behind a point may be thousands, as others write them.
  if (point === null || point[2]?.length === 3) return null;
  return valid(point[1] ?? '', point[2] ?? '');
}

/** A decimal as people of a locale type it, with all its digits. */
export function typedDecimal(
  decimal: string,
  locale: readonly string[] = LOCALE,
  useGrouping = false,
): string {
  const digits = decimal.split('.')[1]?.length ?? 0;
  return isNumeric(decimal)
    ? new Intl.NumberFormat([...locale], {
        useGrouping,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).format(decimal)
    : decimal;
}

function wholeOf(whole: string, group: string, grouped: RegExp): string | null {
  if (/^\d*$/.test(whole)) return whole;
  const spaced = group === ' ' ? whole : whole.includes(' ') ? '' : whole.replaceAll(group, ' ');
  return grouped.test(spaced) ? spaced.replaceAll(' ', '') : null;
}

function valid(whole: string, fraction: string): string | null {
  if (whole === '' && fraction === '') return null;
  const text = `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  return DECIMAL.test(text) ? text : null;
}

function notationOf(locale: readonly string[]): Notation {
  const parts = new Intl.NumberFormat([...locale], { useGrouping: true }).formatToParts(SAMPLE);
  const partOf = (type: Intl.NumberFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  const sizes = parts.filter(({ type }) => type === 'integer').map(({ value }) => [...value].length);
  const last = sizes.at(-1) ?? 3;
  const others = sizes.at(-2) ?? last;
  const plain = new Intl.NumberFormat([...locale], { useGrouping: false });
  return {
    decimal: partOf('decimal'),
    group: partOf('group').replace(/\s/, ' ').replace("'", '’'),
    digits: Array.from({ length: 10 }, (_, figure) => plain.format(figure)),
    grouped: new RegExp(`^\\d{1,${others}}(?: \\d{${others}})*(?: \\d{${last}})$`),
  };
}

function isNumeric(text: string): text is `${number}` {
  return /^\d+(?:\.\d+)?$/.test(text);
}
