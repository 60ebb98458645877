import Big from 'big.js';
import type { Reading } from './reading.ts';

export type DecimalSign = '.' | ',';

/** No amount of money is longer, with its currency and every kind of separator. */
const MAX_LENGTH = 60;
/** The work of looking at an amount, in characters. */
const TEXT = 60;
const MINUS = /[-\u2010-\u2015\u2212]/g;
const GROUPS = /^\d{1,3}(?:\d*|(?:([.,'’ ])\d{2,3}(?:\1\d{2,3})*))$/;
const AROUND = /^(?:[\p{L}\p{Sc}. ]{0,6})$/u;
const LETTERS = /[^\p{L}]/gu;
/** Behind the digits: credit and debit in English, German (Haben, Soll) and Romance languages. */
const IN_MARKS: ReadonlySet<string> = new Set(['CR', 'C', 'H']);
const OUT_MARKS: ReadonlySet<string> = new Set(['DR', 'DB', 'D', 'S']);

interface Pieces {
  readonly negative: boolean;
  /** Digits and separators only. */
  readonly body: string;
}

/**
 * The decimal text of an amount as people and banks write it, with the digits it has: `(1,234.50)`, `1.234,50-`,
 * `CHF 1’234.50`, `12.00 DR`. Without a decimal sign the last separator is it, so that a single one is never taken for
 * thousands. Null for anything else. No input takes longer than linear time.
 */
export function readAmount(text: string, sign: DecimalSign | null): string | null {
  const pieces = piecesOf(text);
  if (pieces === null) return null;
  const { body, negative } = pieces;
  const at = decimalPlace(body, sign);
  if (at === null) return null;
  const whole = at < 0 ? body : body.slice(0, at);
  const fraction = at < 0 ? '' : body.slice(at + 1);
  if (!/^\d*$/.test(fraction) || (whole === '' && fraction === '')) return null;
  if (whole !== '' && !grouped(whole, at < 0 ? (sign ?? '') : body.charAt(at))) return null;
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  if (digits.length > 30 || fraction.length > 30) return null;
  const decimal = fraction === '' ? digits : `${digits}.${fraction}`;
  return negative && /[1-9]/.test(decimal) ? `-${decimal}` : decimal;
}

function piecesOf(text: string): Pieces | null {
  if (text.length > MAX_LENGTH) return null;
  const plain = text.normalize('NFKC').replace(/\s/g, ' ').trim();
  const found = /^([^\d.,]*(?:\.(?!\d)[^\d.,]*)?)([.,]?\d(?:[\d.,'’ ]*[\d.,])?)(.*)$/.exec(plain);
  if (found === null) return null;
  const [, before = '', body = '', after = ''] = found;
  const around = before + after;
  const minus = around.match(MINUS)?.length ?? 0;
  const plus = around.match(/\+/g)?.length ?? 0;
  const brackets = before.includes('(') && after.includes(')');
  if (minus + plus > 1 || (brackets && minus + plus > 0)) return null;
  const [lead, tail] = [before, after].map((part) => part.replace(MINUS, '').replace(/[+]/g, ''));
  const bare = brackets ? [lead?.replace('(', ''), tail?.replace(')', '')] : [lead, tail];
  if (!bare.every((part) => AROUND.test(part ?? ''))) return null;
  const mark = (tail ?? '').replace(LETTERS, '').toUpperCase();
  const out = OUT_MARKS.has(mark);
  if (IN_MARKS.has(mark) && (minus > 0 || brackets)) return null;
  return { body, negative: minus > 0 || brackets || out };
}

/** Where the decimal sign is, -1 without one, null if the separators contradict each other. */
function decimalPlace(body: string, sign: DecimalSign | null): number | null {
  const [dot, comma] = [body.lastIndexOf('.'), body.lastIndexOf(',')];
  if (sign !== null) {
    const at = sign === '.' ? dot : comma;
    return at === body.indexOf(sign) ? at : null;
  }
  const last = Math.max(dot, comma);
  if (last < 0) return -1;
  const repeated = body.indexOf(body.charAt(last)) !== last;
  if (!repeated) return last;
  return dot >= 0 && comma >= 0 ? null : -1;
}

/** Thousands, or the lakhs of India, all with the same separator, which is not the decimal sign. */
function grouped(whole: string, decimalSign: string): boolean {
  if (/^\d+$/.test(whole)) return true;
  const [, separator] = GROUPS.exec(whole) ?? [];
  return (
    separator !== undefined && separator !== decimalSign && /\d{3}$/.test(whole) && /\D\d{3}$/.test(whole)
  );
}

export interface DecimalGuess {
  readonly sign: DecimalSign;
  /** False if every amount could be read either way, as `1.234` can. */
  readonly certain: boolean;
}

/** The decimal sign of amounts of one file, decided by all of them. */
export async function guessDecimalSign(texts: Iterable<string>, reading: Reading): Promise<DecimalGuess> {
  const votes = { '.': 0, ',': 0 };
  const weak = { '.': 0, ',': 0 };
  for (const text of texts) {
    if (reading.worked(TEXT)) await reading.pause();
    const body = piecesOf(text)?.body;
    if (body === undefined) continue;
    const vote = voteOf(body);
    if (vote === null) continue;
    if (vote.certain) votes[vote.sign] += 1;
    else weak[vote.sign] += 1;
  }
  if (votes['.'] !== votes[',']) return { sign: votes['.'] > votes[','] ? '.' : ',', certain: true };
  if (votes['.'] > 0) return { sign: '.', certain: false };
  const undecided = weak['.'] + weak[','] > 0;
  return { sign: weak[','] > weak['.'] ? ',' : '.', certain: !undecided };
}

function voteOf(body: string): DecimalGuess | null {
  const [dot, comma] = [body.lastIndexOf('.'), body.lastIndexOf(',')];
  if (dot < 0 && comma < 0) return null;
  const last = Math.max(dot, comma);
  const sign = dot > comma ? '.' : ',';
  const other = sign === '.' ? ',' : '.';
  if (dot >= 0 && comma >= 0) return { sign, certain: true };
  if (body.indexOf(sign) !== last) return { sign: other, certain: true };
  if (body.length - last - 1 !== 3 || last > 3 || last === 0 || body.startsWith('0'))
    return { sign, certain: true };
  return { sign: other, certain: false };
}

/** The sum of decimal texts, as a decimal text. */
export function sumOf(amounts: readonly string[]): string {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed();
}

export function equalAmounts(a: string, b: string): boolean {
  return new Big(a).eq(b);
}

/** The amount with the other sign; zero stays as it is. */
export function negated(amount: string): string {
  if (amount.startsWith('-')) return amount.slice(1);
  return /[1-9]/.test(amount) ? `-${amount}` : amount;
}
