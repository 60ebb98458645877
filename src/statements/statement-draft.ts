import type { LocalDate } from '../vocabulary/moments.ts';
import type {
  Statement,
  StatementAccount,
  StatementBalance,
  StatementRow,
  UnreadableRow,
} from './statement-contract.ts';

export const NO_ACCOUNT: StatementAccount = {
  number: null,
  bank: null,
  name: null,
  type: null,
  currency: null,
};

/** A row as a format gives it: without a date or an amount it is unreadable, and texts may be empty or repeat each other. */
export interface RowDraft {
  readonly date: LocalDate | null;
  readonly amount: string | null;
  readonly valueDate?: LocalDate | null;
  readonly datetime?: string | null;
  readonly currency?: string | null;
  readonly reference?: string | null;
  /** What may describe the row, the best first; the first that is not empty does. */
  readonly descriptions: ReadonlyArray<string | null | undefined>;
  readonly counterparty?: string | null;
  readonly memo?: string | null;
  readonly class?: StatementRow['class'];
  readonly category?: string | null;
  readonly pending?: boolean;
}

/** A row whose currency may turn out to be that of the account. */
interface ReadRow extends Omit<StatementRow, 'currency'> {
  currency: string | null;
}

/** The statement of one account while its file is read. */
export class StatementDraft {
  account: StatementAccount = NO_ACCOUNT;
  closing: StatementBalance | null = null;
  from: LocalDate | null = null;
  to: LocalDate | null = null;
  readonly #rows: ReadRow[] = [];
  readonly #unreadable: UnreadableRow[] = [];

  /** The row is added to the rows or, without date or amount, to the unreadable ones. */
  add(draft: RowDraft, position: number): void {
    const read = rowOf(draft, position, this.account.currency);
    if ('field' in read) this.#unreadable.push(read);
    else this.#rows.push(read);
  }

  /** A row that the format gives no way to read. */
  addUnreadable(position: number): void {
    this.#unreadable.push({ position, field: 'row' });
  }

  /** Where only the rows have a currency, and all have one, it is that of the account. */
  done(): Statement {
    const [first] = this.#rows;
    const shared = this.account.currency === null ? (first?.currency ?? null) : null;
    const own = shared !== null && this.#rows.every(({ currency }) => currency === shared);
    // In place: a copy of many rows would take longer than a slice of work may.
    if (own) for (const row of this.#rows) row.currency = null;
    return {
      account: own ? { ...this.account, currency: shared } : this.account,
      rows: this.#rows,
      closing: this.closing,
      from: this.from,
      to: this.to,
      unreadable: this.#unreadable,
    };
  }
}

/** The row, or the field for which it cannot be read. */
export function rowOf(
  draft: RowDraft,
  position: number,
  accountCurrency: string | null,
): ReadRow | UnreadableRow {
  const { date, amount } = draft;
  if (date === null) return { position, field: amount === null ? 'row' : 'date' };
  if (amount === null) return { position, field: 'amount' };
  const description = firstText(draft.descriptions) ?? amount;
  const memo = tidied(draft.memo);
  const currency = draft.currency ?? null;
  return {
    reference: tidied(draft.reference),
    date,
    valueDate: draft.valueDate ?? null,
    datetime: draft.datetime ?? null,
    amount,
    currency: currency === accountCurrency ? null : currency,
    description,
    counterparty: tidied(draft.counterparty),
    memo: memo === description ? null : memo,
    class: draft.class ?? 'other',
    category: tidied(draft.category),
    pending: draft.pending ?? false,
    position,
  };
}

/** The first of the texts that has any words, with its spaces reduced. */
export function firstText(texts: ReadonlyArray<string | null | undefined>): string | null {
  for (const text of texts) {
    const words = tidied(text);
    if (words !== null) return words;
  }
  return null;
}

/** One space between words, and control characters left out, which no text of a bank means; null if nothing is left. */
export function tidied(text: string | null | undefined): string | null {
  const words = (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return words === '' ? null : words;
}

/** One statement for each account, in the order in which the file names them first. */
export function mergedByAccount(statements: readonly Statement[]): Statement[] {
  const byAccount = new Map<string, Statement[]>();
  for (const statement of statements) {
    const { number, bank, name, type, currency } = statement.account;
    const key = JSON.stringify(number === null ? [null, name, type, currency] : [number, bank, currency]);
    const same = byAccount.get(key);
    if (same === undefined) byAccount.set(key, [statement]);
    else same.push(statement);
  }
  return [...byAccount.values()].map(merged);
}

function merged(statements: readonly Statement[]): Statement {
  const [first, ...others] = statements;
  if (first === undefined) throw new RangeError('no statement to merge');
  if (others.length === 0) return first;
  return {
    account: first.account,
    rows: statements.flatMap(({ rows }) => rows),
    closing: statements.reduce<StatementBalance | null>((last, { closing }) => newer(last, closing), null),
    from: statements.reduce<LocalDate | null>(
      (least, { from }) => (from !== null && (least === null || from < least) ? from : least),
      null,
    ),
    to: statements.reduce<LocalDate | null>(
      (most, { to }) => (to !== null && (most === null || to > most) ? to : most),
      null,
    ),
    unreadable: statements.flatMap(({ unreadable }) => unreadable),
  };
}

function newer(last: StatementBalance | null, next: StatementBalance | null): StatementBalance | null {
  if (last === null || next === null) return next ?? last;
  return last.date !== null && next.date !== null && next.date < last.date ? last : next;
}
