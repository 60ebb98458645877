import { Type } from 'typebox';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

export const HolderBody = Type.Object({ customer: text }, strict);

export const AppendBody = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          amount: text,
          description: Type.String(),
          status: Type.Optional(Type.Union([Type.Literal('PENDING'), Type.Literal('POSTED')])),
          createdAt: Type.Optional(text),
          message: Type.Optional(text),
          category: Type.Optional(text),
          roundUp: Type.Optional(text),
        },
        strict,
      ),
    ),
  },
  strict,
);

export const ChangeBody = Type.Object(
  { amount: Type.Optional(text), description: Type.Optional(Type.String()) },
  strict,
);

export const AccountStateBody = Type.Object(
  { state: Type.Union([Type.Literal('OPEN'), Type.Literal('CLOSED')]) },
  strict,
);

export const StatusBody = Type.Object(
  { status: Type.Union([Type.Literal('HEALTHY'), Type.Literal('OUTAGE')]) },
  strict,
);

export const WebhookBody = Type.Object({ url: text }, strict);
