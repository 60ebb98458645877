import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestService } from '../../support/service.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

test('a change of the choice about caching forgets what was cached of every connection, and of no other owner', async () => {
  const control = sandboxBank(service.app);
  const people = [await service.owner(), await service.owner()];
  const read = [];
  for (const owner of people) {
    const connection = await linkBank(owner, { customer: 'sole-trader' });
    const { accounts } = await importedConnection(owner, connection);
    const row = await service.app.database.db
      .selectFrom('accounts')
      .select('upstream_id')
      .where('id', '=', parsePublicId('account', accounts[0].id) ?? assert.fail())
      .executeTakeFirstOrThrow();
    const newest = async (): Promise<string> =>
      (await owner.v2('GET', `/v2/transactions?account=${accounts[0].id}`)).body.data[0].description;
    read.push({ owner, newest, upstream: row.upstream_id, before: await newest() });
  }
  const [mine, theirs] = read;
  assert.ok(mine && theirs);
  control.appendTransactions(mine.upstream, [{ amount: '-1.00', description: 'After the choice' }]);
  assert.equal(await mine.newest(), mine.before);
  const { accountRecords } = service.app.services;
  await accountRecords.update(mine.owner.record.id, { caching: false });
  assert.equal(await mine.newest(), 'After the choice');
  // Cached answers of before would still be good for an hour.
  await accountRecords.update(mine.owner.record.id, { caching: true });
  await until(mine.newest, (description) => description === 'After the choice');
  control.clearRequests();
  assert.equal(await theirs.newest(), theirs.before);
  assert.deepEqual(control.requests(), []);
});
