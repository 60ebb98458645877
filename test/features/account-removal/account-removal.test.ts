import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { type OwnerId, parsePublicId } from '../../../src/vocabulary/ids.ts';
import { aimed, startLink, WITHOUT_LINKED } from '../../connectors/destinations/support/linked.ts';
import { Vendor } from '../../connectors/destinations/support/vendor.ts';
import { vendorConnector } from '../../connectors/destinations/support/vendor-connector.ts';
import { addPerson, signedIn } from '../../support/people.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { askV2 } from '../../surfaces/oauth/stage.ts';
import { importedConnection, linkBank, until } from '../linking/person.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';
import { allTables, countOwned, type Life, ownedTables, rowsOf, wholeLife } from './life.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Tables of which an owner of today can have no row, or has none before something is being ended. */
const MAY_BE_EMPTY = ['event_batches', 'event_deliveries', 'grant_revocations', 'released_accounts'];

let service: TestService;
let vendor: Vendor;
let receiver: Receiver;
const clock = new ShiftedClock();
const revoked: string[] = [];
const logged: string[] = [];

before(async () => {
  vendor = await new Vendor().open();
  receiver = await new Receiver().open();
  service = await startService(
    { LIMIT_ACCOUNT_REMOVAL_DAYS: '7', LOG_LEVEL: 'error' },
    {
      clock,
      integrations: WITHOUT_LINKED,
      destination: { write: (line: string) => void logged.push(line) },
      connectors: (http) => {
        const plain = vendorConnector('sheets', vendor.origin, http);
        const { linking } = plain;
        assert.ok(linking);
        return [{ ...plain, linking: { ...linking, revoke: async (grant) => void revoked.push(grant) } }];
      },
    },
  );
});
after(async () => {
  await service.close();
  await vendor.close();
  await receiver.close();
});

const exists = async (id: OwnerId): Promise<boolean> =>
  (await service.app.services.accountRecords.list()).some((record) => record.id === id);

/** Does what timers of the service do on their own within minutes, until the account record is gone. */
async function gone(id: OwnerId): Promise<void> {
  for (let round = 0; round < 60 && (await exists(id)); round++) {
    await service.app.linking.orphanConsentSweep.sweep(AbortSignal.timeout(20_000));
    await service.app.accountRemoval.work(id, AbortSignal.timeout(60_000));
    if (!(await exists(id))) break;
    await new Promise((resolve) => setTimeout(resolve, 250));
    // Pages of the vendor that are still open are waited for.
    if (round > 3) clock.advance(10 * MINUTE_MS);
  }
  const left = await Promise.all(
    (await ownedTables(service)).map(async (table) => [table, await countOwned(service, table, id)]),
  );
  assert.ok(!(await exists(id)), `it is still there: ${JSON.stringify(left)}`);
}

