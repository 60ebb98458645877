import { type Static, Type } from 'typebox';

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

/** A transaction as a person enters it. Amounts are units of the budget. */
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
