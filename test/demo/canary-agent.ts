import assert from 'node:assert/strict';
import type { Json, V2Client } from '../support/v2-client.ts';
import { agentOf } from '../surfaces/mcp/support/agent.ts';

/**
 * Has an agent read every bank account by the tools of both kinds, and be refused with what must not be written down;
 * all it was answered. `account`: the v2 id of one of them. `marks`: what it asks for and must not find in a log.
 */
export async function readAsAgent(
  v2: V2Client,
  url: string,
  secret: string,
  { account, marks }: { readonly account: string; readonly marks: readonly string[] },
): Promise<string> {
  const agent = agentOf(url, secret);
  let answers = '';
  const read = async (name: string, args: Record<string, unknown>): Promise<void> => {
    const { http, result } = await agent.call(name, args);
    assert.ok(result, http.text);
    answers += http.text;
  };
  const window = { from: '2024-01-01', to: '2024-12-31' };
  const accounts: readonly Json[] = (await v2('GET', '/v1/accounts')).body.data;
  const banks = accounts.filter((one) => one.provider === 'au_banking');
  assert.ok(banks.length > 0);
  await read('list_accounts', {});
  await read('list_balances', { accountIds: banks.map((one) => one.id) });
  for (const one of banks) {
    const connectionId = one.connectionId;
    await read('list_transactions', { connectionId, accountId: one.id, ...window });
    await read('list_transactions', { connectionId, ...window });
  }
  await read('list_transactions_v2', { account, ...window, include_pending: true, context: marks.join(' ') });
  await read('get_account_balance', { id: account });
  for (const mark of marks) {
    const refused = await agent.call('get_transaction', { id: mark, account });
    assert.ok(refused.failure ?? refused.error);
    await agent.call('list_transactions_v2', { account: mark });
    await agent.call(mark);
    await agent.ask(mark);
  }
  return answers;
}
