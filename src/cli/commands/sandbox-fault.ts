import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { command } from '../command.ts';
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
const Listed = Type.Object({ faults: Type.Array(Fault) });

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
      clear: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  result: Listed,
  run: async (context, { provider, kind, clear = false, ...more }) => {
    if (clear && kind !== undefined) throw usageFailure('--clear and --kind cannot be used together.');
    if (clear) await askSimulator(context, provider, { method: 'DELETE', path: '/faults' });
    if (kind !== undefined) {
      const { route = '*', latency_ms: latencyMs, retry_after: retryAfterSeconds, ...rest } = more;
      const body = { ...rest, route, kind, latencyMs, retryAfterSeconds };
      await askSimulator(context, provider, { method: 'POST', path: '/faults', body });
    }
    const listed = await askSimulator(context, provider, { method: 'GET', path: '/faults' });
    const faults = Value.Clean(Listed, listed);
    if (Value.Check(Listed, faults)) return faults;
    throw new CommandFailure(`The simulator of ${provider} listed its faults in a format of its own.`);
  },
  show: ({ faults }) =>
    faults.length === 0
      ? 'No fault is armed.'
      : table(
          [
            { title: 'FAULT', align: 'right' },
            { title: 'KIND' },
            { title: 'ROUTE' },
            { title: 'REQUESTS LEFT' },
          ],
          faults.map(({ id, kind, route, remaining }) => [
            String(id),
            kind,
            route,
            remaining === null ? 'all' : String(remaining),
          ]),
        ),
});
