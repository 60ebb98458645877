import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { FAULT_KINDS } from './faults.ts';
import { ControlError } from './new-row.ts';

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

export const InstitutionStatusBody = Type.Object(
  { status: Type.Union([Type.Literal('HEALTHY'), Type.Literal('DEGRADED'), Type.Literal('OUTAGE')]) },
  strict,
);

export const AccountStateBody = Type.Object(
  { state: Type.Union([Type.Literal('OPEN'), Type.Literal('CLOSED'), Type.Literal('GONE')]) },
  strict,
);

export const FaultBody = Type.Object(
  {
    route: text,
    kind: Type.Union(FAULT_KINDS.map((kind) => Type.Literal(kind))),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    latencyMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  strict,
);

export const NothingBody = Type.Object({}, strict);

/** Parses a control body; throws {@link ControlError} naming the member that is wrong. */
export function parseControl<S extends TSchema>(schema: S, body: string): Static<S> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body === '' ? '{}' : body);
  } catch {
    throw new ControlError('The body is not JSON.');
  }
  if (Value.Check(schema, parsed)) return parsed;
  const [problem] = Value.Errors(schema, parsed);
  throw new ControlError(
    `${problem?.instancePath || 'The body'} ${problem?.message ?? 'is not as documented'}.`,
  );
}
