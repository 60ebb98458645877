import { isLocalDate, type LocalDate } from '../vocabulary/moments.ts';
import type { Reading } from './reading.ts';

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const MAX_LENGTH = 48;
/** The work of looking at a date, in characters. */
const TEXT = 60;
/** Years of two digits from here on are of the last century. */
const PIVOT = 70;
const YEAR_MS = 366 * 86_400_000;
/** Dots are only used with the day first. */
const DOTTED = /^\s*\d{1,2}\.\d{1,2}\.(?:\d{2}){1,2}/;
const TIME = '(?:(?:[T ,]| - )+\\d{1,2}[:.h]\\d{2}.*)?';
/** Only with the year first, because `10:05:12` is a time. */
const COLONS = /^(\d{4}):(\d{2}):(\d{2})$/;
const COMPACT = new RegExp(`^(\\d{8}|\\d{6})(?:\\d{4,6}(?:\\.\\d+)?)?${TIME}$`);
const NUMBERS = new RegExp(
  `^(\\d{1,4})(?: ?[-/.年] ?| )(\\d{1,2})(?: ?[-/.月] ?'?| ?' ?| )(\\d{4}|\\d{1,2})[.日]?${TIME}$`,
);
const DAY_FIRST = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th|er|º)?(?:[-/.]? ?| de )(\\p{L}{3,12})\\.?(?: de |[-/. ,']{0,2})(\\d{4}|\\d{2})${TIME}$`,
  'u',
);
const MONTH_FIRST = new RegExp(
  `^(\\p{L}{3,12})[-. ]{1,2}(\\d{1,2})(?:st|nd|rd|th)?,? ?'?(\\d{4}|\\d{2})${TIME}$`,
  'u',
);
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/. ](\\p{L}{3,12})\\.?[-/. ](\\d{1,2})${TIME}$`, 'u');

/** Beginnings of the names of months in English, German, French, Spanish, Dutch, Italian and Portuguese, without accents. */
const MONTHS: ReadonlyArray<readonly string[]> = [
  ['jan', 'gen', 'ene'],
  ['feb', 'fev'],
  ['mar', 'maa', 'mrt'],
  ['apr', 'abr', 'avr'],
  ['may', 'mai', 'mag', 'mei'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'out', 'ott'],
  ['nov'],
  ['dec', 'dez', 'dic'],
];

/** The day a text names, in the given order of its numbers, or null. A time behind it is left out. */
export function readDate(text: string, order: DateOrder): LocalDate | null {
  if (text.length > MAX_LENGTH) return null;
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  return (
    readNumbers(plain.replace(COLONS, '$1-$2-$3'), order) ?? readCompact(plain, order) ?? readNamed(plain)
  );
}

function readNumbers(text: string, order: DateOrder): LocalDate | null {
  const [, a, b, c] = NUMBERS.exec(text) ?? [];
  if (a === undefined || b === undefined || c === undefined) return null;
  if (a.length === 4) return dayOf(a, b, c);
  if (a.length === 3) return null;
  switch (order) {
    case 'ymd':
      return a.length === 2 && c.length <= 2 ? dayOf(a, b, c) : null;
    case 'dmy':
      return dayOf(c, b, a);
    case 'mdy':
      return dayOf(c, a, b);
  }
}

function readCompact(text: string, order: DateOrder): LocalDate | null {
  const [, digits] = COMPACT.exec(text) ?? [];
  if (digits === undefined) return null;
  if (order === 'ymd') {
    const year = digits.length - 4;
    return dayOf(digits.slice(0, year), digits.slice(year, year + 2), digits.slice(year + 2));
  }
  const [first, second] = [digits.slice(0, 2), digits.slice(2, 4)];
  return order === 'dmy' ? dayOf(digits.slice(4), second, first) : dayOf(digits.slice(4), first, second);
}

function readNamed(text: string): LocalDate | null {
  const [, day, month, year] = DAY_FIRST.exec(text) ?? [];
  if (day !== undefined && month !== undefined && year !== undefined) return dayOf(year, monthOf(month), day);
  const [, named, of, inYear] = MONTH_FIRST.exec(text) ?? [];
  if (named !== undefined && of !== undefined && inYear !== undefined)
    return dayOf(inYear, monthOf(named), of);
  const [, first, name, last] = YEAR_FIRST.exec(text) ?? [];
  if (first !== undefined && name !== undefined && last !== undefined)
    return dayOf(first, monthOf(name), last);
  return null;
}

function monthOf(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return String(MONTHS.findIndex((starts) => starts.some((start) => plain.startsWith(start))) + 1);
}

/** The day of a year of four, two or one digits, if it exists. */
export function dayOf(year: string, month: string, day: string): LocalDate | null {
  const short = Number(year);
  const full = year.length === 4 ? year : String(short < PIVOT ? 2000 + short : 1900 + short);
  const text = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isLocalDate(text) ? text : null;
}

export interface DateGuess {
  readonly order: DateOrder;
  /** False if days and months could be exchanged in all of them. */
  readonly certain: boolean;
  /** All orders that read as many of the texts. */
  readonly orders: readonly DateOrder[];
  /** How many of the texts are days in this order. */
  readonly read: number;
}

/** What reading all texts in one order gives. */
interface OrderTally {
  readonly order: DateOrder;
  read: number;
  first: LocalDate | null;
  last: LocalDate | null;
  previous: LocalDate | null;
  later: number;
  earlier: number;
}

/**
 * The order of day, month and year that reads most of the texts, decided over all of them. If day and month could be
 * exchanged throughout, the order in which the days ascend or descend, or else lie closer together, is the likelier.
 */
export async function guessDateOrder(texts: Iterable<string>, reading: Reading): Promise<DateGuess> {
  const tallies = DATE_ORDERS.map(
    (order): OrderTally => ({
      order,
      read: 0,
      first: null,
      last: null,
      previous: null,
      later: 0,
      earlier: 0,
    }),
  );
  /** Pairs of orders that read a text as different days. */
  const different = new Set<string>();
  let dotted = false;
  for (const text of texts) {
    if (reading.worked(TEXT)) await reading.pause();
    dotted ||= DOTTED.test(text.slice(0, MAX_LENGTH));
    const days = tallies.map((tally) => counted(tally, readDate(text, tally.order)));
    for (const [at, day] of days.entries()) {
      for (const [other, that] of days.entries()) {
        if (day !== null && that !== null && day !== that) different.add(`${at} ${other}`);
      }
    }
  }
  const most = Math.max(...tallies.map(({ read }) => read));
  const best = closest(tallies.filter(({ read }) => read === most));
  const orders = best.map(({ order }) => order);
  const [first] = best;
  if (first === undefined || most === 0)
    return { order: 'ymd', certain: false, orders: DATE_ORDERS, read: 0 };
  const indexes = orders.map((order) => DATE_ORDERS.indexOf(order));
  if (indexes.every((at) => indexes.every((other) => !different.has(`${at} ${other}`)))) {
    return { order: first.order, certain: true, orders, read: most };
  }
  if (dotted && orders.includes('dmy')) return { order: 'dmy', certain: true, orders, read: most };
  const likeliest = best.toSorted(
    (a, b) =>
      Math.min(a.later, a.earlier) - Math.min(b.later, b.earlier) ||
      spanOf(a) - spanOf(b) ||
      rank(a.order) - rank(b.order),
  )[0];
  return { order: likeliest?.order ?? first.order, certain: false, orders, read: most };
}

function counted(tally: OrderTally, day: LocalDate | null): LocalDate | null {
  if (day === null) return null;
  tally.read += 1;
  if (tally.first === null || day < tally.first) tally.first = day;
  if (tally.last === null || day > tally.last) tally.last = day;
  if (tally.previous !== null && day > tally.previous) tally.later += 1;
  if (tally.previous !== null && day < tally.previous) tally.earlier += 1;
  tally.previous = day;
  return day;
}

/** Without orders that spread the days over decades, as the day of the month does where it is taken for the year. */
function closest(tallies: readonly OrderTally[]): OrderTally[] {
  const least = Math.min(...tallies.map(spanOf));
  return tallies.filter((tally) => spanOf(tally) <= least * 2 + YEAR_MS);
}

function spanOf({ first, last }: OrderTally): number {
  return first === null || last === null ? 0 : Date.parse(last) - Date.parse(first);
}

/** Most of the world writes the day first. */
function rank(order: DateOrder): number {
  return order === 'dmy' ? 0 : 1;
}
