import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SimulatedRequest } from '../shared/request.ts';
import { ynabError } from './errors.ts';
import { Cleared } from './plan.ts';

/** Bodies exactly as in the vendor's description: unknown members are refused. */
const strict = { additionalProperties: false };
const id = Type.String({ minLength: 1 });
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const Part = Type.Object(
  {
    amount: Type.Integer(),
    payee_id: orNull(id),
    payee_name: orNull(Type.String()),
    category_id: orNull(id),
    memo: orNull(Type.String()),
  },
  strict,
);

const FIELDS = {
  account_id: Type.Optional(id),
  date: Type.Optional(Type.String()),
  amount: Type.Optional(Type.Integer()),
  payee_id: orNull(id),
  payee_name: orNull(Type.String()),
  category_id: orNull(id),
  memo: orNull(Type.String()),
  cleared: Type.Optional(Cleared),
  approved: Type.Optional(Type.Boolean()),
  flag_color: orNull(Type.String()),
  subtransactions: Type.Optional(Type.Array(Part)),
  import_id: orNull(Type.String()),
};

export const NewBody = Type.Object(FIELDS, strict);
export type NewBody = Static<typeof NewBody>;
export const ChangeBody = Type.Object({ ...FIELDS, id: orNull(id) }, strict);
export type ChangeBody = Static<typeof ChangeBody>;

export const CreateBody = Type.Object(
  { transaction: Type.Optional(NewBody), transactions: Type.Optional(Type.Array(NewBody)) },
  strict,
);
export const UpdateBody = Type.Object({ transactions: Type.Array(ChangeBody) }, strict);

const ACCOUNT_TYPES = ['checking', 'savings', 'cash', 'creditCard', 'otherAsset', 'otherLiability'] as const;
export const AccountBody = Type.Object(
  {
    account: Type.Object(
      {
        name: Type.String({ minLength: 1 }),
        type: Type.Union(ACCOUNT_TYPES.map((one) => Type.Literal(one))),
        balance: Type.Integer(),
      },
      strict,
    ),
  },
  strict,
);

/** The body of a request. Raises the vendor's 400. */
export function bodyOf<T extends TSchema>(schema: T, { headers, body }: SimulatedRequest): Static<T> {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw ynabError('bad_request', 'Content-Type must be application/json');
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw ynabError('bad_request', 'The body is not valid JSON');
  }
  if (Value.Check(schema, parsed)) return parsed;
  const [problem] = Value.Errors(schema, parsed);
  throw ynabError(
    'bad_request',
    `${problem?.instancePath ?? ''} ${problem?.message ?? 'is not valid'}`.trim(),
  );
}
