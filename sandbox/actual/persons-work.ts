import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { ControlError } from '../shared/control.ts';
import type { Device, Fields } from './device.ts';
import { addPayee } from './seed.ts';
import type { HeldBudget } from './world.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const flag = Type.Optional(Type.Boolean());
const orNull = Type.Optional(Type.Union([Type.String(), Type.Null()]));

export const BudgetBody = Type.Object(
  { name: text, currency: Type.String({ pattern: '^([A-Z]{3})?$' }) },
  strict,
);
export const CurrencyBody = Type.Object({ currency: Type.String({ pattern: '^([A-Z]{3})?$' }) }, strict);
export const PasswordBody = Type.Object({ password: text }, strict);
export const AccountChange = Type.Object({ name: Type.Optional(text), closed: flag, deleted: flag }, strict);
export type AccountChange = Static<typeof AccountChange>;
export const CategoryChange = Type.Object(
  { name: Type.Optional(text), hidden: flag, deleted: flag, heir: Type.Optional(text) },
  strict,
);
export type CategoryChange = Static<typeof CategoryChange>;
export const PayeeChange = Type.Object(
  { name: Type.Optional(text), deleted: flag, into: Type.Optional(text) },
  strict,
);
export type PayeeChange = Static<typeof PayeeChange>;

/** A transaction as entered by a person. Amounts are in units of the budget. */
export const EntryBody = Type.Object(
  { account: text, date: text, amount: Type.Integer(), payee: orNull, notes: orNull, category: orNull },
  strict,
);
export type Entry = Static<typeof EntryBody>;

/** What a person changes about a transaction. `split`: amounts of its parts. `transferTo`: the other account. */
export const EditBody = Type.Object(
  {
    account: Type.Optional(text),
    date: Type.Optional(text),
    amount: Type.Optional(Type.Integer()),
    payee: orNull,
    notes: orNull,
    category: orNull,
    cleared: flag,
    reconciled: flag,
    split: Type.Optional(Type.Array(Type.Integer(), { minItems: 2 })),
    transferTo: Type.Optional(text),
  },
  strict,
);
export type Edit = Static<typeof EditBody>;

/** What a person does to a budget on their device, written as Actual's clients write it. */
export class PersonsWork {
  readonly #device: Device;

  constructor({ device }: HeldBudget) {
    this.#device = device;
  }

  /** Enters a transaction by hand; returns its id. */
  enter({ account, date, amount, payee = null, notes = null, category = null }: Entry): string {
    const id = randomUUID();
    const fields = { acct: account, date: dayOf(date), amount, notes, category, cleared: 1, sort_order: 0 };
    this.#device.set('transactions', id, { ...fields, description: this.#payee(payee) });
    return id;
  }

  edit(id: string, { split, transferTo, ...edit }: Edit): void {
    const one = this.#require('transactions', id);
    const { account, date, amount, notes, category, cleared, reconciled, payee } = edit;
    this.#set('transactions', id, {
      acct: account,
      date: date === undefined ? undefined : dayOf(date),
      amount,
      notes,
      category,
      cleared: bit(cleared),
      reconciled: bit(reconciled),
      description: payee === undefined ? undefined : this.#payee(payee),
    });
    for (const [at, part] of (split ?? []).entries()) {
      if (at === 0) this.#device.set('transactions', id, { isParent: 1, category: null });
      const child = {
        isChild: 1,
        parent_id: id,
        acct: String(one.acct),
        date: Number(one.date),
        amount: part,
      };
      this.#device.set('transactions', `${id}/${at}`, child);
    }
    if (transferTo === undefined) return;
    const other = randomUUID();
    const back = this.#transferPayee(String(one.acct));
    this.#device.set('transactions', other, {
      acct: transferTo,
      date: Number(one.date),
      amount: -Number(one.amount),
      description: back,
      transferred_id: id,
    });
    const there = { description: this.#transferPayee(transferTo), transferred_id: other };
    this.#device.set('transactions', id, there);
  }

  deleteTransaction(id: string): void {
    this.#require('transactions', id);
    this.#device.set('transactions', id, { tombstone: 1 });
  }

  changeAccount(id: string, { name, closed, deleted }: AccountChange): void {
    this.#require('accounts', id);
    this.#set('accounts', id, { name, closed: bit(closed), tombstone: bit(deleted) });
  }

  /** @param change `heir`: the category that takes the transactions of one that is deleted */
  changeCategory(id: string, { name, hidden, deleted, heir }: CategoryChange): void {
    this.#require('categories', id);
    this.#set('categories', id, { name, hidden: bit(hidden), tombstone: bit(deleted) });
    if (heir !== undefined) this.#device.set('category_mapping', id, { transferId: heir });
  }

  /** @param change `into`: the payee that it is merged into */
  changePayee(id: string, { name, deleted, into }: PayeeChange): void {
    this.#require('payees', id);
    this.#set('payees', id, { name, tombstone: into === undefined ? bit(deleted) : 1 });
    if (into === undefined) return;
    for (const { id: mapped } of this.#device.all('SELECT id FROM payee_mapping WHERE targetId = ?', id))
      this.#device.set('payee_mapping', String(mapped), { targetId: into });
  }

  setCurrency(code: string): void {
    this.#device.set('preferences', 'flags.currency', { value: code === '' ? 'false' : 'true' });
    this.#device.set('preferences', 'defaultCurrencyCode', { value: code });
  }

  #payee(name: string | null): string | null {
    if (name === null) return null;
    const known = this.#device.first('SELECT id FROM payees WHERE name = ? AND tombstone = 0', name);
    if (known !== null) return String(known.id);
    const id = randomUUID();
    addPayee(this.#device, id, { name });
    return id;
  }

  #transferPayee(account: string): string {
    const payee = this.#device.first('SELECT id FROM payees WHERE transfer_acct = ?', account);
    if (payee === null) throw new ControlError('The account has no payee for transfers.');
    return String(payee.id);
  }

  #require(table: 'transactions' | 'accounts' | 'categories' | 'payees', id: string) {
    const found = this.#device.first(`SELECT * FROM ${table} WHERE id = ?`, id);
    if (found === null) throw new ControlError(`There is no such row in ${table}.`);
    return found;
  }

  #set(table: string, id: string, fields: Readonly<Record<string, Fields[string] | undefined>>): void {
    const given = Object.entries(fields).flatMap(([column, value]) =>
      value === undefined ? [] : [[column, value] as const],
    );
    this.#device.set(table, id, Object.fromEntries(given));
  }
}

function dayOf(date: string): number {
  return Number(date.replaceAll('-', ''));
}

function bit(flag: boolean | undefined): number | undefined {
  return flag === undefined ? undefined : Number(flag);
}
