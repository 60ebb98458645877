import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type CommandContext, command } from '../command.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { askSimulator } from '../sandbox-control.ts';
import { table } from '../table.ts';

const Whole = Type.Optional(Type.Integer());

const Fault = Type.Object({
  id: Type.Integer(),
  route: Type.String(),
  kind: Type.String(),
  // Without end where the fault has a probability and no count, which JSON writes as null.
  remaining: Type.Union([Type.Integer(), Type.Null()]),
});
const Misbehaviour = Type.Object({ id: Type.Integer(), name: Type.String() });
const Listed = Type.Object({
  faults: Type.Array(Fault),
  /** What is wrong with the bank's data; empty where the integration has none. */
  misbehaviours: Type.Array(Misbehaviour),
});

/** `sandbox fault`: arms a fault at a simulator, disarms all, or lists those that wait. */
export const sandboxFault = command({
  name: 'sandbox fault',
  args: Type.Object(
    {
      provider: Type.String(),
      kind: Type.Optional(Type.String()),
      route: Type.Optional(Type.String()),
      count: Whole,
      probability: Type.Optional(Type.Number()),
      after: Whole,
      latency_ms: Whole,
      status: Whole,
      retry_after: Whole,
      account: Type.Optional(Type.String()),
      every: Whole,
      days: Whole,
      value: Type.Optional(Type.String()),
      clear: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  result: Listed,
  run: async (context, { provider, kind, clear = false, ...more }) => {
    if (clear && kind !== undefined) throw usageFailure('--clear and --kind cannot be used together.');
    if (clear) {
      await askSimulator(context, provider, { method: 'DELETE', path: '/faults' });
      await askSimulator(context, provider, { method: 'DELETE', path: '/misbehaviours' });
    }
    if (kind !== undefined) await arm(context, provider, kind, more);
    const listed = {
      ...asRecord(await askSimulator(context, provider, { method: 'GET', path: '/faults' })),
      ...asRecord(await askSimulator(context, provider, { method: 'GET', path: '/misbehaviours' })),
    };
    const faults = Value.Clean(Listed, listed);
    if (Value.Check(Listed, faults)) return faults;
    throw new CommandFailure(`The simulator of ${provider} listed its faults in a format of its own.`);
  },
  show: ({ faults, misbehaviours }) =>
    faults.length + misbehaviours.length === 0
      ? 'No fault is armed.'
      : table(
          [
            { title: 'FAULT', align: 'right' },
            { title: 'KIND' },
            { title: 'ROUTE' },
            { title: 'REQUESTS LEFT' },
          ],
          [
            ...faults.map(({ id, kind, route, remaining }) => [
              String(id),
              kind,
              route,
              remaining === null ? 'all' : String(remaining),
            ]),
            ...misbehaviours.map(({ id, name }) => [String(id), name, 'data', 'all']),
          ],
        ),
});

type FaultOptions = {
  readonly route?: string;
  readonly latency_ms?: number;
  readonly retry_after?: number;
  readonly [name: string]: unknown;
};

/** Kinds of faults are written with hyphens, those of misbehaving data with underscores. */
async function arm(
  context: CommandContext,
  provider: string,
  kind: string,
  { route, latency_ms: latencyMs, retry_after: retryAfterSeconds, ...rest }: FaultOptions,
): Promise<void> {
  if (kind.includes('_')) {
    const body = { ...rest, route, latencyMs, retryAfterSeconds, name: kind };
    await askSimulator(context, provider, { method: 'POST', path: '/misbehaviours', body });
    return;
  }
  const body = { ...rest, route: route ?? '*', kind, latencyMs, retryAfterSeconds };
  await askSimulator(context, provider, { method: 'POST', path: '/faults', body });
}

function asRecord(answer: unknown): object {
  return typeof answer === 'object' && answer !== null ? answer : {};
}
