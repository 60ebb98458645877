import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { newRowId } from '../../../src/platform/row-id.ts';
import { claimConnectionsToRefresh, insertConnection } from '../../../src/storage/connections.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { closeDatabase, World } from '../sync-engine/support/world.ts';

after(closeDatabase);

test('a worker takes one run at a time, whatever the database believes of the table', async () => {
  const world = await World.open();
  const { db } = world.database;
  const account = world.account();
  world.bank.accounts.set(account, [posted(1)]);
  const done = await world.sync([account]);
  await world.run(done);
  // Statistics of a quiet hour: not one open run among many that have ended.
  await sql`analyze sync_runs`.execute(db);
  const queued = new Set<string>();
  for (let at = 0; at < 8; at++) {
    const { latestRun } = await world.sync([account], {}, `${world.receiver.url}/${at}`);
    queued.add(latestRun?.id ?? assert.fail());
  }
  const engine = world.engine();
  for (let taken = 1; taken <= 8; taken++) {
    const { run } = (await engine.take({ except: [] })) ?? assert.fail('there are more');
    assert.ok(queued.delete(run.id));
    const { rows } = await sql`select id from sync_runs where status = 'running'`.execute(db);
    assert.equal(rows.length, taken, 'each run that was taken was given to a worker');
  }
});

test('a look for connections that are due takes no more of them than it asks for', async () => {
  const world = await World.open();
  const { clock, owner } = world;
  const { db } = world.database;
  const now = new Date(clock.now());
  const add = (due: Date) =>
    insertConnection(db, {
      id: rowId('connection', newRowId(clock)),
      account_record: owner.id,
      provider: 'au_banking',
      institution_id: 'bank',
      institution_name: 'Bank',
      institution_logo: null,
      chosen_institution_id: null,
      chosen_institution_name: null,
      landed_at: null,
      last_refreshed_at: null,
      refresh_at: due,
      end_user: null,
      invalidated_at: null,
      login_lost_at: null,
      refresh_asked_at: null,
      signalled_at: null,
      listing_asked: null,
      revoked_at: null,
      cleaned_at: null,
      metadata: null,
      created: now,
      updated: now,
    });
  const later = new Date(clock.now() + 86_400_000);
  await add(later);
  await sql`analyze connections`.execute(db);
  for (let at = 0; at < 8; at++) await add(new Date(0));
  assert.equal((await claimConnectionsToRefresh(db, now, later, 3)).length, 3);
});
