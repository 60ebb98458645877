import { Type } from 'typebox';
import { type Account, findAccount } from '../../storage/accounts.ts';
import { parsePublicId } from '../../vocabulary/ids.ts';
import { type CommandContext, command } from '../command.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { askSimulator } from '../sandbox-control.ts';

const Optional = Type.Optional(Type.String());

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
  result: Type.Object({ account: Type.String(), answer: Type.Unknown() }),
  run: async (context, { account, amount, description, pending = false, settle, drop }) => {
    const { provider, upstream_id: upstream } = await linkedAccount(context, account);
    const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
      askSimulator(context, provider, { method, path, ...(body && { body }) });
    const asked = [amount, settle, drop].filter((one) => one !== undefined).length;
    if (asked > 1) throw usageFailure('Give one of --amount, --settle and --drop.');
    if (settle !== undefined)
      return { account, answer: await ask('POST', `/transactions/${encodeURIComponent(settle)}/settle`) };
    if (drop !== undefined)
      return { account, answer: await ask('POST', `/transactions/${encodeURIComponent(drop)}/drop`) };
    const path = `/accounts/${encodeURIComponent(upstream)}`;
    if (amount === undefined) return { account, answer: await ask('GET', `${path}/pending`) };
    const status = pending ? 'PENDING' : 'POSTED';
    const transactions = [{ amount, description: description ?? 'Sandbox', status }];
    return { account, answer: await ask('POST', `${path}/transactions`, { transactions }) };
  },
  show: ({ account, answer }) =>
    answer === null ? `Done on ${account}.` : `${account}\n${JSON.stringify(answer, null, 2)}`,
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
