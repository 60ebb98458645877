import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { closeAccountRecord } from '../../../src/storage/account-removals.ts';
import { filesOfAccount } from '../../../src/storage/documents.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { until } from '../linking/person.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';
import { ofxOf, type TestRow, uploadAndTake } from './statements.ts';

let service: TestService;
let receiver: Receiver;
before(async () => {
  service = await startService();
  receiver = await new Receiver().open();
});
after(async () => {
  await service.close();
  await receiver.close();
});

const DAY_MS = 86_400_000;
const dayAgo = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
/** Days that banks would still be settling are among them. */
const rowsOf = (name: string, count: number): readonly TestRow[] =>
  Array.from({ length: count }, (_, at) => ({
    date: dayAgo(at % 9),
    amount: `-${at + 1}.00`,
    description: `${name} ${at}`,
    reference: `${name}-${at}`,
  }));

async function syncTo(owner: TestOwner, account: string): Promise<() => number> {
  const target = { url: receiver.url };
  const made = (await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'books', target })).body;
  receiver.secrets = [made.config.signing_secret];
  const { status, body } = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'Statements',
    destination: made.id,
    accounts: [account],
    mapping_mode: 'bulk',
    options: { data_from: dayAgo(60) },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return () => [...receiver.rowsOfAccounts().values()].filter((row) => row.account_item === account).length;
}

describe('A statement file that is undone', () => {
  for (const [what, undone, left] of [
    ['a few of many rows', 3, 60],
    ['most of the rows, also those of the last days', 40, 20],
    ['every row there is', 30, 0],
  ] as const) {
    test(`leaves the destination with the next run: ${what}`, async () => {
      const owner = await service.owner();
      if (left > 0) await uploadAndTake(owner, 'kept.ofx', ofxOf(rowsOf('kept', left)));
      const { id, account } = await uploadAndTake(owner, 'wrong.ofx', ofxOf(rowsOf('wrong', undone)));
      const arrived = await syncTo(owner, account);
      await until(
        async () => arrived(),
        (count) => count === undone + left,
      );
      await owner.v2('POST', `/v2/documents/${id}/undo`);
      await until(
        async () => arrived(),
        (count) => count === left,
      );
      await owner.v2('POST', `/v2/documents/${id}/take`);
      await until(
        async () => arrived(),
        (count) => count === undone + left,
      );
      await owner.v2('DELETE', `/v2/documents/${id}`);
      await until(
        async () => arrived(),
        (count) => count === left,
      );
      const [{ attention }] = (await owner.v2('GET', '/v2/syncs')).body.data;
      assert.equal(attention, null);
      assert.deepEqual(receiver.faults, []);
    });
  }
});

describe('Rows of statement files that are missing because', () => {
  /** A year of rows in an account with a number, all delivered. */
  const delivered = async () => {
    const owner = await service.owner();
    const { account } = await uploadAndTake(owner, 'year.ofx', ofxOf(rowsOf('year', 12)));
    const arrived = await syncTo(owner, account);
    await until(
      async () => arrived(),
      (count) => count === 12,
    );
    const { db } = service.app.database;
    const id = parsePublicId('account', account) ?? assert.fail();
    return { owner, account, arrived, version: () => filesOfAccount(db, owner.record.id, id) };
  };

  test('the account record is being deleted stay at destinations', async () => {
    const { owner, version } = await delivered();
    assert.notEqual(await version(), null);
    await service.app.database.db
      .transaction()
      .execute((trx) => closeAccountRecord(trx, owner.record.id, new Date()));
    assert.equal(await version(), null);
  });

  test('their connection was deleted stay at destinations, also once another file of the account is taken', async () => {
    const { owner, account, arrived, version } = await delivered();
    const { connection } = (await owner.v2('GET', `/v2/accounts/${account}`)).body;
    assert.equal((await owner.v2('DELETE', `/v2/connections/${connection}`)).status, 200);
    const [sync] = (await owner.v2('GET', '/v2/syncs')).body.data;
    const again = await until(
      async () => uploadAndTake(owner, 'later.ofx', ofxOf(rowsOf('later', 2))).catch(() => null),
      (taken) => taken !== null,
    );
    assert.equal(again?.account, account);
    assert.equal(await version(), null);
    const enabled = await owner.v2('POST', `/v2/syncs/${sync.id}`, { enabled: true });
    assert.equal(enabled.status, 200, JSON.stringify(enabled.body));
    const run = await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
    assert.ok(run.status < 300, JSON.stringify(run.body));
    await until(
      async () => arrived(),
      (count) => count >= 14,
    );
    assert.equal(arrived(), 14);
  });
});
