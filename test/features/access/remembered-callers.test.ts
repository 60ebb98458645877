import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountRecords } from '../../../src/features/access/account-records.ts';
import { RememberedCallers } from '../../../src/features/access/authentication.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { Notices } from '../../../src/storage/notices.ts';
import { openTestDatabase } from '../../support/database.ts';

const MOST = 10_000;

test('one credential too many makes the process forget the oldest one, not all of them', async () => {
  const { db, database, close } = await openTestDatabase();
  const notices = new Notices(database);
  await notices.start();
  const records = new AccountRecords({ db, clock: systemClock, notices });
  const accountRecord = await records.create({ email: 'callers@example.test' });
  const callers = new RememberedCallers(notices, 'api_key');
  for (let at = 0; at <= MOST; at++) {
    await callers.find(`digest ${at}`, async () => ({ id: `key ${at}`, accountRecord }));
  }
  assert.equal(callers.recall('digest 0'), null);
  assert.equal(callers.recall('digest 1')?.id, 'key 1');
  assert.equal(callers.recall(`digest ${MOST}`)?.id, `key ${MOST}`);
  await notices.stop();
  await close();
});
