import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { v2Client } from '../../support/v2-client.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';

const noServer = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;
const redis = process.env.REDIS_URL ?? '';

for (const [name, redisUrl, skip] of [
  ['Postgres', '', noServer],
  ['Redis', redis, noServer || (redis === '' ? 'needs a Redis or Valkey server in REDIS_URL' : false)],
] as const) {
  describe(`Two processes with a cache each that count in ${name}`, { skip }, () => {
    let first: TestService;
    let second: TestService;

    before(async () => {
      const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), REDIS_URL: redisUrl };
      first = await startService(settings, { installation: { hasLock: true } });
      // The same bank: that of the data directory they share.
      const { databaseUrl, publicUrl } = first.app.config;
      const shared = { DATA_DIR: first.dataDir, DATABASE_URL: databaseUrl ?? '', PUBLIC_URL: publicUrl };
      second = await startService({ ...settings, ...shared }, { installation: { hasLock: false } });
    });
    after(async () => {
      await second.close();
      await first.close();
    });

    /** An account that either process reads for its owner. */
    async function linked() {
      const owner = await first.owner();
      const connection = await importedConnection(owner, await linkBank(owner, { customer: 'sole-trader' }));
      const account: string = connection.accounts[0].id;
      const there = v2Client(second.url, owner.key);
      return {
        owner,
        connection: String(connection.id),
        account,
        here: () => owner.v2('GET', `/v2/accounts/${account}/balance`),
        there: () => there('GET', `/v2/accounts/${account}/balance`),
      };
    }

    /** Whether a process answers from its cache, without asking who may read it. */
    async function cachedIn(service: TestService, owner: TestOwner, account: string) {
      const id = parsePublicId('account', account) ?? assert.fail(account);
      const { gateway } = await service.app.linking.accounts.resolve(owner.record.id, id);
      return async () => service.app.gateway.accounts.cachedBalance(gateway) !== null;
    }

    test('forget at once in both what was cached of a connection that one of them revoked', async () => {
      const { owner, connection, account, here, there } = await linked();
      for (const read of [here, there]) assert.equal((await read()).status, 200);
      const control = sandboxBank(first.app);
      control.clearRequests();
      for (const read of [here, there]) assert.equal((await read()).status, 200);
      assert.deepEqual(control.requests(), [], 'both answer from their caches');
      const [inFirst, inSecond] = [
        await cachedIn(first, owner, account),
        await cachedIn(second, owner, account),
      ];
      assert.deepEqual([await inFirst(), await inSecond()], [true, true]);
      assert.equal((await owner.v2('DELETE', `/v2/connections/${connection}`)).status, 200);
      assert.deepEqual([(await here()).status, await inFirst()], [404, false]);
      await until(inSecond, (cached) => !cached);
      assert.equal((await there()).status, 404);
    });

    test('forget in both what was cached of a connection that the owner refreshes at one of them', async () => {
      const { owner, connection, account, here, there } = await linked();
      for (const read of [here, there]) assert.equal((await read()).status, 200);
      const [inFirst, inSecond] = [
        await cachedIn(first, owner, account),
        await cachedIn(second, owner, account),
      ];
      assert.deepEqual([await inFirst(), await inSecond()], [true, true]);
      const refreshed = await owner.v2('POST', `/v2/connections/${connection}/refresh`);
      assert.deepEqual([refreshed.status, refreshed.body.reads.purged, await inFirst()], [202, true, false]);
      await until(inSecond, (cached) => !cached);
      for (const read of [here, there]) assert.equal((await read()).status, 200);
      const again = await owner.v2('POST', `/v2/connections/${connection}/refresh`);
      assert.equal(again.body.reads.purged, false);
      assert.deepEqual([await inFirst(), await inSecond()], [true, true], 'one turn between them');
    });

    test('forget in both what was cached when the owner opts out of caching at one of them', async () => {
      const { owner, account, here, there } = await linked();
      for (const read of [here, there]) assert.equal((await read()).status, 200);
      const inSecond = await cachedIn(second, owner, account);
      assert.equal(await inSecond(), true);
      await first.app.services.accountRecords.update(owner.record.id, { caching: false });
      await until(inSecond, (cached) => !cached);
    });

    test('forget everything when a notice of the other may have been missed', async () => {
      const { owner, account, here, there } = await linked();
      for (const read of [here, there]) assert.equal((await read()).status, 200);
      const [inFirst, inSecond] = [
        await cachedIn(first, owner, account),
        await cachedIn(second, owner, account),
      ];
      assert.deepEqual([await inFirst(), await inSecond()], [true, true]);
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query in ('listen tributary_notices', 'select 1')`.execute(
        first.app.database.db,
      );
      for (const cached of [inFirst, inSecond]) await until(cached, (kept) => !kept);
    });

    test('ask a bank for one live balance between them where nothing is cached [code balance_refresh_limited]', async () => {
      const { owner, here, there } = await linked();
      await first.app.services.accountRecords.update(owner.record.id, { caching: false });
      assert.equal((await here()).status, 200);
      const { status, body } = await there();
      assert.deepEqual([status, body.error?.code], [429, 'balance_refresh_limited']);
    });
  });
}
