import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Account, findAccount } from '../../storage/accounts.ts';
import { parsePublicId } from '../../vocabulary/ids.ts';
import { type CommandContext, command } from '../command.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { askSimulator } from '../sandbox-control.ts';
import { table } from '../table.ts';

const Optional = Type.Optional(Type.String());
const PendingRow = Type.Object({ id: Type.String(), amount: Type.String(), description: Type.String() });
const Listed = Type.Object({ pending: Type.Array(PendingRow) });
const Entered = Type.Object({ ids: Type.Array(Type.String()) });

/** `sandbox row`: a simulated bank enters a transaction, or a pending one is posted or disappears. */
export const sandboxRow = command({
  name: 'sandbox row',
  args: Type.Object(
    {
      account: Type.String(),
      amount: Optional,
      description: Optional,
      pending: Type.Optional(Type.Boolean()),
      settle: Optional,
      drop: Optional,
    },
    { additionalProperties: false },
  ),
  result: Type.Object({
    account: Type.String(),
    ids: Type.Array(Type.String()),
    pending: Type.Array(PendingRow),
  }),
  run: async (context, { account, amount, description, pending = false, settle, drop }) => {
    const { provider, upstream_id: upstream } = await linkedAccount(context, account);
    const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
      askSimulator(context, provider, { method, path, ...(body && { body }) });
    const asked = [amount, settle, drop].filter((one) => one !== undefined).length;
    if (asked > 1) throw usageFailure('Give one of --amount, --settle and --drop.');
    const path = `/accounts/${encodeURIComponent(upstream)}`;
    if (settle !== undefined) await ask('POST', `/transactions/${encodeURIComponent(settle)}/settle`);
    if (drop !== undefined) await ask('POST', `/transactions/${encodeURIComponent(drop)}/drop`);
    const status = pending ? 'PENDING' : 'POSTED';
    const transactions =
      amount === undefined ? [] : [{ amount, description: description ?? 'Sandbox', status }];
    const entered = amount === undefined ? null : await ask('POST', `${path}/transactions`, { transactions });
    const listed = Value.Clean(Listed, await ask('GET', `${path}/pending`));
    if (!Value.Check(Listed, listed) || !(entered === null || Value.Check(Entered, entered)))
      throw new CommandFailure(`The simulator of ${provider} answered in a format of its own.`);
    return { account, ids: entered?.ids ?? [], pending: listed.pending };
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

/** The operator's own machine and a simulated bank: whichever account record linked it. */
async function linkedAccount({ app }: CommandContext, text: string): Promise<Account> {
  const id = parsePublicId('account', text);
  if (id === null) throw usageFailure(`"${text}" is no id of an account (acct_…).`);
  for (const { id: owner } of await app.services.accountRecords.list()) {
    const found = await findAccount(app.database.db, owner, id);
    if (found !== null) return found;
  }
  throw new CommandFailure(`There is no account ${text}. Link one first: tributary link --help`);
}