describe('the deletion of an account record that uses everything', () => {
  let life: Life;
  let bystander: TestOwner;
  let others: Record<string, string[]>;
  let own: Record<string, string[]>;
  let streams: number[];

  before(async () => {
    bystander = await service.owner();
    await importedConnection(bystander, await linkBank(bystander, { customer: 'mortgage-offset' }));
    await addPerson(service, bystander);
    life = await wholeLife(service, receiver.url);
    await aimed(life.owner);
    await startLink(life.owner);
    const { db } = service.app.database;
    const sync = parsePublicId('sync', life.sync) ?? assert.fail();
    const found = await db.selectFrom('delivery_streams').select('id').where('sync', '=', sync).execute();
    streams = found.map(({ id }) => id);
    await sql`
      insert into rejected_rows (id, account_record, sync, account, origin, row_key, field, reason, first_run,
        last_run, first_seen, last_seen)
      select gen_random_uuid(), run.account_record, run.sync, line.account, 'provider', 'a row', 'amount',
        'unreadable', run.id, run.id, now(), now()
      from sync_runs as run join sync_run_accounts as line on line.run = run.id
      where run.sync = ${sync} limit 1`.execute(db);
    await sql`
      insert into jobs (id, queue, account_record, payload, due_at)
      values (gen_random_uuid(), 'provider-data', ${life.owner.record.id}, '{}', now() + interval '1 year')`.execute(
      db,
    );
    await sql`
      insert into notification_thresholds (id, account_record, user_id, currency, amount, created)
      select gen_random_uuid(), account_record, user_id, 'aud', 100, now() from memberships
      where account_record = ${life.owner.record.id}`.execute(db);
    await sql`
      insert into notifications (id, account_record, user_id, kind, subject, email, devices, created)
      select gen_random_uuid(), account_record, user_id, 'test', user_id, false, '{}'::uuid[], now() from memberships
      where account_record = ${life.owner.record.id}`.execute(db);
    await sql`
      insert into notified_transactions (account_record, user_id, mac, created)
      select account_record, user_id, ''::bytea, now() from memberships
      where account_record = ${life.owner.record.id}`.execute(db);
    others = await rowsOf(service, bystander);
  });

  test('has rows in every table that names an owner to take away', async () => {
    const empty: string[] = [];
    for (const table of await ownedTables(service)) {
      if ((await countOwned(service, table, life.owner.record.id)) === 0) empty.push(table);
    }
    assert.deepEqual(
      empty.filter((table) => !MAY_BE_EMPTY.includes(table)),
      [],
    );
    assert.ok(streams.length > 0);
  });

  test('ends every way in at once, and stops its syncs', async () => {
    const { owner, browser, bridge, token } = life;
    // Before anything can be deleted: the service begins as soon as it is asked.
    own = await rowsOf(service, owner);
    assert.equal((await askV2(service, token)).status, 200);
    assert.equal((await bridge.accounts()).status, 200);
    await service.app.accountRemoval.ask(owner.record.id, null);
    assert.equal((await owner.v2('GET', '/v2/me')).status, 401);
    assert.equal((await askV2(service, token)).status, 401);
    assert.equal((await bridge.accounts()).status, 403);
    assert.equal((await browser.v2('GET', '/v2/me')).status, 401);
    assert.equal((await browser.get('/settings/security')).status, 303);
    assert.equal((await browser.signIn(life.email)).status, 401);
    await assert.rejects(service.app.services.accountRecords.find(owner.record.id), /No such account record/);
    const { id } = owner.record;
    const guest = { email: 'guest@example.test', role: 'reader' as const, by: null };
    await assert.rejects(service.app.signIn.invitations.create(id, guest), /No such account record/);
    const due = await service.app.database.db
      .selectFrom('syncs')
      .select('id')
      .where('account_record', '=', id)
      .where('next_run_at', 'is not', null)
      .execute();
    assert.deepEqual(due, []);
  });

  test('withdraws consents at the bank and ends grants at their vendors, then leaves no row and no id of it', async () => {
    const { id } = life.owner.record;
    await gone(id);
    assert.equal(revoked.length, 1, 'the grant of the destination was ended');
    const ids = [...new Set(Object.values(own).flatMap((rows) => rows.flatMap(idsIn)))].filter(
      (found) => !others.account_records?.some((row) => row.includes(found)),
    );
    assert.ok(ids.includes(id) && ids.length > 30);
    const { db } = service.app.database;
    for (const table of await allTables(service)) {
      // The customer at the bank is deleted again when the bank's own page has ended.
      if (table === 'end_users') continue;
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.table(table)} as t`.execute(db);
      for (const { row } of rows) {
        const named = ids.filter((found) => row.includes(found));
        assert.deepEqual(named, [], `${table}: ${row}`);
      }
    }
    const ledger = await db
      .selectFrom('delivery_ledger')
      .select('stream')
      .where('stream', 'in', streams)
      .execute();
    assert.deepEqual(ledger, []);
  });

  test('touches nothing of anyone else', async () => {
    assert.deepEqual(await rowsOf(service, bystander), others);
    assert.equal((await bystander.v2('GET', '/v2/me')).status, 200);
    const { data } = (await bystander.v2('GET', '/v2/connections')).body;
    assert.equal(data[0].status, 'active');
  });
});

test('a customer at a bank is forgotten when its page has ended, and when the bank never answers', async () => {
  const { db } = service.app.database;
  const orphans = async () =>
    (
      await sql`select id from end_users where account_record not in (select id from account_records)`.execute(
        db,
      )
    ).rows.length;
  assert.ok((await orphans()) > 0);
  clock.advance(6 * DAY_MS);
  await service.app.linking.orphanConsentSweep.sweep(AbortSignal.timeout(20_000));
  assert.equal(await orphans(), 0);
  const owner = await service.owner();
  await importedConnection(owner, await linkBank(owner, { customer: 'foreign-currency' }));
  await service.app.accountRemoval.ask(owner.record.id, null);
  await gone(owner.record.id);
  assert.equal(await orphans(), 1);
  const bank = sandboxBank(service.app);
  bank.addFault({ route: '*', kind: 'server-error', probability: 1 });
  try {
    clock.advance(6.9 * DAY_MS);
    await service.app.linking.orphanConsentSweep.sweep(AbortSignal.timeout(20_000));
    await service.app.linking.orphanConsentSweep.prune();
    assert.equal(await orphans(), 1);
    clock.advance(0.2 * DAY_MS);
    await service.app.linking.orphanConsentSweep.prune();
    assert.equal(await orphans(), 0);
  } finally {
    bank.clearFaults();
  }
});

/** The ids in the text of a row. */
function idsIn(row: string): string[] {
  return row.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];
}

test('a person who shares another account record stays, and keeps that one', async () => {
  const [ending, staying] = [await service.owner(), await service.owner()];
  const [both, alone] = [await addPerson(service, staying), await addPerson(service, ending)];
  const { db } = service.app.database;
  const now = new Date();
  await db
    .insertInto('memberships')
    .values({ account_record: ending.record.id, user_id: both.id, role: 'owner', created: now, updated: now })
    .execute();
  await service.app.accountRemoval.ask(ending.record.id, null);
  const left = await db.selectFrom('users').select('id').where('id', 'in', [both.id, alone.id]).execute();
  assert.deepEqual(left, [{ id: both.id }]);
  const browser = await signedIn(service, both);
  assert.equal((await browser.v2('GET', '/v2/me')).status, 200);
});

test('an account record that no one shares is deleted as well, and asking again changes nothing', async () => {
  const { record } = await service.owner();
  const asked = await service.app.accountRemoval.ask(record.id, null);
  clock.advance(1_000);
  if (await exists(record.id)) {
    const again = await service.app.accountRemoval.ask(record.id, null).catch(() => asked);
    assert.deepEqual(again, asked);
  }
  await gone(record.id);
  await assert.rejects(service.app.accountRemoval.ask(record.id, null), /No such account record/);
});

test('a bank that does not answer is waited for, and not forever [limit account_removal_days]', async () => {
  const owner = await service.owner();
  await importedConnection(owner, await linkBank(owner, { customer: 'foreign-currency' }));
  const bank = sandboxBank(service.app);
  bank.addFault({ route: '*', kind: 'server-error', probability: 1 });
  try {
    await service.app.accountRemoval.ask(owner.record.id, null);
    const signal = AbortSignal.timeout(120_000);
    const next = await until(
      () => service.app.accountRemoval.work(owner.record.id, signal),
      (at) => at !== null && at.getTime() > clock.now(),
    );
    assert.ok(next !== null && (await exists(owner.record.id)));
    clock.advance(6 * DAY_MS);
    assert.notEqual(await service.app.accountRemoval.work(owner.record.id, signal), null);
    clock.advance(1.1 * DAY_MS);
    assert.equal(await service.app.accountRemoval.work(owner.record.id, signal), null);
    assert.ok(!(await exists(owner.record.id)));
    assert.ok(logged.some((line) => line.includes('while some of its data remains at a vendor')));
    for (const table of await ownedTables(service))
      assert.equal(await countOwned(service, table, owner.record.id), 0);
  } finally {
    bank.clearFaults();
  }
});

test('one owner’s thirty thousand events are deleted in small parts, and others go on meanwhile', async () => {
  const [greedy, other] = [await service.owner(), await service.owner()];
  const { db } = service.app.database;
  for (let part = 0; part < 15; part += 1) {
    await sql`
      insert into events (id, account_record, kind, subject, created)
      select gen_random_uuid(), ${greedy.record.id}, 'sync.attention', gen_random_uuid(), now()
      from generate_series(1, 2000)`.execute(db);
  }
  await service.app.accountRemoval.ask(greedy.record.id, null);
  const slowest = { ms: 0 };
  const done = { yet: false };
  const asking = (async () => {
    while (!done.yet) {
      const begun = performance.now();
      assert.equal((await other.v2('GET', '/v2/connections')).status, 200);
      slowest.ms = Math.max(slowest.ms, performance.now() - begun);
    }
  })();
  await gone(greedy.record.id).finally(() => {
    done.yet = true;
  });
  await asking;
  assert.ok(slowest.ms < 5_000, `another owner waited ${slowest.ms} ms`);
});

describe('the death of the process', () => {
  test('between the wish and its end leaves nothing behind after the next start', async () => {
    const own = await startService();
    let now = own;
    try {
      const { record } = await own.owner();
      // As though the job had been lost with everything but the wish.
      await own.app.database.db
        .updateTable('account_records')
        .set({ removal_asked_at: new Date() })
        .where('id', '=', record.id)
        .execute();
      now = await own.restart();
      const left = await until(
        () => now.app.services.accountRecords.list(),
        (records) => records.length === 0,
      );
      assert.deepEqual(left, []);
    } finally {
      await now.close();
    }
  });

  test('in the middle of a turn leaves a state that the next turn goes on from', async () => {
    const owner = await service.owner();
    const id = await linkBank(owner, { customer: 'salaried-household', at: 'inst_fk_88888' });
    await importedConnection(owner, id);
    await aimed(owner);
    await service.app.database.db.transaction().execute(async (trx) => {
      const { closeAccountRecord } = await import('../../../src/storage/account-removals.ts');
      await closeAccountRecord(trx, owner.record.id, new Date(clock.now()));
    });
    const dying = new AbortController();
    dying.abort(new Error('the process ends'));
    await assert.rejects(service.app.accountRemoval.work(owner.record.id, dying.signal), /the process ends/);
    assert.ok(await exists(owner.record.id));
    await gone(owner.record.id);
  });
});

test('what names an account record or a person is found by an index when that is deleted', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select reference.conrelid::regclass::text as table, attribute.attname as column
    from pg_constraint as reference
    join pg_attribute as attribute
      on attribute.attrelid = reference.conrelid and attribute.attnum = any (reference.conkey)
    where reference.contype = 'f'
      and reference.confrelid in ('account_records'::regclass, 'users'::regclass)
      and not exists (
        select from pg_index as index
        where index.indrelid = reference.conrelid and index.indkey[0] = attribute.attnum
          and (index.indpred is null
            or pg_get_expr(index.indpred, index.indrelid) = format('(%I IS NOT NULL)', attribute.attname)))
    order by 1, 2`.execute(service.app.database.db);
  assert.deepEqual(rows, []);
});
