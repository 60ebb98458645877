import { type Static, Type } from 'typebox';

const text = Type.String();

/** One row as dictated by a test. Days are `YYYY-MM-DD`, amounts signed decimals, negative = out. */
export const StatementRow = Type.Object(
  {
    /** The vendor's id of the row. */
    id: Type.String({ minLength: 1 }),
    day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    amount: text,
    description: text,
    status: Type.Optional(Type.Union([Type.Literal('pending'), Type.Literal('posted')])),
    /** ISO 4217; default that of the provider's country. */
    currency: Type.Optional(text),
    /** The vendor's type; default its most common one. */
    type: Type.Optional(text),
    /** For a trade. */
    units: Type.Optional(text),
    price: Type.Optional(text),
    symbol: Type.Optional(text),
  },
  { additionalProperties: false },
);

export type StatementRow = Static<typeof StatementRow>;

/** What the given accounts show from now on, instead of their own rows. */
export const StatementBody = Type.Object(
  {
    accounts: Type.Array(
      Type.Object(
        { account: Type.String({ minLength: 1 }), rows: Type.Array(StatementRow, { maxItems: 100_000 }) },
        { additionalProperties: false },
      ),
      { maxItems: 1000 },
    ),
  },
  { additionalProperties: false },
);

export type AccountStatement = Static<typeof StatementBody>['accounts'][number];

/** A row as the bank shows it. `amount` and `day` are null if they are unreadable. */
export type ShownRow = {
  readonly id: string | null;
  readonly day: string | null;
  readonly amount: string | null;
  readonly description: string | null;
  readonly status: 'pending' | 'posted';
};
