import { VendorRefusal } from '../kit/failures.ts';
import type {
  ChangedTransaction,
  NewTransaction,
  Saved,
  SentFields,
  Transaction,
  YnabApi,
} from './client.ts';
import type { ExistingTransaction } from './existing-transactions.ts';
import { type SendableRow, textMark } from './rows.ts';

/** A transaction to import. */
export function newTransaction(row: SendableRow, account: string, importId: string): NewTransaction {
  return {
    account_id: account,
    date: row.date,
    amount: row.milliunits,
    payee_name: row.payee,
    memo: row.memo,
    cleared: row.cleared,
    import_id: importId,
    ...(row.category === null ? {} : { category_id: row.category }),
  };
}

/**
 * What to change so that a transaction shows the row in that account; null if nothing. A person's changes are kept:
 * reconciled or split transactions entirely, a payee they renamed, and the category of a transaction they approved.
 */
export function changeOf(
  existing: ExistingTransaction,
  row: SendableRow,
  account: string,
): ChangedTransaction | null {
  if (existing.cleared === 'reconciled' || existing.split) return null;
  const { category } = row;
  const payeeDiffers = !existing.renamed && existing.payeeMark !== textMark(row.payee);
  const categoryDiffers =
    category !== null && category !== existing.category && (!existing.approved || existing.category === null);
  const fields: SentFields = {
    ...(existing.account === account ? {} : { account_id: account }),
    ...(existing.date === row.date ? {} : { date: row.date }),
    ...(existing.amount === row.milliunits ? {} : { amount: row.milliunits }),
    ...(payeeDiffers ? { payee_name: row.payee } : {}),
    ...(existing.memoMark === textMark(row.memo) ? {} : { memo: row.memo }),
    ...(categoryDiffers ? { category_id: category } : {}),
    ...(existing.cleared === row.cleared ? {} : { cleared: row.cleared }),
  };
  return Object.keys(fields).length === 0 ? null : { id: existing.id, ...fields };
}

/**
 * Whether to delete a transaction whose row is gone from the bank. It is kept if a person has approved, split or
 * reconciled it. A category proves nothing: YNAB silently assigns one to every import whose payee it knows.
 */
export function isRemovable({ approved, split, cleared }: ExistingTransaction): boolean {
  return !approved && !split && cleared !== 'reconciled';
}

/** After this many refused calls in one run, the problem is not individual rows. */
const MOST_REFUSALS = 64;

/** Sends items together, and finds the ones that the vendor refuses by bisection. */
class RefusableBatches {
  #refusals = 0;

