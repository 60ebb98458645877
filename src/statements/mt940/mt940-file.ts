import { isLocalDate, type LocalDate } from '../../vocabulary/moments.ts';
import { currencyCode } from '../../vocabulary/money.ts';
import type { TransactionClass } from '../../vocabulary/transactions.ts';
import { negated, readAmount } from '../amounts.ts';
import { dayOf } from '../dates.ts';
import type { Reading } from '../reading.ts';
import {
  type Statement,
  type StatementAccount,
  type StatementBalance,
  UnusableFile,
} from '../statement-contract.ts';
import { NO_ACCOUNT, type RowDraft, StatementDraft } from '../statement-draft.ts';
import { textLines } from '../text-lines.ts';
import { detailsOf } from './mt940-details.ts';

interface Field {
  readonly tag: string;
  readonly lines: string[];
}

/** Tags of MT940 and MT942; other texts between colons, such as times, are part of the text around them. */
const TAG = /^:(13D?|20|21|25P?|28C?|34F|60[FM]|61|62[FM]|64|65|86|90[CD]|NS):/;
/** Subfields of `:61:` (SWIFT MT940): value date, entry date, mark, third letter of the currency, amount, kind, references. */
const LINE =
  /^(\d{6})\s?(\d{4}|\s{4})?\s{0,4}(R?[CD]|E[CD]|CR|DR)([A-Z])?\s?(\d[\d.]{0,20}(?:,\d{0,10})?|,\d{1,10}|\d{1,20}\.\d{1,10})\s?([A-Z][A-Z0-9]{3})?(.*)$/s;
const BALANCE = /^([CD])\s?(\d{6})\s?([A-Z]{3})\s?([\d.,]{1,25})/;
const NONE = /^(?:NONREF|NOREF|0*)$/i;
/** Charges and interest by the kind of `:61:` and by the code of German banks in front of `:86:`. */
const CLASSES: ReadonlyMap<string, TransactionClass> = new Map([
  ['CHG', 'fee'],
  ['COM', 'fee'],
  ['BRF', 'fee'],
  ['INT', 'interest'],
  ['TRF', 'transfer'],
  ['DDT', 'payment'],
  ['CHK', 'payment'],
  ['808', 'fee'],
  ['809', 'fee'],
  ['814', 'interest'],
]);

/** The statements of an MT940 or MT942 file, as many as it has. Raises UnusableFile. */
export async function readMt940(text: string, reading: Reading): Promise<Statement[]> {
  const statements = new Mt940Statements(reading);
  let field: Field | null = null;
  const next = (following: Field | null) => {
    if (field !== null) statements.field(field);
    field = following;
  };
  for await (const lines of textLines(text, reading)) {
    for (const raw of lines) {
      const line = withoutEnvelope(raw);
      const [whole, tag] = TAG.exec(line) ?? [];
      if (whole !== undefined && tag !== undefined) next({ tag, lines: [line.slice(whole.length)] });
      else if (line === '-' || line === '-}' || line.startsWith('-}')) next(null);
      else addLine(field, line);
    }
  }
  next(null);
  const done = statements.done();
  if (done.length === 0) {
    throw new UnusableFile(
      'malformed',
      'The file begins like MT940 and contains no statement. Download it again.',
    );
  }
  return done;
}

function addLine(field: Field | null, line: string): void {
  if (line.trim() !== '') field?.lines.push(line);
}

/** A line without the blocks of SWIFT around the statement: `{1:…}{2:…}{4:`, and the bytes before the first tag. */
function withoutEnvelope(raw: string): string {
  const line = raw.replace(/^[\p{Cc}\ufeff]+/u, '');
  if (!line.startsWith('{')) return line;
  const start = line.indexOf('{4:');
  return start < 0 ? '' : line.slice(start + 3);
}

