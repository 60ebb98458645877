import { Type } from 'typebox';
import { ACCOUNT_STATES } from './bank-account.ts';
import { BANK_STATUSES } from './banks.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

export const AppendBody = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          amount: text,
          description: Type.String(),
          status: Type.Optional(Type.Union([Type.Literal('PENDING'), Type.Literal('POSTED')])),
          date: Type.Optional(text),
          type: Type.Optional(text),
          merchant: Type.Optional(text),
          category: Type.Optional(text),
          reference: Type.Optional(text),
        },
        strict,
      ),
    ),
  },
  strict,
);

export const InstitutionBody = Type.Object(
  {
    status: Type.Optional(Type.Union(BANK_STATUSES.map((status) => Type.Literal(status)))),
    migrating: Type.Optional(Type.Boolean()),
  },
  strict,
);

export const AccountStateBody = Type.Object(
  { state: Type.Union(ACCOUNT_STATES.map((state) => Type.Literal(state))) },
  strict,
);

export const LoginBody = Type.Object({ active: Type.Boolean() }, strict);

export const WebhookTargetBody = Type.Object({ url: Type.Union([text, Type.Null()]) }, strict);