  /**
   * @param halves splits items that were refused together; each half has at least one
   * @param refused called for an item that is refused on its own
   * @param isRefusal whether the refusal may be about individual items
   */
  async send<T>(
    items: readonly T[],
    parts: {
      readonly send: (items: readonly T[]) => Promise<void>;
      readonly halves: (items: readonly T[]) => readonly [readonly T[], readonly T[]];
      readonly isRefusal: (refusal: VendorRefusal) => boolean;
      readonly refused: (item: T) => void;
    },
  ): Promise<void> {
    const [only] = items;
    if (only === undefined) return;
    try {
      await parts.send(items);
    } catch (error) {
      if (!(error instanceof VendorRefusal) || !parts.isRefusal(error)) throw error;
      this.#refusals += 1;
      if (this.#refusals > MOST_REFUSALS) throw error;
      if (items.length === 1) {
        parts.refused(only);
        return;
      }
      for (const half of parts.halves(items)) await this.send(half, parts);
    }
  }
}

/** Two halves, the first at least as large as the second. */
function inHalf<T>(items: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** YNAB documents no limit for a bulk call; others send this many. */
export const MOST_AT_ONCE = 500;

interface Callbacks<Item> {
  readonly signal: AbortSignal;
  /** A transaction as it is after the call. */
  readonly saved: (transaction: Transaction) => void;
  /** An item that YNAB refuses on its own. */
  readonly refused: (item: Item) => void;
}

/** Writes transactions of one plan in bulk, and separates the ones that YNAB refuses. */
export class TransactionWrites {
  readonly #api: YnabApi;
  readonly #plan: string;
  readonly #surelyLast: () => string;
  readonly #batches = new RefusableBatches();
  /** Categories of the plan; null until a refusal makes them worth requesting. */
  #categories: ReadonlySet<string> | null = null;
  /** Successful calls: each has written something. */
  answered = 0;

  /** @param surelyLast the last day that YNAB certainly accepts */
  constructor(api: YnabApi, plan: string, surelyLast: () => string) {
    this.#api = api;
    this.#plan = plan;
    this.#surelyLast = surelyLast;
  }

  /** @param callbacks `duplicate` is called for an import id that already existed in its account */
  async create(
    items: readonly NewTransaction[],
    callbacks: Callbacks<NewTransaction> & { readonly duplicate: (importId: string) => void },
  ): Promise<void> {
    const { signal } = callbacks;
    await this.#batches.send(items, {
      send: async (some) => {
        const saved = await this.#withKnownCategories(some, signal, (these) =>
          this.#api.create(this.#plan, these, signal),
        );
        this.#noteSaved(saved, callbacks);
        for (const id of saved.duplicates) callbacks.duplicate(id);
      },
      halves: (some) => this.#halves(some),
      isRefusal: ({ status }) => status === 400,
      refused: callbacks.refused,
    });
  }

  async update(
    items: readonly ChangedTransaction[],
    callbacks: Callbacks<ChangedTransaction>,
  ): Promise<void> {
    const { signal } = callbacks;
    await this.#batches.send(items, {
      send: async (some) => {
        const saved = await this.#withKnownCategories(some, signal, (these) =>
          this.#api.update(this.#plan, these, signal),
        );
        this.#noteSaved(saved, callbacks);
      },
      halves: inHalf,
      isRefusal: ({ status }) => status === 400,
      refused: callbacks.refused,
    });
  }

  async remove(transaction: string, signal: AbortSignal): Promise<void> {
    await this.#api.remove(this.#plan, transaction, signal);
    this.answered += 1;
  }

  #noteSaved({ transactions }: Saved, { saved }: Pick<Callbacks<unknown>, 'saved'>): void {
    this.answered += 1;
    for (const transaction of transactions) saved(transaction);
  }

  /** Those of a day that may be in the future for YNAB, separately from all others. */
  #halves(items: readonly NewTransaction[]) {
    const surelyLast = this.#surelyLast();
    const unconfirmed = items.filter(({ date }) => date > surelyLast);
    if (unconfirmed.length === 0 || unconfirmed.length === items.length) return inHalf(items);
    return [items.filter(({ date }) => date <= surelyLast), unconfirmed] as const;
  }

  /** A row whose mapped category was deleted is sent without one: refused rows are checked once for that. */
  async #withKnownCategories<Item extends { readonly category_id?: string }>(
    items: readonly Item[],
    signal: AbortSignal,
    send: (items: readonly Item[]) => Promise<Saved>,
  ): Promise<Saved> {
    const asked = this.#categories !== null;
    try {
      return await send(items.map((item) => this.#withKnownCategory(item)));
    } catch (error) {
      const looks = !asked && items.some(({ category_id: category }) => category !== undefined);
      if (!looks || !(error instanceof VendorRefusal) || error.status !== 400) throw error;
      const groups = await this.#api.categories(this.#plan, signal);
      const all = groups.filter(({ deleted }) => !deleted).flatMap(({ categories }) => categories);
      this.#categories = new Set(all.filter(({ deleted }) => !deleted).map(({ id }) => id));
      if (items.every((item) => this.#withKnownCategory(item) === item)) throw error;
      return send(items.map((item) => this.#withKnownCategory(item)));
    }
  }

  #withKnownCategory<Item extends { readonly category_id?: string }>(item: Item): Item {
    const { category_id: category } = item;
    if (category === undefined || this.#categories === null || this.#categories.has(category)) return item;
    return { ...item, category_id: undefined };
  }
}
