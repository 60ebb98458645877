import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readCsv } from '../../features/exports/csv-reader.ts';
import { elementsOf, ofxFaults, parseOfx } from '../../features/exports/ofx-checker.ts';
import { importedConnection, linkBank, linkBroker } from '../../features/linking/person.ts';
import { assertDescribed } from '../../support/described-answer.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';

const HEADERS = { 'service-version': '2026-10-01.wattle' };
let service: TestService;
let owner: TestOwner;
/** Of the household, then one of many rows. */
let accounts: readonly string[];
let large: string;
before(async () => {
  service = await startService({ LIMIT_EXPORT_ACCOUNTS: '3' });
  owner = await service.owner();
  accounts = await accountsOf(await linkBank(owner));
  large = (await accountsOf(await linkBank(owner, { customer: 'rows:6000' })))[0] ?? assert.fail();
});
after(() => service.close());

async function accountsOf(connection: string): Promise<string[]> {
  const { body } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
  return body.data.map((account: Json) => account.id);
}

function ask(path: string, method = 'GET'): Promise<Response> {
  return fetch(`${service.url}${path}`, {
    method,
    headers: { ...HEADERS, authorization: `Bearer ${owner.key}` },
  });
}

async function exported(path: string): Promise<{ readonly headers: Headers; readonly text: string }> {
  const response = await ask(path);
  const text = await response.text();
  const { status, headers } = response;
  assert.equal(status, 200, text);
  assertDescribed('GET', path, { status, headers, body: text });
  return { headers, text };
}

function listed(account: string, from: string): Promise<Json[]> {
  return paged(`/v2/transactions?account=${account}&from=${from}&limit=100`);
}

async function paged(path: string): Promise<Json[]> {
  const rows: Json[] = [];
  let next: string | null = path;
  while (next !== null) {
    const { body }: { body: Json } = await owner.v2('GET', next);
    rows.push(...body.data);
    next = body.next_page_url;
  }
  return rows;
}

const FROM = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10);

