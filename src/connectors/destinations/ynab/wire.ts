import { type Static, Type } from 'typebox';

/** Shapes of YNAB's API, by its published description 1.85: the members that are used here. */

const text = Type.String();
const nullable = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const flag = Type.Boolean();

const Account = Type.Object({ id: text, name: text, closed: flag, deleted: flag });

const CurrencyFormat = Type.Object({ iso_code: text });

export const Plan = Type.Object({
  id: text,
  name: text,
  /** Null where YNAB does not have it. */
  currency_format: Type.Optional(Type.Union([CurrencyFormat, Type.Null()])),
  /** Only where asked for. */
  accounts: Type.Optional(Type.Array(Account)),
});
export type Plan = Static<typeof Plan>;

const Category = Type.Object({
  id: text,
  name: text,
  hidden: flag,
  deleted: flag,
  internal: Type.Optional(flag),
});

export const CategoryGroup = Type.Object({
  name: text,
  hidden: flag,
  deleted: flag,
  internal: Type.Optional(flag),
  categories: Type.Array(Category),
});
export type CategoryGroup = Static<typeof CategoryGroup>;

export const Transaction = Type.Object({
  id: text,
  account_id: text,
  date: text,
  /** Milliunits. */
  amount: Type.Integer(),
  memo: nullable,
  cleared: text,
  approved: flag,
  payee_name: nullable,
  category_id: nullable,
  import_id: nullable,
  /** The payee's name as it was imported. */
  import_payee_name: nullable,
  deleted: flag,
  subtransactions: Type.Array(Type.Object({ deleted: Type.Optional(flag) })),
});
export type Transaction = Static<typeof Transaction>;

const data = <T extends Type.TProperties>(members: T) => Type.Object({ data: Type.Object(members) });

export const UserAnswer = data({ user: Type.Object({ id: text }) });
export const PlansAnswer = data({ plans: Type.Array(Plan) });
export const AccountsAnswer = data({ accounts: Type.Array(Account) });
export const AccountAnswer = data({ account: Account });
export const CategoriesAnswer = data({ category_groups: Type.Array(CategoryGroup) });
export const TransactionsAnswer = data({ transactions: Type.Array(Transaction) });
export const SavedAnswer = data({
  transactions: Type.Optional(Type.Array(Transaction)),
  duplicate_import_ids: Type.Optional(Type.Array(text)),
});
export const AnyAnswer = Type.Object({});
export const Refusal = Type.Object({ error: Type.Object({ id: text, name: text, detail: text }) });

/** The fields of a transaction that this service sets. */
export interface SentFields {
  readonly account_id?: string;
  readonly date?: string;
  readonly amount?: number;
  readonly payee_name?: string | null;
  readonly memo?: string | null;
  readonly category_id?: string;
  readonly cleared?: 'cleared' | 'uncleared';
}

export type NewTransaction = Required<Omit<SentFields, 'category_id'>> &
  Pick<SentFields, 'category_id'> & { readonly import_id: string };
export type ChangedTransaction = SentFields & { readonly id: string };
