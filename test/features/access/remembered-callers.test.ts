import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountRecords } from '../../../src/features/access/account-records.ts';
import { ApiKeyAuthenticator } from '../../../src/features/access/api-key-authenticator.ts';
import { ApiKeys } from '../../../src/features/access/api-keys.ts';
import { RememberedCallers } from '../../../src/features/access/authentication.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { Notices } from '../../../src/storage/notices.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { openTestDatabase } from '../../support/database.ts';
import { noEvents } from '../../support/no-events.ts';

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

test('what is remembered of an API key has no bytes that would keep a buffer of the connection in memory', async () => {
  const { db, database, close } = await openTestDatabase();
  const notices = new Notices(database);
  await notices.start();
  const accountRecord = await new AccountRecords({ db, clock: systemClock, notices }).create({
    email: 'bytes@example.test',
  });
  const keys = new ApiKeys({ db, clock: systemClock, notices, limits: DEFAULT_LIMITS, events: noEvents });
  const { secret } = await keys.create(accountRecord.id, { name: 'Books', scopes: ['data:read'] }, null);
  const caller = await new ApiKeyAuthenticator({ db, clock: systemClock, notices }).identify(
    secret,
    '127.0.0.1',
  );
  assert.ok(typeof caller !== 'string' && caller.key.name === 'Books');
  for (const remembered of [caller.key, caller.accountRecord])
    assert.deepEqual(
      Object.entries(remembered).filter(([, value]) => value instanceof Uint8Array),
      [],
    );
  await notices.stop();
  await close();
});
