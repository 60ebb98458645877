import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type SimplefinSimulator, startSimplefinSimulator } from '../../sandbox/simplefin/server.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { list, record } from './visitor.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const DAY_S = 86_400;

const open = (more: { stateFile?: string } = {}) =>
  startSimplefinSimulator({ clock: { now: () => NOW }, ...more });

/** Claims a token of the user. */
async function claimed({ control }: SimplefinSimulator, logIn: string): Promise<string> {
  const address = Buffer.from(control.createToken(logIn), 'base64').toString();
  const response = await fetch(address, { method: 'POST' });
  assert.equal(response.status, 200);
  return response.text();
}

function ask(accessUrl: string, query = ''): Promise<Response> {
  const url = new URL(accessUrl);
  const authorization = `Basic ${btoa(`${url.username}:${url.password}`)}`;
  return fetch(`${url.origin}${url.pathname}/accounts${query}`, { headers: { authorization } });
}

async function setOf(accessUrl: string, query = ''): Promise<Record<string, unknown>> {
  const response = await ask(accessUrl, query);
  assert.equal(response.status, 200);
  return record(await response.json());
}

test('a token is made on the page, is claimed once, and gives access until the person disables it', async (t) => {
  const server = await open();
  t.after(() => server.close());
  const page = await fetch(`${server.baseUrl}/create`);
  assert.match(await page.text(), /value="two-banks"/);
  const made = await fetch(`${server.baseUrl}/create`, {
    method: 'POST',
    body: new URLSearchParams({ other_customer: 'rows:3' }),
  });
  const [, token = ''] = /name="setup_token" readonly value="([^"]+)"/.exec(await made.text()) ?? [];
  const address = Buffer.from(token, 'base64').toString();
  const first = await fetch(address, { method: 'POST' });
  const accessUrl = await first.text();
  assert.equal(list(await setOf(accessUrl), 'accounts').length, 1);
  const second = await fetch(address, { method: 'POST' });
  assert.deepEqual([second.status, await second.text()], [403, 'Forbidden']);
  server.control.disableAccess('rows:3');
  assert.equal((await ask(accessUrl)).status, 403);
  const nobody = await fetch(`${server.baseUrl}/create`, {
    method: 'POST',
    body: new URLSearchParams({ other_customer: 'nobody' }),
  });
  assert.equal(nobody.status, 400);
});

test('the rows of an account add up to its balance, and pending ones only to what is available', async (t) => {
  const server = await open();
  t.after(() => server.close());
  const accessUrl = await claimed(server, 'everyday');
  const cents = (value: unknown) => Math.round(Number(value) * 100);
  const sums = async () =>
    list(await setOf(accessUrl, '?pending=1'), 'accounts').map((account) => {
      const { balance, 'available-balance': available, transactions } = record(account);
      const rows = Array.isArray(transactions) ? transactions.map(record) : [];
      const sum = (pending: boolean) =>
        rows.reduce((total, row) => total + (!pending && row.pending === true ? 0 : cents(row.amount)), 0);
      return [cents(balance) - sum(false), cents(available) - sum(true)];
    });
  const before = await sums();
  for (const [posted, all] of before) assert.equal(posted, all);
  const [account] = list(await setOf(accessUrl), 'accounts').map(record);
  server.control.appendTransactions(String(account?.id), [
    { amount: '-3.40', description: 'Cup' },
    { amount: '-9.99', description: 'Held', status: 'PENDING' },
  ]);
  assert.deepEqual(await sums(), before);
});

test('a window includes its start and not its end, and pending rows come only if they are asked for', async (t) => {
  const server = await open();
  t.after(() => server.close());
  const accessUrl = await claimed(server, 'everyday');
  const rows = async (query: string) =>
    list(await setOf(accessUrl, query), 'accounts').flatMap((one) =>
      list(record(one), 'transactions').map(record),
    );
  const posted = (await rows('')).map((row) => Number(row.posted));
  const edge = posted[Math.floor(posted.length / 2)] ?? 0;
  const from = (await rows(`?start-date=${edge}`)).map((row) => Number(row.posted));
  assert.ok(from.includes(edge) && from.every((at) => at >= edge));
  const until = (await rows(`?end-date=${edge}`)).map((row) => Number(row.posted));
  assert.ok(!until.includes(edge) && until.every((at) => at < edge));
  assert.equal(from.length + until.length, posted.length);
  const pending = (await rows(`?start-date=${Math.floor(NOW / 1000) - DAY_S}&pending=1`)).filter(
    (row) => row.pending === true,
  );
  assert.ok(pending.every((row) => row.posted === 0 && typeof row.transacted_at === 'number'));
  assert.equal((await ask(accessUrl, '?start-date=yesterday')).status, 400);
});

test('version 2 groups accounts by login and has codes of errors; version 1 names organisations', async (t) => {
  const server = await open();
  t.after(() => server.close());
  const accessUrl = await claimed(server, 'two-banks');
  server.control.setLoginLost('harbor', true);
  const second = await setOf(accessUrl, '?version=2');
  const lost = list(second, 'connections')
    .map(record)
    .find(({ org_id: id }) => id === 'INST-harbor');
  assert.deepEqual(list(second, 'errlist').map(record), [
    {
      code: 'con.auth',
      msg: 'Connection to Harbor National Bank may need attention',
      conn_id: lost?.conn_id,
    },
  ]);
  for (const account of list(second, 'accounts').map(record)) assert.equal(account.org, undefined);
  server.control.setVersion(1);
  const first = await setOf(accessUrl, '?version=2');
  assert.deepEqual(first.errors, ['Connection to Harbor National Bank may need attention']);
  assert.deepEqual(
    new Set(list(first, 'accounts').map((account) => record(record(account).org).domain)),
    new Set(['prairiecu.example', 'harbornational.example']),
  );
  const info = record(await (await fetch(`${server.baseUrl}/info`)).json());
  assert.deepEqual(info.versions, ['1.0']);
});

test('requests of a day are rationed for each access once that is set', async (t) => {
  const server = await open();
  t.after(() => server.close());
  const [one, other] = [await claimed(server, 'quiet'), await claimed(server, 'quiet')];
  server.control.setQuota(2);
  assert.deepEqual(
    [(await ask(one)).status, (await ask(one)).status, (await ask(one)).status, (await ask(other)).status],
    [200, 200, 429, 200],
  );
});

test('accesses and tokens survive a restart', async (t) => {
  const directory = await scratchDirectory();
  t.after(() => rm(directory, { recursive: true }));
  const stateFile = join(directory, 'simplefin.json');
  const first = await open({ stateFile });
  const accessUrl = new URL(await claimed(first, 'quiet'));
  const token = first.control.createToken('cards');
  await first.close();
  const second = await open({ stateFile });
  t.after(() => second.close());
  accessUrl.port = new URL(second.url).port;
  assert.equal((await ask(accessUrl.href)).status, 200);
  const claim = new URL(Buffer.from(token, 'base64').toString());
  claim.port = new URL(second.url).port;
  assert.equal((await fetch(claim, { method: 'POST' })).status, 200);
});
