import { addDays, type LocalDate, localDate } from '../../../vocabulary/moments.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { Transaction } from './client.ts';
import { isOwnImportId, isPendingImportId, textMark } from './rows.ts';

/** One of our transactions as it is in the plan, without its texts. */
export interface ExistingTransaction {
  readonly id: string;
  readonly importId: string;
  readonly account: string;
  readonly date: string;
  /** Milliunits. */
  readonly amount: number;
  readonly payeeMark: string;
  /** Whether the payee differs from the imported one: a person, or one of their rules, renamed it. */
  readonly renamed: boolean;
  readonly memoMark: string;
  readonly category: string | null;
  readonly cleared: string;
  /** Whether a person has looked at it and accepted it. */
  readonly approved: boolean;
  readonly split: boolean;
}

/** The plan's transactions of those days; null if they are more than one answer may hold. */
export type ReadTransactions = (
  since: LocalDate,
  until: LocalDate | null,
  signal: AbortSignal,
) => Promise<readonly Transaction[] | null>;

/**
 * What this service has imported into a plan, read as far back as requested: about 300 bytes per transaction, without
 * what people entered. It covers the plan rather than each account, since a person, or a changed mapping, may move a
 * transaction.
 */
export class ExistingTransactions {
  readonly #read: ReadTransactions;
  readonly #today: () => LocalDate;
  readonly #byId = new Map<string, ExistingTransaction>();
  readonly #idsByImport = new Map<string, readonly string[]>();
  /** Ids of transactions that were imported as pending. */
  readonly #pending = new Set<string>();
  readonly #shared = new Map<string, string>();
  #since: LocalDate | null = null;
  /** Whether only YNAB knows some of what was imported since. */
  #behind = false;

  constructor(read: ReadTransactions, today: () => LocalDate) {
    this.#read = read;
    this.#today = today;
  }

  /** Loads every transaction from that day on. */
  async reach(since: LocalDate, signal: AbortSignal): Promise<void> {
    if (this.#since !== null && this.#since <= since) return;
    await this.#load(since, this.#since === null ? null : addDays(this.#since, -1), signal);
    this.#since = since;
  }

  /** Like `reach`, and also loads what this attempt imported. */
  async reachAll(since: LocalDate, signal: AbortSignal): Promise<void> {
    await this.reach(since, signal);
    if (!this.#behind) return;
    await this.refresh(since, signal);
    this.#behind = false;
  }

  /** Reads again what may have been created in the meantime. */
  async refresh(since: LocalDate, signal: AbortSignal): Promise<void> {
    await this.#load(since, null, signal);
  }

  byId(id: string): ExistingTransaction | null {
    return this.#byId.get(id) ?? null;
  }

  /** The one in that account, if there are several: an import id is only unique within its account. */
  byImport(importId: string, account: string): ExistingTransaction | null {
    const all = (this.#idsByImport.get(importId) ?? []).flatMap((id) => this.#byId.get(id) ?? []);
    return all.find((one) => one.account === account) ?? all[0] ?? null;
  }

  /** Those with this day, amount and account that were imported as pending and are no longer uncleared. */
  settled(account: string, date: string, amount: number): readonly ExistingTransaction[] {
    return [...this.#pending]
      .flatMap((id) => this.#byId.get(id) ?? [])
      .filter((one) => one.account === account && one.date === date && one.amount === amount)
      .filter(({ cleared }) => cleared !== 'uncleared');
  }

  /**
   * Adds a transaction that was just imported. A first sync imports every row, and rarely needs one of them again:
   * `reachAll` then reads them. Only those imported as pending must be known for later rows.
   */
  noteImported(transaction: Transaction): void {
    if (isPendingImportId(transaction.import_id)) this.note(transaction);
    else this.#behind = true;
  }

  /** A transaction as it now is in YNAB. */
  note(transaction: Transaction): void {
    const { id, import_id: importId } = transaction;
    if (transaction.deleted) this.forget(id);
    if (transaction.deleted || !isOwnImportId(importId)) return;
    const others = this.#idsByImport.get(importId) ?? [];
    if (!others.includes(id)) this.#idsByImport.set(importId, [...others, id]);
    const {
      payee_name: payee = null,
      import_payee_name: imported = null,
      category_id: category,
    } = transaction;
    if (isPendingImportId(importId)) this.#pending.add(id);
    this.#byId.set(id, {
      id,
      importId,
      account: this.#one(transaction.account_id),
      date: this.#one(transaction.date),
      amount: transaction.amount,
      payeeMark: textMark(payee),
      renamed: payee !== imported,
      memoMark: textMark(transaction.memo),
      category: category === null || category === undefined ? null : this.#one(category),
      cleared: this.#one(transaction.cleared),
      approved: transaction.approved,
      split: transaction.subtransactions.some(({ deleted }) => deleted !== true),
    });
  }

  forget(id: string): void {
    this.#byId.delete(id);
    this.#pending.delete(id);
  }

  async #load(since: LocalDate, until: LocalDate | null, signal: AbortSignal): Promise<void> {
    for await (const found of inDays(this.#read, this.#today, since, until, signal)) {
      for (const transaction of found) this.note(transaction);
    }
  }

  /** Few accounts, days and categories recur in many transactions: one string of each is enough. */
  #one(text: string): string {
    const known = this.#shared.get(text);
    if (known !== undefined) return known;
    this.#shared.set(text, text);
    return text;
  }
}

/** One answer if possible, else by halves of the days. @param until null for no end */
export async function* inDays(
  read: ReadTransactions,
  today: () => LocalDate,
  since: LocalDate,
  until: LocalDate | null,
  signal: AbortSignal,
): AsyncGenerator<readonly Transaction[]> {
  if (until !== null && until < since) return;
  const found = await read(since, until, signal);
  if (found !== null) {
    yield found;
    return;
  }
  const now = today();
  const last = until ?? (now > since ? now : since);
  const days = Math.round((Date.parse(last) - Date.parse(since)) / 86_400_000);
  if (days < 1) throw tooMany();
  const middle = addDays(since, Math.floor(days / 2));
  // The later half first: a usual run needs its rows.
  yield* inDays(read, today, addDays(middle, 1), until, signal);
  yield* inDays(read, today, since, middle, signal);
}

function tooMany(): DestinationFailure {
  return new DestinationFailure(
    'run_failed',
    'YNAB has more transactions of one day than an answer may hold: raise LIMIT_ANSWER_LIST_BYTES.',
    { outcome: 'refused', retryable: false },
  );
}

/** The earlier of two days, as YNAB or a row writes them. */
export function earlierDay(a: LocalDate, b: string): LocalDate {
  return b < a ? localDate(b) : a;
}
