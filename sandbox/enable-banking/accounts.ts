import { atLeastTwoDecimals, isNegative, sumDecimals } from '../shared/decimal.ts';
import type { JsonObject } from '../shared/json.ts';
import { digest, mix32, seedOf } from '../shared/random.ts';
import type { Bank } from './banks.ts';
import { type AccountPlan, personaOf } from './personas.ts';
import { type BookedRows, ComputedRows, DAY_MS, dayText, livedRows, type Row, RowBook } from './rows.ts';

/** GONE accounts cannot be read any more, as after a closure at the bank. */
export const ACCOUNT_STATES = ['OPEN', 'GONE'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** How far back a bank lists rows as pending that it has booked. */
const ENDLESS_DAYS = 30;

type Town = { readonly seed: number; readonly startedAt: number };

/** An account at a bank, whatever the vendor's sessions call it. */
export class BankAccount {
  readonly scope: string;
  readonly plan: AccountPlan;
  readonly bank: Bank;
  readonly currency: string;
  readonly iban: string;
  readonly book: RowBook;
  state: AccountState = 'OPEN';
  readonly #computed: ComputedRows | null;

  constructor(town: Town, customer: string, bank: Bank, plan: AccountPlan) {
    const { habit, rows } = plan;
    this.scope = `${customer}/${bank.id}/${plan.key}`;
    this.plan = plan;
    this.bank = bank;
    this.currency = plan.currency ?? bank.currency;
    this.iban = ibanOf(bank.country, `${customer}/${bank.id}/${plan.numberOf ?? plan.key}`);
    this.book = new RowBook(
      habit === undefined ? [] : livedRows(this.scope, town.seed, town.startedAt, habit),
    );
    this.#computed = rows === undefined ? null : new ComputedRows(this.scope, rows, town.startedAt);
  }

  /** The vendor's hash of the number. */
  get hash(): string {
    return digest('iban', this.iban);
  }

  /** Booked rows, newest first; those entered by hand before computed ones. */
  bookedAt(at: number): BookedRows {
    const held = this.book.bookedAt(at);
    const computed = this.#computed;
    if (computed === null) return held;
    const row = (index: number): Row =>
      index < held.length ? held.row(index) : computed.row(index - held.length);
    return { length: held.length + computed.length, row };
  }

  /** Signed decimal, negative = owed. */
  balanceAt(at: number): string {
    const { length, row } = this.book.bookedAt(at);
    const amounts = Array.from({ length }, (_, index) => row(index).amount);
    return sumDecimals([this.plan.opening, this.#computed?.total ?? '0.00', ...amounts]);
  }

  /** Less what is pending, and with the limit. */
  availableAt(at: number): string {
    const pending = this.book.pendingAt(at).map(({ amount }) => amount);
    return sumDecimals([this.balanceAt(at), ...pending.filter(isNegative), this.plan.limit ?? '0.00']);
  }

  /** Pending rows; at a bank that never takes them off its list, also those that it has booked since. */
  pendingAt(at: number): readonly Row[] {
    const pending = this.book.pendingAt(at);
    if (!this.bank.quirks.has('endless_pending')) return pending;
    const { length, row } = this.book.bookedAt(at);
    const booked = Array.from({ length }, (_, index) => row(index));
    const since = at - ENDLESS_DAYS * DAY_MS;
    return [...pending, ...booked.filter((one) => one.pendingFrom !== null && one.settles > since)];
  }

  countAt(at: number): { readonly booked: number; readonly pending: number } {
    return { booked: this.bookedAt(at).length, pending: this.pendingAt(at).length };
  }
}

function ibanOf(country: string, scope: string): string {
  const digits = mix32(seedOf('number', scope));
  const check = 10 + (digits % 88);
  return `${country}${check}${String(digits).padStart(10, '0')}${String(mix32(digits)).padStart(10, '0').slice(-8)}`;
}

/** Everyone's accounts. They are created when someone first signs in. */
export class World {
  readonly #town: Town;
  readonly #accounts = new Map<string, readonly BankAccount[]>();

  constructor(town: Town) {
    this.#town = town;
  }

  of(customer: string, bank: Bank): readonly BankAccount[] {
    const key = `${customer}/${bank.id}`;
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const plans = personaOf(customer)?.accounts ?? [];
    const made = plans.map((plan) => new BankAccount(this.#town, customer, bank, plan));
    this.#accounts.set(key, made);
    return made;
  }
}

/** An account as a session describes it. */
export function accountJson(account: BankAccount, uid: string): JsonObject {
  const { plan, iban, currency, hash } = account;
  return {
    account_id: { iban, other: null },
    all_account_ids: [{ identification: iban, scheme_name: 'IBAN', issuer: null }],
    name: 'SANDBOX CUSTOMER',
    details: plan.name,
    usage: 'PRIV',
    cash_account_type: plan.type,
    product: null,
    currency,
    psu_status: 'Account Holder',
    credit_limit: plan.limit === undefined ? null : { currency, amount: plan.limit },
    uid: account.state === 'OPEN' ? uid : null,
    identification_hash: hash,
    identification_hashes: [hash],
  };
}

/** The balances of an account as its bank lists them. */
export function balancesJson(account: BankAccount, now: number): readonly JsonObject[] {
  const { currency, bank } = account;
  const row = (type: string | null, amount: string): JsonObject => ({
    name: type ?? 'Balance',
    balance_amount: { currency, amount: atLeastTwoDecimals(amount) },
    ...(type === null ? {} : { balance_type: type }),
    reference_date: new Date(now).toISOString().slice(0, 10),
  });
  if (bank.quirks.has('only_available')) return [row('ITAV', account.balanceAt(now))];
  if (bank.quirks.has('untyped_balance')) return [row(null, account.balanceAt(now))];
  return [row('CLBD', account.balanceAt(now)), row('ITAV', account.availableAt(now))];
}

/** One transaction as its bank writes it, before the bank's quirks. */
export function rowJson(account: BankAccount, row: Row, status: 'BOOK' | 'PDNG'): JsonObject {
  const isOut = isNegative(row.amount);
  const party = row.party === null ? null : { name: row.party };
  // A row has the day of its booking, which is still to come while it is pending.
  const day =
    status === 'PDNG' && row.pendingFrom !== null ? dayText(Math.floor(row.pendingFrom / DAY_MS)) : row.day;
  return {
    entry_reference: referenceOf(account, row.key),
    merchant_category_code: row.category,
    transaction_amount: { currency: account.currency, amount: row.amount.replace('-', '') },
    creditor: isOut ? party : null,
    debtor: isOut ? null : party,
    bank_transaction_code: { description: null, code: 'PMNT', sub_code: row.code },
    credit_debit_indicator: isOut ? 'DBIT' : 'CRDT',
    status,
    booking_date: status === 'BOOK' ? row.day : null,
    value_date: day,
    transaction_date: status === 'BOOK' ? null : day,
    balance_after_transaction: null,
    reference_number: null,
    remittance_information: [row.text],
    note: null,
    transaction_id: null,
  };
}

/** The bank's reference of a row. */
export function referenceOf({ scope }: BankAccount, key: string): string {
  return digest('reference', scope, key).slice(0, 20);
}