class Mt940Statements {
  readonly #reading: Reading;
  readonly #done: StatementDraft[] = [];
  #draft: StatementDraft | null = null;
  /** The `:61:` whose `:86:` may follow. */
  #line: { readonly field: Field; readonly position: number } | null = null;
  #closed = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  field(field: Field): void {
    const text = field.lines[0] ?? '';
    // Some exporters write the details of a row with the tag of the account.
    const isDetails =
      field.tag === '86' || (field.tag === '25' && this.#line !== null && /^\d{3}\?/.test(text));
    this.#endLine(isDetails ? field.lines : null);
    if (isDetails) return;
    switch (field.tag) {
      case '20':
        this.#begin();
        break;
      case '25':
      case '25P':
        this.#current().account = accountOf(field.lines);
        break;
      case '60F':
      case '60M':
        if (this.#closed) this.#begin();
        this.#balance(text, (draft, { date }) => {
          draft.from = date;
        });
        break;
      case '61':
        this.#line = { field, position: this.#reading.nextRow() };
        break;
      case '62F':
      case '62M':
        this.#closed = true;
        this.#balance(text, (draft, balance) => {
          draft.closing = balance;
          draft.to = balance.date;
        });
        break;
      case '34F': {
        const draft = this.#current();
        draft.account = {
          ...draft.account,
          currency: draft.account.currency ?? currencyCode(text.slice(0, 3)),
        };
        break;
      }
    }
  }

  done(): Statement[] {
    this.#endLine(null);
    return this.#done.map((draft) => draft.done());
  }

  #begin(): StatementDraft {
    const draft = new StatementDraft();
    this.#closed = false;
    // Some banks write the account only in the first of several statements.
    if (this.#draft !== null) draft.account = this.#draft.account;
    this.#draft = draft;
    this.#done.push(draft);
    return draft;
  }

  #current(): StatementDraft {
    return this.#draft ?? this.#begin();
  }

  #balance(text: string, use: (draft: StatementDraft, balance: StatementBalance) => void): void {
    const [, mark, date, currency, digits] = BALANCE.exec(text.trim()) ?? [];
    const amount = readAmount(digits ?? '', ',') ?? readAmount(digits ?? '', null);
    const draft = this.#current();
    if (currency !== undefined) draft.account = { ...draft.account, currency: currencyCode(currency) };
    if (amount === null) return;
    use(draft, { amount: mark === 'D' ? negated(amount) : amount, date: shortDate(date ?? '') });
  }

  #endLine(details: readonly string[] | null): void {
    const line = this.#line;
    this.#line = null;
    if (line === null) return;
    this.#current().add(rowOf(line.field.lines, details), line.position);
  }
}

function rowOf([first = '', ...following]: readonly string[], lines: readonly string[] | null): RowDraft {
  const whole = LINE.exec(first.slice(0, 200));
  // Some exporters wrap a long line, so that it continues in the next one.
  const found = whole ?? LINE.exec([first, ...following].join('').slice(0, 200));
  const supplementary = whole === null ? [] : following;
  const [, value, entry, mark, , digits, kind = '', references = ''] = found ?? [];
  const details = detailsOf(lines ?? []);
  const valueDate = valueDay(value ?? '');
  const amount = readAmount(digits ?? '', ',') ?? readAmount(digits ?? '', null);
  // A reversed credit takes money back, and a reversed debit returns it.
  const out = mark === 'D' || mark === 'RC' || mark === 'ED' || mark === 'DR';
  const [own = '', bank = ''] = references.split('//', 2);
  const extra = supplementary.join(' ');
  return {
    date: valueDate === null ? null : (entryDate(valueDate, entry) ?? valueDate),
    valueDate,
    amount: amount !== null && out ? negated(amount) : amount,
    reference: NONE.test(bank.trim()) ? null : bank,
    descriptions: [
      details.counterparty,
      details.memo,
      details.kind,
      extra,
      NONE.test(own.trim()) ? null : own,
      kind,
    ],
    counterparty: details.counterparty,
    memo: details.memo ?? details.kind ?? extra,
    class: CLASSES.get(details.code ?? '') ?? CLASSES.get(kind.slice(1)) ?? 'other',
    pending: mark === 'EC' || mark === 'ED',
  };
}

/** `YYMMDD`. */
function shortDate(text: string): LocalDate | null {
  return /^\d{6}$/.test(text) ? dayOf(text.slice(0, 2), text.slice(2, 4), text.slice(4)) : null;
}

/** As `shortDate`; months of interest have 30 days, so the 30th of February is its last day. */
function valueDay(text: string): LocalDate | null {
  const month = text.slice(0, 4);
  const days = [text, `${month}29`, `${month}28`].map(shortDate);
  return text.endsWith('30') || text.endsWith('29')
    ? (days.find((day) => day !== null) ?? null)
    : shortDate(text);
}

/** `MMDD` in the year that puts it closest to the value date: entries of January may have values of December. */
function entryDate(value: LocalDate, entry: string | undefined): LocalDate | null {
  if (entry === undefined || entry.trim() === '') return null;
  const year = Number(value.slice(0, 4));
  const days = [year, year - 1, year + 1]
    .map((of) => `${String(of).padStart(4, '0')}-${entry.slice(0, 2)}-${entry.slice(2)}`)
    .filter(isLocalDate);
  const distance = (day: LocalDate) => Math.abs(Date.parse(day) - Date.parse(value));
  return days.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** `BLZ/number`, `BIC/IBAN`, a number alone, each perhaps with the currency behind it. */
function accountOf(lines: readonly string[]): StatementAccount {
  const text = lines.join('').trim().slice(0, 200);
  const [, whole = text, code] = /^(.*?[\d/])\s?([A-Z]{3})$/.exec(text) ?? [];
  const slash = whole.indexOf('/');
  const [bank, number] = slash < 0 ? [null, whole] : [whole.slice(0, slash), whole.slice(slash + 1)];
  return {
    ...NO_ACCOUNT,
    number: number.trim() === '' ? bank : number.trim(),
    bank: bank === '' ? null : (bank?.trim() ?? null),
    currency: code === undefined ? null : currencyCode(code),
  };
}
