import type { AccountType } from '../../vocabulary/account-types.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import { currencyCode } from '../../vocabulary/money.ts';
import type { TransactionClass } from '../../vocabulary/transactions.ts';
import { readAmount } from '../amounts.ts';
import { dayOf } from '../dates.ts';
import type { Reading } from '../reading.ts';
import { type Statement, UnusableFile } from '../statement-contract.ts';
import { firstText, StatementDraft } from '../statement-draft.ts';
import { type OfxHandler, readOfxElements } from './ofx-elements.ts';

/** Statements of bank accounts, cards and investments (OFX 2.2, 11.4 and 13.9). */
const STATEMENTS: ReadonlySet<string> = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS']);
const ROWS: ReadonlySet<string> = new Set(['STMTTRN', 'STMTTRNP']);
const LISTS: ReadonlySet<string> = new Set(['BANKTRANLIST', 'BANKTRANLISTP', 'INVTRANLIST']);
const ACCOUNTS: ReadonlySet<string> = new Set(['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM']);
/** Values inside these belong to them, not to the row or statement around them. */
const INNER: ReadonlySet<string> = new Set([
  'PAYEE',
  'CURRENCY',
  'ORIGCURRENCY',
  'BANKACCTTO',
  'CCACCTTO',
  'IMAGEDATA',
  'LEDGERBAL',
  'AVAILBAL',
  'BALLIST',
  'BAL',
  'FI',
  'STATUS',
]);
const TYPES: ReadonlyMap<string, AccountType> = new Map([
  ['CHECKING', 'transaction'],
  ['SAVINGS', 'savings'],
  ['MONEYMRKT', 'savings'],
  ['CREDITLINE', 'loan'],
  ['CD', 'term-deposit'],
]);
const TYPE_OF_STATEMENT: ReadonlyMap<string, AccountType> = new Map([
  ['CCSTMTRS', 'credit-card'],
  ['INVSTMTRS', 'investment'],
]);
const CLASSES: ReadonlyMap<string, TransactionClass> = new Map([
  ['INT', 'interest'],
  ['FEE', 'fee'],
  ['SRVCHG', 'fee'],
  ['XFER', 'transfer'],
  ['PAYMENT', 'payment'],
  ['DIRECTDEBIT', 'payment'],
  ['REPEATPMT', 'payment'],
  ['POS', 'payment'],
  ['CHECK', 'payment'],
]);
const MOMENT =
  /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?(?:\.(\d{1,3})\d{0,6})?)?\s?(?:\[([^\]]{1,20})\]?)?/;
const ZONE = /^([+-]?)(\d{1,2})(?:([.:])(\d{1,2}))?(?::[A-Za-z ]{0,12})?$/;

export interface OfxMoment {
  readonly date: LocalDate;
  /** RFC 3339; null without a zone, and for midnight and noon, which exporters write for a day. */
  readonly datetime: string | null;
}

/**
 * A date of OFX, `YYYYMMDDHHMMSS.mmm[offset:name]` with everything after the day optional (OFX 2.2, 3.2.8.2), or null.
 * The day is the one written: banks name the day of their books, and a conversion to another zone would move it.
 */
export function readOfxMoment(text: string): OfxMoment | null {
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone] = MOMENT.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return dashed(text);
  const date = dayOf(year, month, day);
  if (date === null) return null;
  if (hour === undefined || minute === undefined || zone === undefined) return { date, datetime: null };
  const offset = offsetOf(zone);
  const time = `${hour}:${minute}:${second}`;
  const filler = time === '00:00:00' || time === '12:00:00';
  if (offset === null || filler || time > '23:59:59' || Number(minute) > 59 || Number(second) > 59)
    return { date, datetime: null };
  const exact = /[1-9]/.test(fraction) ? `.${fraction}` : '';
  return { date, datetime: `${date}T${time}${exact}${offset}` };
}

/** Some exporters write `2026-01-31`. */
function dashed(text: string): OfxMoment | null {
  const [, year, month, day] = /^(\d{4})[-/](\d{2})[-/](\d{2})/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const date = dayOf(year, month, day);
  return date === null ? null : { date, datetime: null };
}

