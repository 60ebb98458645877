import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ControlError } from './control.ts';
import { FAULT_KINDS } from './faults.ts';
import { isMisbehaviour, type MisbehaviourSpec, type QuirkSpec } from './misbehaviour-kinds.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

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
    row: Type.Optional(text),
    member: Type.Optional(text),
    value: Type.Optional(Type.Unknown()),
  },
  strict,
);

const MisbehaviourBody = Type.Object(
  {
    name: text,
    account: Type.Optional(text),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    every: Type.Optional(Type.Integer({ minimum: 1 })),
    days: Type.Optional(Type.Integer({ minimum: -36_500, maximum: 36_500 })),
    value: Type.Optional(Type.Unknown()),
    institution: Type.Optional(text),
  },
  strict,
);

/**
 * A misbehaviour, or a quirk of the simulator, as its body describes it.
 *
 * @throws ControlError
 */
export function parseMisbehaviour(
  body: string,
  isQuirk: (name: string) => boolean,
): MisbehaviourSpec | QuirkSpec {
  const { name, institution, ...rest } = parseControl(MisbehaviourBody, body);
  if (isQuirk(name)) {
    if (Object.keys(rest).length > 0) throw new ControlError(`${name} takes only institution.`);
    return institution === undefined ? { quirk: name } : { quirk: name, institution };
  }
  if (institution !== undefined)
    throw new ControlError('institution is only for what docs/sandbox.md lists as a quirk of banks.');
  if (!isMisbehaviour(name))
    throw new ControlError(`${name} is not a misbehaviour. docs/sandbox.md lists them.`);
  return { name, ...rest };
}

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
