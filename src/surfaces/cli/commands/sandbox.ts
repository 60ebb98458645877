import { Type } from 'typebox';
import type { OperatorSandbox } from '../../../features/operator/sandbox.ts';
import { parsePublicId } from '../../../vocabulary/ids.ts';
import { type CommandContext, command } from '../command.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { pairs, table } from '../table.ts';

const strict = { additionalProperties: false };
const Text = Type.Optional(Type.String());
const Whole = Type.Optional(Type.Integer());
const Flag = Type.Optional(Type.Boolean());

/** `sandbox clock`: shows or moves the clock that the service and its simulators share. */
export const sandboxClock = command({
  name: 'sandbox clock',
  args: Type.Object({ forward: Text }, strict),
  result: Type.Object({ now: Type.String(), ahead_hours: Type.Number() }),
  run: async ({ app: { operator } }, { forward }) => {
    const { clock } = operator;
    if (clock === null) {
      throw new CommandFailure(
        'The clock can be moved only if every provider and destination is simulated: a real one uses the actual time.',
      );
    }
    if (forward !== undefined) await clock.forward(forward);
    const { now, aheadHours } = clock.now();
    return { now: now.toISOString(), ahead_hours: Math.round(aheadHours * 100) / 100 };
  },
  show: ({ now, ahead_hours: ahead }) =>
    pairs([
      ['Time', now],
      ['Ahead', `${ahead} hours`],
    ]),
});

/** `sandbox fault`: arms a fault at a simulator, clears all, or lists the armed ones. */
export const sandboxFault = command({
  name: 'sandbox fault',
  args: Type.Object(
    {
      provider: Type.String(),
      kind: Text,
      route: Text,
      count: Whole,
      probability: Type.Optional(Type.Number()),
      after: Whole,
      latency_ms: Whole,
      status: Whole,
      retry_after: Whole,
      account: Text,
      institution: Text,
      every: Whole,
      days: Whole,
      value: Text,
      clear: Flag,
    },
    strict,
  ),
  result: Type.Object({
    faults: Type.Array(
      Type.Object({
        id: Type.Integer(),
        route: Type.String(),
        kind: Type.String(),
        remaining: Type.Union([Type.Integer(), Type.Null()]),
      }),
    ),
    misbehaviours: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
  }),
  run: async (
    context,
    { provider: integration, kind, clear = false, latency_ms, retry_after, ...options },
  ) => {
    const { signal } = context;
    const sandbox = runningSandbox(context);
    if (clear && kind !== undefined) throw usageFailure('--clear and --kind cannot be used together.');
    if (clear) await sandbox.disarm(integration, signal);
    if (kind !== undefined) {
      const times = {
        ...(latency_ms === undefined ? {} : { latencyMs: latency_ms }),
        ...(retry_after === undefined ? {} : { retryAfterSeconds: retry_after }),
      };
      await sandbox.arm({ ...options, ...times, integration, kind }, signal);
    }
    return sandbox.faults(integration, signal);
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

/** `sandbox institution`: makes a simulated bank work, work badly or not at all. */
export const sandboxInstitution = command({
  name: 'sandbox institution',
  args: Type.Object({ institution: Type.String(), status: Type.String() }, strict),
  result: Type.Object({ institution: Type.String(), status: Type.String() }),
  run: async (context, { institution, status }) => {
    await runningSandbox(context).setInstitution(institution, status, context.signal);
    return { institution, status };
  },
  show: ({ institution, status }) => `${institution} is ${status} now.`,
});

/** `sandbox row`: a simulated bank enters a transaction, or a pending one is posted or disappears. */
export const sandboxRow = command({
  name: 'sandbox row',
  args: Type.Object(
    { account: Type.String(), amount: Text, description: Text, pending: Flag, settle: Text, drop: Text },
    strict,
  ),
  result: Type.Object({
    account: Type.String(),
    ids: Type.Array(Type.String()),
    pending: Type.Array(
      Type.Object({ id: Type.String(), amount: Type.String(), description: Type.String() }),
    ),
  }),
  run: async (context, { account: text, amount, description, pending = false, settle, drop }) => {
    const { signal, app } = context;
    const id = parsePublicId('account', text);
    if (id === null) throw usageFailure(`"${text}" is not the id of an account (acct_…).`);
    // The operator's own machine and a simulated bank: whichever account record linked it.
    const account = await app.operator.owners.account(id);
    if ([amount, settle, drop].filter((one) => one !== undefined).length > 1) {
      throw usageFailure('Give one of --amount, --settle and --drop.');
    }
    const sandbox = runningSandbox(context);
    if (settle !== undefined) await sandbox.end(account, 'settle', settle, signal);
    if (drop !== undefined) await sandbox.end(account, 'drop', drop, signal);
    const row = { description: description ?? 'Sandbox', status: pending ? 'PENDING' : 'POSTED' } as const;
    const ids = amount === undefined ? [] : await sandbox.enter(account, { amount, ...row }, signal);
    return { account: text, ids: [...ids], pending: await sandbox.pending(account, signal) };
  },
  show: ({ account, ids, pending }) => {
    const entered = ids.map((id) => `Entered ${id} in ${account}.\n\n`).join('');
    if (pending.length === 0) return `${entered}Nothing is pending in ${account}.`;
    return `${entered}${table(
      [{ title: 'ID' }, { title: 'AMOUNT', align: 'right' }, { title: 'DESCRIPTION' }],
      pending.map(({ id, amount, description }) => [id, amount, description]),
    )}`;
  },
});

/** The simulators of a server; those of a process that runs a single command end with it. */
function runningSandbox({ app: { operator }, url }: CommandContext): OperatorSandbox {
  if (url === null) {
    throw new CommandFailure('The simulators live in the running service. Start it first: npm start');
  }
  if (operator.sandbox === null) throw usageFailure('Nothing is simulated here: the sandbox is off.');
  return operator.sandbox;
}
