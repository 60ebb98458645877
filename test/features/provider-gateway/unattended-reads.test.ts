import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tributary } from '#client';
import { EnableBankingControl } from '../../../sandbox/enable-banking/control.ts';
import { banksByName, linkCustomer } from '../../../src/app/demo/demo-steps.ts';
import { giveBackUnattendedRead, takeUnattendedRead } from '../../../src/storage/accounts.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { addPerson, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { v2Client } from '../../support/v2-client.ts';

const DAY = 86_400_000;
const RETURN_URL = 'http://127.0.0.1:1/linked';

async function linked(service: TestService, owner: TestOwner): Promise<string> {
  const v2 = new Tributary({ url: service.url, apiKey: owner.key });
  const banks = await banksByName(v2, 'enable_banking');
  const person = { provider: 'enable_banking', bank: 'Kuura Bank (FI)', customer: 'rows:20' } as const;
  const [account] = await linkCustomer(v2, person, banks, RETURN_URL, AbortSignal.timeout(60_000));
  return account ?? assert.fail('nothing was linked');
}

const UNCACHED = { LIMIT_TRANSACTIONS_CACHE_MINUTES: '0', LIMIT_BALANCE_CACHE_MINUTES: '0' };

test('An account is read so often a day while its owner is away, also after a restart, and of each kind apart [limit unattended_reads]', async (t) => {
  let service = await startService({ ...UNCACHED, LIMIT_UNATTENDED_READS: '2' });
  t.after(() => service.close());
  const owner = await service.owner();
  const account = await linked(service, owner);
  const read = (path: string) => v2Client(service.url, owner.key)('GET', path);
  const rows = `/v2/transactions?account=${account}`;
  assert.equal((await read(rows)).status, 200);
  service = await service.restart();
  assert.equal((await read(rows)).status, 200);
  const control = service.app.sandbox?.simulators.get('enable_banking')?.control;
  assert.ok(control instanceof EnableBankingControl);
  control.clearRequests();
  const refused = await read(rows);
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'provider_wait']);
  assert.ok(Number(refused.headers.get('retry-after')) > 86_000);
  assert.deepEqual(control.requests(), [], 'the bank is not asked');
  assert.equal((await read(`/v2/accounts/${account}/balance`)).status, 200);
});

test('A read that does not reach the bank, or for which a person waits, does not count', async (t) => {
  const service = await startService({ ...UNCACHED, LIMIT_UNATTENDED_READS: '1', TRUST_PROXY: '1' });
  t.after(() => service.close());
  const owner = await service.owner();
  const account = await linked(service, owner);
  const control = service.app.sandbox?.simulators.get('enable_banking')?.control;
  assert.ok(control instanceof EnableBankingControl);
  const rows = `/v2/transactions?account=${account}`;
  control.addFault({ route: 'GET /accounts/*/transactions', kind: 'connection-reset', count: 2 });
  assert.equal((await owner.v2('GET', rows)).status, 503);
  assert.equal((await owner.v2('GET', rows)).status, 200);
  assert.equal((await owner.v2('GET', rows)).status, 429);
  const browser = await signedIn(service, await addPerson(service, owner));
  for (const [address, status] of [
    ['8.8.8.8', 200],
    ['192.168.1.7', 429],
  ] as const) {
    const from = { 'x-forwarded-for': address };
    assert.equal((await browser.v2('GET', rows, undefined, from)).status, status, address);
  }
});

test('Reads are counted in any window of a day, whatever the clock does, and one process counts those of another', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const owner = await service.owner();
  const account = parsePublicId('account', await linked(service, owner));
  assert.ok(account);
  const { db } = service.app.database;
  const read = { owner: owner.record.id, account, what: 'balance', most: 2, withinMs: DAY };
  const take = (at: number) => takeUnattendedRead(db, { ...read, at });
  const now = Date.parse('2026-11-20T06:00:00Z');
  assert.equal(await take(now), null);
  assert.equal(await take(now + 1000), null);
  assert.equal(await take(now + 2000), DAY - 2000);
  assert.equal(await take(now + DAY), null, 'the first is a day old');
  assert.equal(await take(now + DAY), 1000);
  await giveBackUnattendedRead(db, { ...read, at: now + DAY });
  const together = await Promise.all([take(now + DAY + 10), take(now + DAY + 10), take(now + DAY + 10)]);
  assert.equal(together.filter((wait) => wait === null).length, 1);
  assert.equal(await take(now - DAY), null, 'reads from before the clock was set back are in the future');
  assert.equal(
    await takeUnattendedRead(db, { ...read, owner: (await service.owner()).record.id, at: now }),
    null,
  );
});
