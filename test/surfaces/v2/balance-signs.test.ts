import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { link } from '../../../src/surfaces/cli/commands/link.ts';
import { parsePublicId, publicId } from '../../../src/vocabulary/ids.ts';
import { until } from '../../features/linking/person.ts';
import { type ConnectedApp, connectApp } from '../../support/bridge.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';

describe('A loan or a card that the bank shows as positive', () => {
  let service: TestService;
  let owner: TestOwner;
  let app: ConnectedApp;
  let accounts: Json[];

  before(async () => {
    service = await startService();
    owner = await service.owner();
    await linkBanks();
    app = await connectApp(service, owner);
  });
  after(() => service.close());

  /** Someone with a card and a loan at each of two banks, one of which shows debts as positive. */
  const linkBanks = async (): Promise<void> => {
    const context = { app: service.app, url: service.url, signal: AbortSignal.timeout(60_000) };
    const account = publicId('account_record', owner.record.id);
    await link.run(context, { account, provider: 'nz_banking', persona: 'card-and-loan' });
    // Each of the two banks is a connection, and the second one lands a moment after the first.
    await until(listed, ({ length }) => length === 4);
  };
  const listed = async (): Promise<Json[]> => {
    accounts = (await owner.v2('GET', '/v2/accounts?limit=100')).body.data;
    return accounts;
  };
  const at = (bank: string, type: string): Json => {
    const found = accounts.find((one) => one.institution.name.startsWith(bank) && one.type === type);
    assert.ok(
      found,
      `${bank} ${type} of ${accounts.map(({ institution, type: t }) => `${institution.name} ${t}`)}`,
    );
    return found;
  };
  const balance = async ({ id }: Json): Promise<Json> =>
    (await owner.v2('GET', `/v2/accounts/${id}/balance`)).body;
  const sign = async ({ id }: Json): Promise<Json> =>
    (await owner.v2('GET', `/v2/accounts/${id}`)).body.balance_sign;
  const overV1 = async ({ id, connection }: Json): Promise<Json> => {
    const query = `connectionId=${parsePublicId('connection', connection)}&accountIds=${parsePublicId('account', id)}`;
    const response = await fetch(new URL(`/v1/balances?${query}`, service.url), {
      headers: { authorization: `Bearer ${owner.key}` },
    });
    const body: Json = await response.json();
    assert.equal(response.status, 200, JSON.stringify(body));
    return body.data[0].currentBalance;
  };
  const overBridge = async ({ id }: Json): Promise<Json> => {
    const { body } = await app.accounts('balances-only=1');
    return body.accounts.find((one: Json) => one.extra.tributary_account_id === id).balance;
  };
  const overMcp = async ({ id }: Json): Promise<Json> => {
    const response = await fetch(new URL('/mcp', service.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_account_balance', arguments: { id } },
      }),
    });
    const body: Json = await response.json();
    return body.result.structuredContent.current.amount;
  };

  it('is decided by its limit where the figures add up, and the decision is remembered', async () => {
    const { current, balance_sign: read } = await balance(at('Rimu', 'credit-card'));
    assert.equal(read, 'owed');
    assert.notEqual(current.amount, 0);
    assert.equal(await sign(at('Rimu', 'credit-card')), 'owed');
  });

  it('is unverified where nothing says, with the figure as the bank sends it, in every list', async () => {
    const loan = at('Rimu', 'loan');
    assert.equal(loan.balance_sign, null);
    const { current, balance_sign: read } = await balance(loan);
    assert.equal(read, 'unverified');
    assert.ok(current.amount > 0);
    assert.equal(await sign(loan), 'unverified');
    const many = (await owner.v2('GET', `/v2/balances?account=${loan.id}`)).body.data;
    assert.equal(many[0].balance_sign, 'unverified');
  });

  it('is in no question at a bank that shows debts as negative', async () => {
    const loan = at('Harakeke', 'loan');
    const { current, balance_sign: read } = await balance(loan);
    assert.deepEqual([read, await sign(loan)], [null, null]);
    assert.ok(current.amount < 0);
  });

  it('has the sign its owner gives it, on every surface, until they change it', async () => {
    const loan = at('Rimu', 'loan');
    const sent = (await balance(loan)).current.amount;
    for (const [answer, factor] of [
      ['owed', -1],
      ['in_credit', 1],
      ['owed', -1],
    ] as const) {
      const updated = await owner.v2('POST', `/v2/accounts/${loan.id}`, { balance_sign: answer });
      assert.deepEqual([updated.status, updated.body.balance_sign], [200, answer]);
      const { current, balance_sign: read } = await balance(loan);
      assert.deepEqual([current.amount, read], [factor * sent, answer]);
      const decimal = ((factor * sent) / 100).toFixed(2);
      assert.deepEqual([await overV1(loan), await overBridge(loan)], [decimal, decimal]);
      assert.equal(await overMcp(loan), factor * sent);
    }
  });

  it('keeps the answer when the bank is linked again', async () => {
    const { connection } = at('Rimu', 'loan');
    const gone = await owner.v2('DELETE', `/v2/connections/${connection}`);
    assert.equal(gone.status, 200, JSON.stringify(gone.body));
    await linkBanks();
    assert.equal(at('Rimu', 'loan').balance_sign, 'owed');
    const { current } = await balance(at('Rimu', 'loan'));
    assert.ok(current.amount < 0);
  });

  it('cannot be answered for an account of another type, of no one or of someone else', async () => {
    const loan = at('Rimu', 'loan');
    const empty = await owner.v2('POST', `/v2/accounts/${loan.id}`, {});
    assert.deepEqual([empty.status, empty.body.balance_sign], [200, 'owed']);
    const wrong = await owner.v2('POST', `/v2/accounts/${loan.id}`, { balance_sign: 'unverified' });
    assert.equal(wrong.status, 400);
    const other = await service.owner();
    const theirs = await other.v2('POST', `/v2/accounts/${loan.id}`, { balance_sign: 'in_credit' });
    assert.equal(theirs.status, 404);
    const context = { app: service.app, url: service.url, signal: AbortSignal.timeout(60_000) };
    await link.run(context, { account: publicId('account_record', owner.record.id), provider: 'au_banking' });
    await listed();
    const everyday = accounts.find(({ type }) => type === 'transaction');
    const refused = await owner.v2('POST', `/v2/accounts/${everyday.id}`, { balance_sign: 'owed' });
    assert.deepEqual(
      [refused.status, refused.body.error.code, refused.body.error.param],
      [400, 'parameter_invalid', 'balance_sign'],
    );
  });
});
