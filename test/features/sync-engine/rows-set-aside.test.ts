import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { AuBankingControl } from '../../../sandbox/au-banking/control.ts';
import { connectApp } from '../../support/bridge.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';
import { Receiver } from './support/receiver.ts';

const ROWS = 'GET /v1/banking/transactions';
const NEVER = '9999-12-31T23:59:59Z';

/** What `fetch` hides: the headers that follow a response. */
async function exportedBy(url: string, path: string, key: string) {
  const headers = { 'service-version': '2026-10-01.wattle', authorization: `Bearer ${key}` };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}${path}`, { headers }, resolve).once('error', reject);
  });
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return { text, trailers: { ...response.trailers } };
}

describe('a bank that sends a row which cannot be read', () => {
  let service: TestService;
  let owner: TestOwner;
  let bank: AuBankingControl;
  let receiver: Receiver;
  let accounts: Json[];
  before(async () => {
    service = await startService();
    owner = await service.owner();
    bank = sandboxBank(service.app);
    receiver = await new Receiver().open();
    ({ accounts } = await importedConnection(owner, await linkBank(owner)));
    assert.ok(accounts.length > 1);
  });
  after(async () => {
    await service.close();
    await receiver.close();
  });

  async function asked(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await owner.v2(method, path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  }

  async function finished(run: string): Promise<Json> {
    const until = Date.now() + 120_000;
    for (;;) {
      const body = await asked('GET', `/v2/sync_runs/${run}?include[]=account_results`);
      if (body.completed_at !== null) return body;
      assert.ok(Date.now() < until, 'the run did not end');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Each read has days of its own, so that none is answered from memory. */
  let days = 40;
  const list = (account: Json, back = ++days): ReturnType<TestOwner['v2']> => {
    const from = new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
    return owner.v2('GET', `/v2/transactions?account=${account.id}&limit=100&from=${from}`);
  };
  const wireId = (id: string) => id.replace(/^txn_fk_/, '');

  async function newSync(ids: readonly string[]): Promise<Json> {
    // An owner has one webhook of an address.
    const target = { url: `${receiver.url}?${receiver.secrets.length}` };
    const destination = await asked('POST', '/v2/destinations', { type: 'webhook', name: 'books', target });
    receiver.secrets = [...receiver.secrets, destination.config.signing_secret];
    return asked('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'books',
      destination: destination.id,
      accounts: ids,
      mapping_mode: 'bulk',
      run_now: false,
    });
  }

  test('with moments of the year 9999 in optional members shows the row without them, and spoils no other account', async () => {
    const { body } = await list(accounts[0]);
    const row = body.data.find(({ status }: Json) => status === 'posted');
    for (const member of ['execution_date_time', 'value_date_time'])
      bank.addFault({ route: ROWS, kind: 'override', row: wireId(row.id), member, value: NEVER });
    const again = await list(accounts[0]);
    assert.equal(again.status, 200);
    const shown = again.body.data.find(({ id }: Json) => id === row.id);
    assert.deepEqual([shown.value_date, shown.value_datetime, shown.date], [null, null, shown.post_date]);
    assert.deepEqual([again.body.set_aside, again.headers.get('x-service-rows-set-aside')], [[], null]);

    const sync = await newSync([accounts[0].id, accounts[1].id]);
    const run = await finished((await asked('POST', `/v2/syncs/${sync.id}/run`)).id);
    assert.deepEqual([run.status, run.counts.rejected], ['succeeded', 0]);
    assert.ok(run.account_results.every(({ counts }: Json) => counts.added > 0));
    const app = await connectApp(service, owner);
    const set = await app.accounts();
    assert.equal(set.status, 200);
    assert.equal(set.body.accounts.length, accounts.length);
    bank.clearFaults();
    await asked('DELETE', `/v2/syncs/${sync.id}`);
  });

  test('such as an amount of 1,234.56 has the other rows shown and delivered, says which row and why, and delivers it once mended', async () => {
    const [account] = accounts;
    const { body } = await list(account);
    const [row, other] = body.data.filter(({ status }: Json) => status === 'posted');
    const sync = await newSync([account.id]);
    receiver.events.length = 0;
    const fault = { route: ROWS, kind: 'override', member: 'amount', value: '1,234.56' } as const;
    const broken = bank.addFault({ ...fault, row: wireId(row.id) });

    const read = await list(account);
    assert.equal(read.status, 200);
    assert.equal(read.headers.get('x-service-rows-set-aside'), '1');
    const entry = { id: row.id, day: row.date, field: 'amount', reason: 'unreadable' };
    assert.deepEqual(read.body.set_aside, [entry]);
    assert.ok(read.body.data.some(({ id }: Json) => id === other.id));
    assert.ok(read.body.data.every(({ id }: Json) => id !== row.id));
    const cached = await list(account, days);
    assert.deepEqual(cached.body.set_aside, [entry]);
    const one = await owner.v2('GET', `/v2/transactions/${row.id}?account=${account.id}&from=${row.date}`);
    assert.deepEqual(
      [one.status, one.body.error.code, one.body.error.param],
      [424, 'upstream_failed', 'amount'],
    );
    const v1 = await fetch(new URL('/simplefin/accounts', service.url));
    assert.notEqual(v1.status, 500);
    const app = await connectApp(service, owner, 'other app');
    const set = await app.accounts(`?start-date=${Math.floor(Date.now() / 1000) - 50 * 86_400}`);
    assert.ok(set.body.errors.some((sentence: string) => /could not be read/.test(sentence)));
    const file = await owner.v2(
      'GET',
      `/v2/transactions/export?account[]=${account.id}&format=jsonl&from=${row.date}`,
    );
    const lines = String(file.body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines.at(-1), { object: 'row_set_aside', account: account.id, ...entry });
    for (const format of ['csv', 'qif', 'ofx', 'ofx1', 'jsonl']) {
      const path = `/v2/transactions/export?account[]=${account.id}&format=${format}&from=${row.date}`;
      const alone = await exportedBy(service.url, path, owner.key);
      assert.deepEqual(alone.trailers, { 'x-service-rows-set-aside': '1' }, format);
      const parts = await fetch(`${service.url}${path}&set_aside=report`, {
        headers: { 'service-version': '2026-10-01.wattle', authorization: `Bearer ${owner.key}` },
      });
      const form = await parts.formData();
      assert.deepEqual(JSON.parse(String(form.get('set_aside'))), [{ account: account.id, rows: 1 }], format);
      const file = form.get('file');
      assert.ok(file instanceof File);
      if (!format.startsWith('ofx')) assert.equal(await file.text(), alone.text, format);
    }

    const run = await finished((await asked('POST', `/v2/syncs/${sync.id}/run`)).id);
    assert.deepEqual([run.status, run.counts.rejected, run.rejected_unlisted], ['succeeded', 1, 0]);
    assert.equal(run.account_results[0].counts.rejected, 1);
    assert.ok(receiver.rows().has(other.id) && !receiver.rows().has(row.id));
    const { data } = await asked('GET', `/v2/syncs/${sync.id}/rejected_rows`);
    assert.equal(data.length, 1);
    const { origin, row: id, day, field, reason, first_sync_run: first } = data[0];
    assert.deepEqual({ id, day, field, reason }, entry);
    assert.deepEqual([origin, first, data[0].account], ['provider', run.id, account.id]);
    assert.doesNotMatch(JSON.stringify(data), /1,234/);
    const next = await finished((await asked('POST', `/v2/syncs/${sync.id}/run`)).id);
    assert.deepEqual([next.status, next.counts.rejected, next.counts.added], ['succeeded', 1, 0]);
    const narrowed = await asked(
      'GET',
      `/v2/syncs/${sync.id}/rejected_rows?sync_run=${next.id}&origin=provider`,
    );
    assert.deepEqual([narrowed.data[0].first_sync_run, narrowed.data[0].last_sync_run], [run.id, next.id]);

    bank.removeFault(broken);
    const mended = await finished((await asked('POST', `/v2/syncs/${sync.id}/run`)).id);
    assert.deepEqual([mended.status, mended.counts.rejected, mended.counts.added], ['succeeded', 0, 1]);
    assert.ok(receiver.rows().has(row.id));
    assert.deepEqual((await asked('GET', `/v2/syncs/${sync.id}/rejected_rows`)).data, []);

    // Delivered, and unreadable afterwards: it stays, and a look at everything says nothing against it.
    bank.addFault({ ...fault, row: wireId(row.id) });
    const verified = await asked('POST', `/v2/syncs/${sync.id}/verify`);
    assert.deepEqual(verified.problems, { missing: 0, extra: 0, different: 0, doubled: 0 });
    assert.deepEqual([verified.counts.unreadable, verified.accounts[0].unreadable], [1, 1]);
    const dryRun = await asked('POST', `/v2/syncs/${sync.id}/dry_run`);
    assert.equal(dryRun.accounts[0].unreadable, 1);
    const kept = await finished((await asked('POST', `/v2/syncs/${sync.id}/run`)).id);
    assert.deepEqual([kept.status, kept.counts.rejected, kept.counts.updated], ['succeeded', 1, 0]);
    assert.deepEqual(
      receiver.events.flatMap((event) => event.data.removed),
      [],
    );
    bank.clearFaults();
  });

  test('a balance in no currency leaves the account in the list, without a balance and with the reason, on a new link and later', async () => {
    const balances = 'GET /v1/banking/balances';
    const shared = new Set(bank.consents().flatMap(({ accountIds }) => accountIds));
    const [known = ''] = shared;
    bank.addFault({ route: balances, kind: 'override', row: known, member: 'currency', value: 'USDT' });
    const other = await service.owner();
    const linked = await importedConnection(other, await linkBank(other));
    assert.equal(linked.accounts.length, accounts.length);
    const read = await other.v2(
      'GET',
      `/v2/balances?${linked.accounts.map(({ id }: Json) => `account=${id}`).join('&')}`,
    );
    const unreadable = read.body.data.filter((balance: Json) => balance.unreadable !== null);
    assert.deepEqual(
      unreadable.map((balance: Json) => [balance.current, balance.currency, balance.unreadable]),
      [[null, null, { field: 'currency', reason: 'unreadable' }]],
    );
    assert.ok(read.body.data.some((balance: Json) => balance.current !== null));
    const [connection] = (await other.v2('GET', '/v2/connections')).body.data;
    assert.equal((await other.v2('POST', `/v2/connections/${connection.id}/refresh`)).status, 202);
    const after = await other.v2('GET', `/v2/accounts?connection=${connection.id}`);
    assert.equal(after.body.data.length, linked.accounts.length);
    bank.clearFaults();
  });
});
