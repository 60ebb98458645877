import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { ledgerEntries, provisionalEntries } from '../../src/storage/delivery-ledger.ts';
import { slotOf } from '../../src/storage/ledger-slots.ts';
import { up } from '../../src/storage/migrations/0009-slim-ledger.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const idOf = (number: number): string => `txn_fk_bank_tx_${number.toString(16).padStart(64, '0')}`;
const STREAMS = [3, 70_000];
/** More than one batch, and enough that two ids of a stream share a number. */
const ROWS = 12_000;

/** The ledger as migration 0003 made it. */
async function makeOldLedger(): Promise<void> {
  const { db } = database;
  await sql`drop table delivery_ledger`.execute(db);
  await sql`
    create table delivery_ledger (
      stream bigint not null,
      source_id text collate "C" not null,
      content_mac bytea not null,
      retired boolean not null,
      provisional boolean not null,
      match_mac bytea,
      match_day integer,
      remote_ref text,
      primary key (stream, source_id)
    )`.execute(db);
  await sql`create index delivery_ledger_provisional on delivery_ledger (stream) where provisional and not retired`.execute(
    db,
  );
}

/** Two ids with one number in the stream. */
function sharing(stream: number): readonly [string, string] {
  const seen = new Map<number, string>();
  for (let number = ROWS; ; number++) {
    const slot = slotOf(stream, idOf(number), 0);
    const first = seen.get(slot);
    if (first !== undefined) return [first, idOf(number)];
    seen.set(slot, idOf(number));
  }
}

test('every row of an older ledger is known after the upgrade as it was before', async () => {
  const { db } = database;
  await makeOldLedger();
  const macs = new Map<string, string>();
  for (const stream of STREAMS) {
    const ids = [...Array.from({ length: ROWS }, (_, number) => idOf(number)), ...sharing(stream)];
    const rows = ids.map((id) => ({ id, mac: randomBytes(16).toString('hex') }));
    for (const { id, mac } of rows) macs.set(`${stream} ${id}`, mac);
    await sql`
      insert into delivery_ledger (stream, source_id, content_mac, retired, provisional)
      select ${stream}::bigint, id, decode(mac, 'hex'), false, false
      from unnest(${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.mac)}::text[]) as row (id, mac)`.execute(
      db,
    );
  }
  const pendingMac = randomBytes(16);
  await sql`
    insert into delivery_ledger values
      (5, 'txn_fk_pending', '\\x00112233445566778899aabbccddeeff', false, true, ${pendingMac}, 20000, 'remote 1'),
      (5, 'txn_fk_retired', '', true, true, null, null, null),
      (5, 'txn_fk_unsure', '', false, false, null, null, 'remote 2')`.execute(db);

  const id = randomUUID();
  const macsOf = (digits: number): string[] => ['a', 'b'].map((digit) => digit.repeat(digits));
  const intent = ([one, two]: string[]): string =>
    `@3\ntxn_fk_1 ${one}\ntxn_fk_2 \n@5\ntxn_fk_3 ${two} u - txn_fk_pending`;
  await sql`
    insert into delivery_chunks (event_id, sync, run, chunk, rows, created)
    values (${id}, ${id}, ${id}, 1, ${intent(macsOf(32))}, now())`.execute(db);

  await db.transaction().execute((trx) => up(trx));

  const chunk = await db.selectFrom('delivery_chunks').select('rows').executeTakeFirst();
  assert.equal(chunk?.rows, intent(macsOf(24)));

  for (const stream of STREAMS) {
    const ids = [...macs.keys()].flatMap((key) =>
      key.startsWith(`${stream} `) ? [key.split(' ')[1] ?? ''] : [],
    );
    const entries = await ledgerEntries(db, stream, ids);
    assert.equal(entries.size, ROWS + 2);
    for (const [id, entry] of entries) {
      assert.equal(entry.content_mac, macs.get(`${stream} ${id}`)?.slice(0, 24));
      assert.deepEqual(
        [entry.day, entry.retired, entry.provisional, entry.remote_ref],
        [null, false, false, null],
      );
    }
  }
  const odd = await ledgerEntries(db, 5, [
    'txn_fk_pending',
    'txn_fk_retired',
    'txn_fk_unsure',
    'txn_fk_none',
  ]);
  const shown = [...odd].map(([id, { content_mac, day, retired, provisional, remote_ref }]) => [
    id,
    content_mac,
    day,
    retired,
    provisional,
    remote_ref,
  ]);
  assert.deepEqual(shown.toSorted(), [
    ['txn_fk_pending', '00112233445566778899aabb', 20_000, false, true, 'remote 1'],
    ['txn_fk_retired', '', null, true, true, null],
    ['txn_fk_unsure', '', null, false, false, 'remote 2'],
  ]);
  assert.deepEqual(await provisionalEntries(db, 5), [
    {
      source_id: 'txn_fk_pending',
      match_mac: pendingMac.toString('hex').slice(0, 24),
      day: 20_000,
      remote_ref: 'remote 1',
    },
  ]);
});
