import { Type } from 'typebox';
import { EVENTS } from './notifications.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

export const NewCustomerBody = Type.Object(
  { institution: Type.Optional(text), customer: text, name: Type.Optional(text), like: Type.Optional(text) },
  strict,
);

export const AppendBody = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          amount: text,
          description: Type.String(),
          status: Type.Optional(Type.Union([Type.Literal('PENDING'), Type.Literal('POSTED')])),
          executedAt: Type.Optional(Type.Union([text, Type.Null()])),
          postedAt: Type.Optional(text),
          currency: Type.Optional(text),
          type: Type.Optional(text),
          reference: Type.Optional(Type.String()),
          transactionId: Type.Optional(text),
          merchantName: Type.Optional(text),
          merchantCategoryCode: Type.Optional(text),
          secondaryCategory: Type.Optional(text),
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

export const AmendBody = Type.Object(
  {
    amount: Type.Optional(text),
    description: Type.Optional(Type.String()),
    postedAt: Type.Optional(text),
    executedAt: Type.Optional(text),
  },
  strict,
);

export const InstitutionStatusBody = Type.Object(
  { status: Type.Union([Type.Literal('HEALTHY'), Type.Literal('DEGRADED'), Type.Literal('OUTAGE')]) },
  strict,
);

export const AccountStateBody = Type.Object(
  { state: Type.Union([Type.Literal('OPEN'), Type.Literal('CLOSED'), Type.Literal('GONE')]) },
  strict,
);

export const NotificationBody = Type.Object(
  { event: Type.Union(EVENTS.map((event) => Type.Literal(event))), consent: text },
  strict,
);