describe('an export of transactions', () => {
  test('as JSON lines is the rows of the list', async () => {
    const [account] = accounts;
    const { headers, text } = await exported(
      `/v2/transactions/export?account[]=${account}&from=${FROM}&format=jsonl`,
    );
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const byId = (a: Json, b: Json) => (a.id < b.id ? -1 : 1);
    assert.ok(rows.length > 5);
    assert.deepEqual(rows.toSorted(byId), (await listed(account ?? '', FROM)).toSorted(byId));
    assert.match(
      headers.get('content-disposition') ?? '',
      /^attachment; filename="transactions-[\d-]+-to-[\d-]+\.jsonl"$/,
    );
  });

  test('is named after its account record, so that files of several clients are told apart', async () => {
    const { accountRecords } = service.app.services;
    const path = `/v2/transactions/export?account[]=${accounts[0]}&from=${FROM}&to=${FROM}`;
    for (const [name, file] of [
      [
        'Harbour Café: "Books"',
        `filename="harbour-caf_-books-transactions-${FROM}-to-${FROM}.csv"; filename*=UTF-8''harbour-caf%C3%A9-books-transactions-${FROM}-to-${FROM}.csv`,
      ],
      ['!!!', `filename="transactions-${FROM}-to-${FROM}.csv"`],
      [null, `filename="transactions-${FROM}-to-${FROM}.csv"`],
    ] as const) {
      await accountRecords.update(owner.record.id, { name });
      const { headers } = await exported(path);
      assert.equal(headers.get('content-disposition'), `attachment; ${file}`);
    }
    await accountRecords.update(owner.record.id, { name: 'Harbour Café' });
    const parts = await exported(`${path}&set_aside=report`);
    assert.ok(parts.text.includes(`filename="harbour-café-transactions-${FROM}-to-${FROM}.csv"`));
    await accountRecords.update(owner.record.id, { name: null });
  });

  test('as CSV has a line for each row of each account', async () => {
    const two = accounts.slice(0, 2);
    const query = two.map((account) => `account[]=${account}`).join('&');
    const { text } = await exported(`/v2/transactions/export?${query}&from=${FROM}`);
    const [names = [], ...lines] = readCsv(text);
    const at = names.indexOf('Account ID');
    for (const account of two) {
      const rows = await listed(account, FROM);
      assert.equal(lines.filter((line) => line[at] === account).length, rows.length);
    }
  });

  test('as OFX keeps the rules of the standard', async () => {
    const query = accounts
      .slice(0, 3)
      .map((account) => `account[]=${account}`)
      .join('&');
    const { text } = await exported(`/v2/transactions/export?${query}&from=${FROM}&format=ofx`);
    const root = parseOfx(text);
    assert.deepEqual(ofxFaults(root), []);
    assert.ok(elementsOf(root, 'STMTTRN').length > 5);
  });

  test('has more rows than a list may', { timeout: 600_000 }, async () => {
    const { text } = await exported(`/v2/transactions/export?account[]=${large}&from=${years(5)}`);
    assert.ok(readCsv(text).length > 5001, `${readCsv(text).length} lines`);
  });

  const lines = (text: string): Json[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const PAGES = 'format=jsonl&include_pending=true&failures=report&max_age_seconds=3600';

  test('that reports failures has the rows of every account, each with a line that says how it ended', async () => {
    const two = accounts.slice(0, 2);
    const query = two.map((account) => `account[]=${account}`).join('&');
    const { text } = await exported(
      `/v2/transactions/export?${query}&from=${FROM}&format=jsonl&failures=report`,
    );
    for (const account of two) {
      const own = lines(text).filter((line) => line.account === account);
      const end = own.at(-1);
      assert.deepEqual([end.object, end.from, end.error], ['account_export', FROM, null]);
      assert.ok(Date.now() - Date.parse(end.observed_at) < 600_000);
      const ids = own.slice(0, -1).map(({ id }) => id);
      assert.deepEqual(ids.toSorted(), (await listed(account, FROM)).map(({ id }) => id).toSorted());
    }
  });

  test('that reports failures says which account of which bank failed, and hides no other', async () => {
    const elsewhere = await service.owner();
    const control = sandboxBank(service.app);
    const good = await importedConnection(elsewhere, await linkBank(elsewhere, { customer: 'sole-trader' }));
    const before = new Set(control.consents().map(({ arrangementId }) => arrangementId));
    const bad = await importedConnection(elsewhere, await linkBank(elsewhere));
    const [consent] = control.consents().filter(({ arrangementId }) => !before.has(arrangementId));
    control.revokeConsent(consent?.arrangementId ?? assert.fail('no new consent'));
    const [readable, failing] = [String(good.accounts[0].id), String(bad.accounts[0].id)];
    const path = `/v2/transactions/export?account[]=${failing}&account[]=${readable}&from=${FROM}&${PAGES}`;
    const response = await fetch(`${service.url}${path}`, {
      headers: { ...HEADERS, authorization: `Bearer ${elsewhere.key}` },
    });
    const all = lines(await response.text());
    const ends = new Map(
      all.flatMap((line) => (line.object === 'account_export' ? [[line.account, line.error]] : [])),
    );
    assert.equal(response.status, 200);
    assert.equal(ends.get(readable), null);
    assert.equal(ends.get(failing)?.code, 'upstream_auth_failed');
    assert.ok(all.some(({ object, account }) => object === 'transaction' && account === readable));
    assert.ok(!all.some(({ object, account }) => object === 'transaction' && account === failing));
  });

  test('with max_age_seconds is answered from the cache without a request to the bank, also for fewer days', async () => {
    const query = `account[]=${accounts[0]}&${PAGES}`;
    const first = await exported(`/v2/transactions/export?${query}&from=${FROM}`);
    const control = sandboxBank(service.app);
    control.clearRequests();
    const second = await exported(`/v2/transactions/export?${query}&from=${FROM}`);
    assert.equal(second.text, first.text);
    const from = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
    const fewer = await exported(`/v2/transactions/export?${query}&from=${from}`);
    assert.deepEqual(control.requests(), []);
    const rows = (text: string) => lines(text).filter(({ object }) => object === 'transaction');
    assert.ok(rows(fewer.text).length > 0 && rows(fewer.text).length < rows(first.text).length);
    assert.deepEqual(
      rows(fewer.text),
      rows(first.text).filter(({ date, post_date }) => (date ?? post_date ?? from) >= from),
    );
    await exported(`/v2/transactions/export?account[]=${accounts[0]}&from=${FROM}&format=jsonl`);
    assert.ok(control.requests().length > 0, 'without it, the bank is read');
  });

  test('with max_age_seconds has all rows of an account with more than the cache takes', {
    timeout: 600_000,
  }, async () => {
    const { text } = await exported(`/v2/transactions/export?account[]=${large}&from=${years(5)}&${PAGES}`);
    const ids = lines(text).flatMap(({ object, id }) => (object === 'transaction' ? [id] : []));
    assert.ok(ids.length > 5000);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(lines(text).at(-1)?.error, null);
  });

  test('reports failures in JSON lines alone', async () => {
    const { status, body } = await owner.v2(
      'GET',
      `/v2/transactions/export?account[]=${accounts[0]}&failures=report`,
    );
    assert.deepEqual([status, body.error.param], [400, 'failures']);
  });

  test('answers HEAD with the same headers and no body', async () => {
    const path = `/v2/transactions/export?account[]=${accounts[0]}&from=${FROM}`;
    const [get, head] = [await ask(path), await ask(path, 'HEAD')];
    await get.arrayBuffer();
    assert.deepEqual([head.status, await head.text()], [200, '']);
    for (const name of ['content-type', 'content-disposition']) {
      assert.equal(head.headers.get(name), get.headers.get(name));
    }
  });

  test('is of at most so many accounts [limit export_accounts]', async () => {
    const query = (most: number) =>
      [...accounts, large]
        .slice(0, most)
        .map((account) => `account[]=${account}`)
        .join('&');
    assert.ok(accounts.length >= 3);
    assert.equal((await ask(`/v2/transactions/export?${query(3)}`)).status, 200);
    const refused = await owner.v2('GET', `/v2/transactions/export?${query(4)}`);
    assert.deepEqual([refused.status, refused.body.error.param], [400, 'account[]']);
  });

  test('that the bank fails at once is an error like any other', async () => {
    const bank = sandboxBank(service.app);
    bank.addFault({ kind: 'malformed-json', route: 'GET /v1/banking/*', count: 10 });
    const answer = await owner.v2('GET', `/v2/transactions/export?account[]=${accounts[0]}`);
    bank.clearFaults();
    assert.deepEqual([answer.status, answer.body.error.code], [424, 'upstream_failed']);
  });

  for (const format of ['csv', 'jsonl', 'ofx']) {
    test(`that the bank fails midway is aborted, ${format}`, { timeout: 600_000 }, async () => {
      const bank = sandboxBank(service.app);
      const after = format === 'ofx' ? 3 : 2;
      bank.addFault({ kind: 'malformed-json', route: 'GET /v1/banking/*', after, count: 50 });
      const response = await ask(
        `/v2/transactions/export?account[]=${large}&from=${years(5)}&format=${format}`,
      );
      assert.equal(response.status, 200, `the first page came: ${response.status}`);
      let text = '';
      await assert.rejects(async () => {
        const decoder = new TextDecoder();
        for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
      });
      bank.clearFaults();
      assert.notEqual(text, '');
      if (format !== 'jsonl') return;
      const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
      assert.equal(last.error.code, 'upstream_failed');
    });
  }

  test('takes its time and then is aborted [limit export_seconds]', { timeout: 600_000 }, async () => {
    const hurried = await startService({ LIMIT_EXPORT_SECONDS: '1' });
    const person = await hurried.owner();
    const connection = await linkBank(person, { customer: 'rows:6000' });
    const { body } = await person.v2('GET', `/v2/accounts?connection=${connection}`);
    const bank = sandboxBank(hurried.app);
    bank.addFault({ kind: 'latency', latencyMs: 20_000, route: 'GET /v1/banking/*', after: 2, count: 50 });
    const response = await fetch(
      `${hurried.url}/v2/transactions/export?account[]=${body.data[0].id}&from=${years(5)}&format=jsonl`,
      { headers: { ...HEADERS, authorization: `Bearer ${person.key}` } },
    );
    const answered = response.text();
    if (response.status === 200) await assert.rejects(answered);
    // On a slow machine the time is up before the first page.
    else assert.match(await answered, /took longer than 1 seconds/);
    await hurried.close();
  });
});

describe('an export of a sync', () => {
  test('has its rows as rules leave them, from its first day on', async () => {
    const spending = (await spendingAccount()) ?? assert.fail('no account of the bank has debits');
    const destination = await made('/v2/destinations', {
      type: 'webhook',
      name: 'books',
      target: { url: 'http://127.0.0.1:9/books' },
    });
    const ruleset = await made('/v2/rulesets', { name: 'Tidy' });
    await made(`/v2/rulesets/${ruleset.id}/rules`, {
      name: 'No credits',
      conditions: { all: [{ field: 'direction', operator: 'equals', value: 'credit' }] },
      actions: [{ type: 'skip' }],
    });
    await made(`/v2/rulesets/${ruleset.id}/rules`, {
      name: 'Note',
      conditions: { all: [{ field: 'direction', operator: 'equals', value: 'debit' }] },
      actions: [{ type: 'set_memo', value: '=note' }],
    });
    const sync = await made('/v2/syncs', {
      type: 'transactions',
      name: 'books',
      destination: destination.id,
      accounts: [spending],
      mapping_mode: 'bulk',
      options: { data_from: FROM },
      run_now: false,
    });
    await made(`/v2/syncs/${sync.id}/rulesets`, { rulesets: [ruleset.id] });
    const debits = (await listed(spending, FROM)).filter((row) => row.direction === 'debit');
    assert.ok(debits.length > 0);

    const csv = await exported(`/v2/syncs/${sync.id}/export`);
    const [names = [], ...lines] = readCsv(csv.text);
    assert.deepEqual(lines.map((line) => line[0]).toSorted(), debits.map((row) => row.id).toSorted());
    assert.ok(lines.every((line) => line[names.indexOf('Memo')] === "'=note"));
    const raw = await exported(`/v2/syncs/${sync.id}/export?defuse_formulas=false&bom=true`);
    assert.ok(
      readCsv(raw.text)
        .slice(1)
        .every((line) => line[names.indexOf('Memo')] === '=note'),
    );

    const jsonl = await exported(`/v2/syncs/${sync.id}/export?format=jsonl&from=${years(1)}`);
    const rows = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(rows.every((row) => row.memo === '=note' && row.date >= FROM));
    assert.equal(rows.length, debits.length);
  });

  test('of trades has each trade of its days once, and is no statement', async () => {
    const { accounts: held } = await importedConnection(owner, await linkBroker(owner, 'rows:150'));
    const [account] = held.map(({ id }: Json) => id);
    const destination = await made('/v2/destinations', {
      type: 'webhook',
      name: 'trades',
      target: { url: 'http://127.0.0.1:9/trades' },
    });
    const sync = await made('/v2/syncs', {
      type: 'trades',
      name: 'trades',
      destination: destination.id,
      accounts: [account],
      mapping_mode: 'bulk',
      options: { data_from: FROM },
      run_now: false,
    });
    const trades = await paged(`/v2/trades?account=${account}&from=${FROM}&limit=100`);
    const ids = trades.map(({ id }) => id).toSorted();
    assert.ok(ids.length > 0);

    const jsonl = await exported(`/v2/syncs/${sync.id}/export?format=jsonl`);
    const rows: Json[] = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(rows.map(({ id }) => id).toSorted(), ids);
    const [names = [], ...lines] = readCsv((await exported(`/v2/syncs/${sync.id}/export`)).text);
    assert.deepEqual(lines.map((line) => line[0]).toSorted(), ids);
    assert.ok(lines.every((line) => line.length === names.length));
    const statement = await ask(`/v2/syncs/${sync.id}/export?format=ofx`);
    assert.equal(statement.status, 400);
    assert.match(await statement.text(), /not_supported/);
  });

  test('of holdings is what is held now, as columns that were chosen or as the list has it, and of no days', async () => {
    const { accounts: held } = await importedConnection(owner, await linkBroker(owner, 'self-directed'));
    const ids: string[] = held.map(({ id }: Json) => id);
    const secret = service.app.sandbox?.simulators.get('postgres')?.secret;
    const destination = await made('/v2/destinations', { type: 'postgres', secret });
    await made(`/v2/destinations/${destination.id}/create_target`, { name: 'held', type: 'holdings' });
    const sync = await made('/v2/syncs', {
      type: 'holdings',
      name: 'holdings',
      destination: destination.id,
      accounts: ids,
      mapping_mode: 'bulk',
      columns: ['account', 'symbol', 'market_value'],
      run_now: false,
    });
    const path = `/v2/syncs/${sync.id}/export`;
    const listed = (await Promise.all(ids.map((id) => paged(`/v2/holdings?account=${id}`)))).flat();
    assert.equal(listed.length, 4);

    const jsonl = await exported(`${path}?format=jsonl`);
    const rows: Json[] = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const byId = (a: Json, b: Json) => (a.id < b.id ? -1 : 1);
    assert.deepEqual(rows.toSorted(byId), listed.toSorted(byId));
    const csv = await exported(path);
    assert.match(csv.headers.get('content-disposition') ?? '', new RegExp(`"${sync.id}\\.csv"`));
    const [names, ...lines] = readCsv(csv.text);
    assert.deepEqual(names, ['Account', 'Symbol', 'Market Value']);
    assert.deepEqual(
      lines.map(([, symbol, value]) => `${symbol} ${value}`).toSorted(),
      listed.map((row) => `${row.symbol} ${row.market_value_decimal}`).toSorted(),
    );
    for (const [query, code] of [
      ['from=2026-01-01', 'parameter_invalid'],
      ['to=2026-01-01', 'parameter_invalid'],
      ['format=ofx', 'not_supported'],
    ]) {
      const refused = await ask(`${path}?${query}`);
      assert.equal(refused.status, 400, query);
      assert.match(await refused.text(), new RegExp(`"${code}"`));
    }
  });
});

async function made(path: string, body: unknown): Promise<Json> {
  const answer = await owner.v2('POST', path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

async function spendingAccount(): Promise<string | undefined> {
  for (const account of accounts) {
    if ((await listed(account, FROM)).some((row) => row.direction === 'debit')) return account;
  }
  return undefined;
}

function years(ago: number): string {
  return new Date(Date.now() - ago * 365 * 86_400_000).toISOString().slice(0, 10);
}
