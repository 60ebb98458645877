import { type Static, Type } from 'typebox';
import { Cleared } from './cleared.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const flag = Type.Optional(Type.Boolean());
const orNull = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const cleared = Type.Optional(Cleared);

export const PlanBody = Type.Object({ name: text, currency: Type.String({ pattern: '^[A-Z]{3}$' }) }, strict);
export const RenameBody = Type.Object({ name: text }, strict);
export const AccountChange = Type.Object({ name: Type.Optional(text), closed: flag, deleted: flag }, strict);
export type AccountChange = Static<typeof AccountChange>;
export const CategoryChange = Type.Object({ name: Type.Optional(text), hidden: flag, deleted: flag }, strict);
export type CategoryChange = Static<typeof CategoryChange>;

/** A transaction as a person enters it. Milliunits. */
export const EntryBody = Type.Object(
  { account: text, date: text, amount: Type.Integer(), payee: orNull, memo: orNull, category: orNull },
  strict,
);
export type Entry = Static<typeof EntryBody>;

/** What a person changes about a transaction. `split`: amounts of its parts. */
export const EditBody = Type.Object(
  {
    account: Type.Optional(text),
    date: Type.Optional(text),
    payee: orNull,
    memo: orNull,
    category: orNull,
    approved: flag,
    cleared,
    split: Type.Optional(Type.Array(Type.Integer(), { minItems: 2 })),
  },
  strict,
);
export type Edit = Static<typeof EditBody>;

export const SettingsBody = Type.Object(
  {
    reimportsDeleted: flag,
    dayBeginsEarlierHours: Type.Optional(Type.Integer({ minimum: -12, maximum: 14 })),
    refusal: Type.Optional(
      Type.Union([
        Type.Null(),
        Type.Literal('subscription_lapsed'),
        Type.Literal('trial_expired'),
        Type.Literal('unauthorized_scope'),
        Type.Literal('data_limit_reached'),
      ]),
    ),
    refusedPayees: Type.Optional(Type.Array(Type.String())),
    renames: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  strict,
);
export type SettingsChange = Static<typeof SettingsBody>;
