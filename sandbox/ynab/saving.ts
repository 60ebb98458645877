import { randomUUID } from 'node:crypto';
import { ynabError } from './errors.ts';
import type { HeldPart, HeldTransaction, Plan } from './plan.ts';
import type { ChangeBody, NewBody } from './save-input.ts';
import type { Settings } from './settings.ts';

const DAY_MS = 86_400_000;
const MATCH_DAYS = 10;
const OLDEST_YEARS = 5;
const LIMITS = { payee_name: 200, memo: 500, import_id: 36 } as const;

export interface Created {
  readonly transactions: readonly HeldTransaction[];
  readonly duplicates: readonly string[];
}

/** Creates and changes transactions as the vendor does: all of a request, or nothing of it. */
export class Saving {
  readonly #settings: Settings;
  readonly #now: () => number;

  constructor(settings: Settings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Those whose import id the account already has are left out and listed. Raises the vendor's 400. */
  create(plan: Plan, bodies: readonly NewBody[]): Created {
    const checked = bodies.map((body) => ({ body, ...this.#required(plan, body) }));
    const transactions: HeldTransaction[] = [];
    const duplicates: string[] = [];
    for (const { body, account, date, amount } of checked) {
      const importId = body.import_id ?? null;
      if (importId !== null && this.#isImported(plan, account, importId)) {
        duplicates.push(importId);
        continue;
      }
      transactions.push(this.#entered(plan, body, { account, date, amount, importId }));
    }
    return { transactions, duplicates };
  }

  /** Raises the vendor's 400, also for a missing transaction. */
  update(plan: Plan, bodies: readonly ChangeBody[]): readonly HeldTransaction[] {
    const found = bodies.map((body) => {
      const transaction = this.#found(plan, body);
      this.#check(plan, body);
      const moved = body.account_id;
      const { importId } = transaction;
      if (moved !== undefined && moved !== transaction.account && importId !== null) {
        if (plan.imported(moved, importId) !== null)
          throw ynabError('bad_request', 'import_id exists on the account already');
      }
      return { transaction, body };
    });
    for (const { transaction, body } of found) plan.change(transaction, this.#changes(transaction, body));
    return found.map(({ transaction }) => transaction);
  }

  isImported(plan: Plan, body: NewBody): boolean {
    const { import_id: importId, account_id: account } = body;
    return typeof importId === 'string' && account !== undefined && this.#isImported(plan, account, importId);
  }

  #isImported(plan: Plan, account: string, importId: string): boolean {
    const found = plan.imported(account, importId);
    return found === 'deleted' ? !this.#settings.reimportsDeleted : found !== null;
  }

  #entered(
    plan: Plan,
    body: NewBody,
    known: {
      readonly account: string;
      readonly date: string;
      readonly amount: number;
      readonly importId: string | null;
    },
  ): HeldTransaction {
    const { importId } = known;
    const payee = emptyIsNull(body.payee_name);
    const renamed =
      importId === null || payee === null ? payee : (this.#settings.renames.get(payee) ?? payee);
    const given = categoryOf(plan, body.category_id);
    const parts = body.subtransactions ?? [];
    const usual =
      importId === null || renamed === null || parts.length > 0 ? null : plan.usualCategory(renamed);
    const transaction: HeldTransaction = {
      id: randomUUID(),
      ...known,
      memo: emptyIsNull(body.memo),
      cleared: body.cleared ?? 'uncleared',
      approved: body.approved ?? false,
      payee: renamed,
      category: given ?? usual,
      importPayee: importId === null ? null : payee,
      matched: null,
      deleted: false,
      knowledge: 0,
      parts: parts.map(
        ({ amount, memo = null, category_id: category = null }): HeldPart => ({
          id: randomUUID(),
          amount,
          memo,
          category,
        }),
      ),
    };
    plan.change(transaction, {});
    const match = importId === null ? null : matchOf(plan, transaction);
    if (match !== null) {
      plan.change(transaction, { matched: match.id });
      plan.change(match, { matched: transaction.id });
    }
    return transaction;
  }

  #required(plan: Plan, body: NewBody) {
    const { account_id: account, date, amount } = body;
    if (account === undefined) throw ynabError('bad_request', 'account_id is missing');
    if (date === undefined) throw ynabError('bad_request', 'date is missing');
    if (amount === undefined) throw ynabError('bad_request', 'amount is missing');
    this.#check(plan, body);
    return { account, date, amount };
  }

  #check(plan: Plan, body: NewBody | ChangeBody): void {
    const { account_id: account, date, amount, category_id: category, subtransactions: parts } = body;
    if (account !== undefined) {
      const found = plan.account(account);
      if (found === null) throw ynabError('bad_request', 'account does not exist');
      if (found.closed) throw ynabError('bad_request', 'account is closed');
    }
    if (date !== undefined) this.#checkDate(date);
    if (amount !== undefined && !Number.isSafeInteger(amount))
      throw ynabError('bad_request', 'amount is out of range');
    for (const [name, most] of [
      ['payee_name', LIMITS.payee_name],
      ['memo', LIMITS.memo],
      ['import_id', LIMITS.import_id],
    ] as const) {
      const text = body[name];
      if (typeof text === 'string' && Array.from(text).length > most)
        throw ynabError('bad_request', `${name} is too long (maximum is ${most} characters)`);
    }
    if (typeof category === 'string' && plan.category(category)?.deleted !== false)
      throw ynabError('bad_request', 'category does not exist');
    if (this.#settings.refusedPayees.includes(body.payee_name ?? ''))
      throw ynabError('bad_request', 'transaction is invalid');
    const sum = (parts ?? []).reduce((total, part) => total + part.amount, 0);
    if ((parts ?? []).length > 0 && sum !== amount)
      throw ynabError('bad_request', 'subtransactions must add up to the amount');
  }

  #checkDate(date: string): void {
    const day = Date.parse(`${date}T00:00:00Z`);
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(day))
      throw ynabError('bad_request', 'date is invalid');
    if (new Date(day).toISOString().slice(0, 10) !== date) throw ynabError('bad_request', 'date is invalid');
    const now = this.#now();
    const today = new Date(now + this.#settings.dayBeginsEarlierHours * 3_600_000).toISOString().slice(0, 10);
    if (date > today) throw ynabError('bad_request', 'date must not be in the future');
    const oldest = new Date(now);
    oldest.setUTCFullYear(oldest.getUTCFullYear() - OLDEST_YEARS);
    if (date < oldest.toISOString().slice(0, 10))
      throw ynabError('bad_request', 'date must not be more than five years ago');
  }

  #found(plan: Plan, { id, import_id: importId }: ChangeBody): HeldTransaction {
    if (typeof id === 'string' && typeof importId === 'string')
      throw ynabError('bad_request', 'id and import_id must not both be specified');
    const found =
      typeof id === 'string'
        ? plan.transaction(id)
        : typeof importId === 'string'
          ? plan.byImport(importId)
          : null;
    if (found === null) throw ynabError('bad_request', 'transaction does not exist');
    return found;
  }

  /** Date, amount and category of a split cannot be changed, and are ignored. */
  #changes(transaction: HeldTransaction, body: ChangeBody): Partial<HeldTransaction> {
    const split = transaction.parts.length > 0;
    return {
      ...(body.account_id === undefined ? {} : { account: body.account_id }),
      ...(body.date === undefined || split ? {} : { date: body.date }),
      ...(body.amount === undefined || split ? {} : { amount: body.amount }),
      ...(body.payee_name === undefined ? {} : { payee: emptyIsNull(body.payee_name) }),
      ...(body.memo === undefined ? {} : { memo: emptyIsNull(body.memo) }),
      ...(body.category_id === undefined || split ? {} : { category: body.category_id }),
      ...(body.cleared === undefined ? {} : { cleared: body.cleared }),
      ...(body.approved === undefined ? {} : { approved: body.approved }),
    };
  }
}

/** What a person entered in the same account with the same amount, ten days before or after. */
function matchOf(plan: Plan, { account, amount, date }: HeldTransaction): HeldTransaction | null {
  for (const one of plan.all()) {
    if (one.deleted || one.importId !== null || one.matched !== null) continue;
    if (one.account !== account || one.amount !== amount) continue;
    if (Math.abs(Date.parse(one.date) - Date.parse(date)) <= MATCH_DAYS * DAY_MS) return one;
  }
  return null;
}

const emptyIsNull = (text: string | null | undefined): string | null =>
  text === undefined || text === '' ? null : text;

/** Categories of credit card payments and others of the vendor's own are ignored. */
function categoryOf(plan: Plan, id: string | null | undefined): string | null {
  if (id === null || id === undefined) return null;
  return plan.category(id)?.internal === true ? null : id;
}