/** `-5:EST`, `+5.5`, `-3.30`: hours, with a fraction in tenths or quarters of an hour, or in minutes. */
function offsetOf(zone: string): string | null {
  if (/^(?:GMT|UTC|Z)$/i.test(zone)) return 'Z';
  const [, sign, hours, , part = ''] = ZONE.exec(zone) ?? [];
  if (hours === undefined || Number(hours) > 14) return null;
  const minutes =
    part.length === 1 ? Number(part) * 6 : /^(?:25|50|75)$/.test(part) ? Number(part) * 0.6 : Number(part);
  if (minutes > 59) return null;
  if (Number(hours) === 0 && minutes === 0) return 'Z';
  return `${sign === '-' ? '-' : '+'}${hours.padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

type Values = Map<string, string>;

/** Puts together statements from the elements of a file. */
class OfxStatements implements OfxHandler {
  readonly drafts: StatementDraft[] = [];
  readonly #reading: Reading;
  #statement: { readonly kind: string; readonly draft: StatementDraft; readonly values: Values } | null =
    null;
  #row: Values | null = null;
  #pending = false;
  /** The elements around, of those that matter, the innermost last. */
  readonly #inside: string[] = [];
  #institution: string | null = null;
  hasOfx = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  open(name: string): void {
    if (name === 'OFX') this.hasOfx = true;
    if (STATEMENTS.has(name)) {
      this.#endStatement();
      this.#statement = { kind: name, draft: new StatementDraft(), values: new Map() };
    } else if (ROWS.has(name)) {
      this.#endRow();
      this.#row = new Map();
      this.#pending = name === 'STMTTRNP';
    } else if (INNER.has(name) || LISTS.has(name) || ACCOUNTS.has(name)) this.#inside.push(name);
  }

  close(name: string): void {
    if (STATEMENTS.has(name)) this.#endStatement();
    else if (ROWS.has(name)) this.#endRow();
    else if (this.#inside.at(-1) === name) {
      this.#inside.pop();
      if (ACCOUNTS.has(name)) this.#nameAccount();
    }
  }

  value(name: string, text: string): void {
    if (name === 'ORG') this.#institution ??= text;
    const inside = this.#inside.at(-1);
    const into = this.#row ?? this.#statement?.values;
    if (into === undefined) return;
    const key =
      inside === undefined || (this.#row !== null && !INNER.has(inside)) ? name : `${inside}.${name}`;
    if (!into.has(key)) into.set(key, text);
  }

  /** As soon as the account is known, because rows are compared with its currency. */
  #nameAccount(): void {
    if (this.#statement === null) return;
    const { draft, kind, values } = this.#statement;
    const of = (member: string) => firstText([...ACCOUNTS].map((name) => values.get(`${name}.${member}`)));
    draft.account = {
      number: of('ACCTID'),
      bank: of('BANKID') ?? of('BROKERID') ?? this.#institution,
      name: null,
      type: TYPE_OF_STATEMENT.get(kind) ?? TYPES.get((of('ACCTTYPE') ?? '').toUpperCase()) ?? null,
      currency: currencyCode(values.get('CURDEF') ?? ''),
    };
  }

  #endStatement(): void {
    this.#endRow();
    if (this.#statement === null) return;
    const { draft, values } = this.#statement;
    this.#nameAccount();
    draft.from = startOf(values, 'DTSTART');
    draft.to = startOf(values, 'DTEND');
    const amount = readAmount(values.get('LEDGERBAL.BALAMT') ?? '', null);
    const asOf = readOfxMoment(values.get('LEDGERBAL.DTASOF') ?? '')?.date ?? null;
    if (amount !== null) draft.closing = { amount, date: asOf };
    this.drafts.push(draft);
    this.#statement = null;
    this.#inside.length = 0;
  }

  #endRow(): void {
    const row = this.#row;
    this.#row = null;
    if (row === null || this.#statement === null) return;
    const of = (name: string) => row.get(name) ?? null;
    const posted = of('DTPOSTED') ?? of('DTTRAN') ?? of('DTUSER');
    const moment = readOfxMoment(posted ?? '');
    const kind = (of('TRNTYPE') ?? '').toUpperCase();
    const check = of('CHECKNUM');
    const payee = of('PAYEE.NAME');
    this.#statement.draft.add(
      {
        date: moment?.date ?? null,
        datetime: moment?.datetime ?? null,
        valueDate: readOfxMoment(of('DTAVAIL') ?? '')?.date ?? null,
        amount: readAmount(of('TRNAMT') ?? '', null),
        currency: currencyCode(of('CURRENCY.CURSYM') ?? ''),
        reference: of('FITID') ?? of('REFNUM'),
        descriptions: [
          of('NAME'),
          payee,
          of('EXTDNAME'),
          of('MEMO'),
          check === null ? null : `CHECK ${check}`,
          kind,
        ],
        counterparty: payee,
        memo: of('MEMO'),
        class: CLASSES.get(kind) ?? 'other',
        pending: this.#pending,
      },
      this.#reading.nextRow(),
    );
  }
}

function startOf(values: Values, member: string): LocalDate | null {
  const text = [...LISTS].map((list) => values.get(`${list}.${member}`)).find((value) => value !== undefined);
  return readOfxMoment(text ?? '')?.date ?? null;
}

/** The statements of an OFX or QFX file, of either generation. Raises UnusableFile. */
export async function readOfx(text: string, reading: Reading): Promise<Statement[]> {
  const start = text.search(/<OFX\b/i);
  const prologue = text.slice(0, Math.max(start, 0));
  if (/<!(?:DOCTYPE|ENTITY)/i.test(prologue)) {
    throw new UnusableFile('entities', 'The file declares entities, which no bank needs.');
  }
  const statements = new OfxStatements(reading);
  await readOfxElements(text, reading, statements);
  if (statements.drafts.length === 0) {
    throw statements.hasOfx
      ? new UnusableFile(
          'empty',
          'The file contains no statement of an account. Download it again, with transactions.',
        )
      : new UnusableFile('malformed', 'The file begins like OFX and contains none of it. Download it again.');
  }
  return statements.drafts.map((draft) => draft.done());
}
