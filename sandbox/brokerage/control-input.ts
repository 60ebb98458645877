import { Type } from 'typebox';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const optional = Type.Optional(text);

export const AppendBody = Type.Object(
  {
    activities: Type.Array(
      Type.Object(
        {
          type: text,
          tradeDate: optional,
          description: Type.Optional(Type.String()),
          symbol: optional,
          currency: optional,
          units: optional,
          price: optional,
          amount: optional,
          fee: optional,
        },
        strict,
      ),
    ),
  },
  strict,
);

/** Money that moves, in the words of every simulator; a broker has no others in common with banks. */
export const MoneyBody = Type.Object(
  {
    transactions: Type.Array(
      Type.Object(
        {
          amount: text,
          description: Type.String(),
          status: Type.Optional(Type.Union([Type.Literal('PENDING'), Type.Literal('POSTED')])),
        },
        strict,
      ),
    ),
  },
  strict,
);

export const WithdrawBody = Type.Object({ count: Type.Integer({ minimum: 1 }) }, strict);

export const AccountStatusBody = Type.Object(
  {
    status: Type.Union(
      (['open', 'closed', 'archived', 'unavailable', 'gone'] as const).map((word) => Type.Literal(word)),
    ),
  },
  strict,
);

export const BrokerStatusBody = Type.Object(
  { status: Type.Union((['HEALTHY', 'DEGRADED', 'OUTAGE'] as const).map((word) => Type.Literal(word))) },
  strict,
);

export const WebhookBody = Type.Object({ url: Type.Union([text, Type.Null()]) }, strict);

const milliseconds = Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 }));
const requests = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }));

export const SettingsBody = Type.Object(
  {
    firstSyncDelayMs: milliseconds,
    holdingsDelayMs: milliseconds,
    tradesDelayMs: milliseconds,
    connectDelayMs: milliseconds,
    deletionDelayMs: milliseconds,
    requestsPerMinute: requests,
    accountRequestsPerMinute: requests,
  },
  strict,
);
