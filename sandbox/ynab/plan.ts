import { type Static, Type } from 'typebox';
import type { Currency } from './currency.ts';

/** How far a transaction matches the bank's statement. */
export const Cleared = Type.Union([
  Type.Literal('cleared'),
  Type.Literal('uncleared'),
  Type.Literal('reconciled'),
]);
export type Cleared = Static<typeof Cleared>;

/** A transaction of a plan. Amounts are milliunits. */
export interface HeldTransaction {
  readonly id: string;
  account: string;
  date: string;
  amount: number;
  memo: string | null;
  cleared: Cleared;
  approved: boolean;
  payee: string | null;
  category: string | null;
  readonly importId: string | null;
  /** The payee as imported, before rules renamed it. */
  readonly importPayee: string | null;
  matched: string | null;
  deleted: boolean;
  /** The plan's knowledge when it last changed. */
  knowledge: number;
  parts: readonly HeldPart[];
}

/** A part of a split transaction. */
export interface HeldPart {
  readonly id: string;
  readonly amount: number;
  readonly memo: string | null;
  readonly category: string | null;
}

export interface HeldAccount {
  readonly id: string;
  name: string;
  readonly type: string;
  closed: boolean;
  deleted: boolean;
  readonly transferPayee: string;
}

interface HeldCategory {
  readonly id: string;
  name: string;
  hidden: boolean;
  deleted: boolean;
  readonly internal: boolean;
}

export interface HeldGroup {
  readonly id: string;
  readonly name: string;
  readonly hidden: boolean;
  readonly internal: boolean;
  readonly categories: readonly HeldCategory[];
}

/** A plan and all its contents. */
export class Plan {
  readonly id: string;
  name: string;
  readonly currency: Currency;
  readonly accounts: HeldAccount[];
  readonly groups: readonly HeldGroup[];
  readonly #transactions = new Map<string, HeldTransaction>();
  /** By account and import id, including deleted ones. */
  readonly #imported = new Map<string, string>();
  /** The category last used with each payee. */
  readonly #categoryOfPayee = new Map<string, string>();
  knowledge = 1;

  constructor(parts: {
    readonly id: string;
    readonly name: string;
    readonly currency: Currency;
    readonly accounts: readonly HeldAccount[];
    readonly groups: readonly HeldGroup[];
  }) {
    this.id = parts.id;
    this.name = parts.name;
    this.currency = parts.currency;
    this.accounts = [...parts.accounts];
    this.groups = parts.groups;
  }

  account(id: string): HeldAccount | null {
    return this.accounts.find((account) => account.id === id && !account.deleted) ?? null;
  }

  category(id: string): HeldCategory | null {
    return this.categories().find((category) => category.id === id) ?? null;
  }

  categories(): readonly HeldCategory[] {
    return this.groups.flatMap(({ categories }) => categories);
  }

  /** In the order of arrival, including deleted ones. */
  all(): IterableIterator<HeldTransaction> {
    return this.#transactions.values();
  }

  /** Null also for a deleted one. */
  transaction(id: string): HeldTransaction | null {
    const found = this.#transactions.get(id);
    return found === undefined || found.deleted ? null : found;
  }

  /** The first that arrived, in any account. */
  byImport(importId: string): HeldTransaction | null {
    for (const one of this.#transactions.values()) if (one.importId === importId && !one.deleted) return one;
    return null;
  }

  /** The transaction that an account imported under the id, if it has not been deleted since, or `deleted`. */
  imported(account: string, importId: string): HeldTransaction | 'deleted' | null {
    const id = this.#imported.get(`${account} ${importId}`);
    if (id === undefined) return null;
    return this.transaction(id) ?? 'deleted';
  }

  /** The category last used with the payee, which imports without one get. */
  usualCategory(payee: string): string | null {
    const id = this.#categoryOfPayee.get(payee) ?? '';
    return this.category(id)?.deleted === false ? id : null;
  }

  put(transaction: HeldTransaction): void {
    const { id, account, importId, payee, category, parts } = transaction;
    if (payee !== null && category !== null && parts.length === 0) this.#categoryOfPayee.set(payee, category);
    this.#transactions.set(id, transaction);
    if (importId !== null) this.#imported.set(`${account} ${importId}`, id);
  }

  /** Changes a transaction, and increments the plan's knowledge. */
  change(transaction: HeldTransaction, fields: Partial<Omit<HeldTransaction, 'id' | 'importId'>>): void {
    const { account, importId } = transaction;
    if (importId !== null && fields.account !== undefined) this.#imported.delete(`${account} ${importId}`);
    Object.assign(transaction, fields);
    this.knowledge += 1;
    transaction.knowledge = this.knowledge;
    this.put(transaction);
  }

  /** Milliunits of an account. */
  balance(account: string): { readonly cleared: number; readonly uncleared: number } {
    let [cleared, uncleared] = [0, 0];
    for (const one of this.#transactions.values()) {
      if (one.deleted || one.account !== account) continue;
      if (one.cleared === 'uncleared') uncleared += one.amount;
      else cleared += one.amount;
    }
    return { cleared, uncleared };
  }
}
