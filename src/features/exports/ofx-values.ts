import type { AccountType } from '../../vocabulary/account-types.ts';
import type { Transaction, TransactionClass } from '../../vocabulary/transactions.ts';

/** Most characters of elements, by the standard. */
export const OFX_CHARACTERS = { FITID: 255, NAME: 32, MEMO: 255, ACCTID: 22, BANKID: 9, TRNUID: 36 } as const;

/** ACCTTYPE by kind of account; the others have their own kind of statement. */
export const OFX_ACCOUNT_TYPES: Readonly<Record<Exclude<AccountType, 'credit-card'>, string>> = {
  transaction: 'CHECKING',
  savings: 'SAVINGS',
  loan: 'CREDITLINE',
  investment: 'CHECKING',
  'term-deposit': 'CD',
  other: 'CHECKING',
};

const TYPES: Readonly<Record<TransactionClass, string | null>> = {
  payment: null,
  transfer: 'XFER',
  fee: 'FEE',
  interest: 'INT',
  other: null,
};

/** TRNTYPE of a row. */
export function ofxTransactionType({ class: kind, direction }: Transaction): string {
  return (kind === null ? null : TYPES[kind]) ?? (direction === 'credit' ? 'CREDIT' : 'DEBIT');
}

/** A day in OFX format, without a time, so that readers do not shift it. */
export function ofxDay(day: string): string {
  return day.replaceAll('-', '');
}

/** A moment in UTC. @param epochMs epoch milliseconds */
export function ofxMoment(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}[0:GMT]`;
}

/** The vendor's digits, with no sign but `-`. */
export function ofxAmount(decimal: string): string {
  return decimal.replace(/^\+/, '');
}

/** Limits the length, removes characters that XML 1.0 does not allow, and collapses white space. */
export function ofxText(text: string, most: number): string {
  const clean = text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '');
  const characters = [...clean.trim()];
  return characters.slice(0, most).join('').trim();
}

/** An element with its text escaped. */
export function ofxElement(name: string, text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${name}>${escaped}</${name}>`;
}
