import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { insertRules } from '../../../src/storage/rules.ts';
import { publicId, type RowId, rowId } from '../../../src/vocabulary/ids.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { ASKED } from '../../support/actors.ts';
import { EPOCH, pending, posted } from '../sync-engine/support/bank.ts';
import { runAndDie } from '../sync-engine/support/death.ts';
import { closeDatabase, type World } from '../sync-engine/support/world.ts';
import { RuledWorld, type TestRule } from './ruled-world.ts';

let ruled: RuledWorld;
let world: World;
let account: RowId<'account'>;
beforeEach(async () => {
  ruled = await RuledWorld.open();
  world = ruled.world;
  account = world.account();
});
afterEach(() => world.close());
after(closeDatabase);

const options = { data_from: localDate('2020-01-01'), include_pending: true };
const DAY_MS = 86_400_000;
const skipPending: TestRule = { when: ['status', 'equals', 'pending'], do: [{ type: 'skip' }] };
const skipPosted: TestRule = { when: ['status', 'equals', 'posted'], do: [{ type: 'skip' }] };
const skipAll: TestRule = { when: null, do: [{ type: 'skip' }] };
const flipAll: TestRule = { when: null, do: [{ type: 'flip_sign' }] };

const given = (...rows: Transaction[]) => world.bank.accounts.set(account, rows);
const held = () => [...world.receiver.rows().keys()].sort();
const counts = async (sync: Sync) => {
  const run = await world.run(sync);
  assert.deepEqual([run.status, world.receiver.faults], ['succeeded', []]);
  return [run.processed, run.added, run.updated, run.skipped_by_rules];
};
const once = () => assert.ok([...world.receiver.newCounts().values()].every((count) => count === 1));

describe('a sync with a ruleset', () => {
  test('delivers rows as the rules leave them, and counts those they skip', async () => {
    given(
      posted(1, { day: 40, description: 'EFTPOS CAFE SYDNEY', cents: -450 }),
      posted(2, { day: 41, description: 'TRANSFER TO SAVINGS', class: 'transfer' }),
      posted(3, { day: 42, description: 'REFUND', cents: 1999 }),
    );
    const sync = await world.sync([account]);
    await ruled.apply(
      sync,
      { when: ['class', 'equals', 'transfer'], do: [{ type: 'skip' }] },
      {
        when: ['description', 'contains', 'cafe'],
        do: [
          { type: 'replace_text', field: 'description', find: 'eftpos ', value: '' },
          { type: 'set_merchant', value: 'Cafe' },
          { type: 'set_memo', value: 'work' },
          { type: 'add_tag', value: 'food' },
        ],
      },
      { when: ['direction', 'equals', 'credit'], do: [{ type: 'flip_sign' }] },
    );
    assert.deepEqual(await counts(sync), [3, 2, 0, 1]);
    const rows = world.receiver.rows();
    const [cafe, refund] = [rows.get('txn_fk_row_0000001'), rows.get('txn_fk_row_0000003')];
    assert.deepEqual(
      [cafe?.description, cafe?.merchant_name, cafe?.memo, cafe?.tags, cafe?.amount, cafe?.direction],
      ['CAFE SYDNEY', 'Cafe', 'work', ['food'], -450, 'debit'],
    );
    assert.deepEqual(
      [refund?.amount, refund?.direction, refund?.memo, refund?.tags],
      [-1999, 'debit', null, []],
    );
    assert.deepEqual(held(), ['txn_fk_row_0000001', 'txn_fk_row_0000003']);
    assert.deepEqual(await counts(sync), [3, 0, 0, 1], 'nothing is sent twice');
  });

  test('asks several rulesets one after the other, where several are allowed', async () => {
    const several = await RuledWorld.open({ limits: { sync_rulesets: 2 } });
    const own = several.world.account();
    several.world.bank.accounts.set(own, [posted(1, { day: 40 })]);
    const sync = await several.world.sync([own]);
    const tag = (value: string): TestRule => ({ when: null, do: [{ type: 'add_tag', value }] });
    const [first, second] = [await several.ruleset(tag('a')), await several.ruleset(tag('b'))];
    await several.attachments.attach(several.world.owner.id, sync.row.id, [second, first]);
    await several.world.run(sync);
    assert.deepEqual(
      [...several.world.receiver.rows().values()].map((row) => row.tags),
      [['b', 'a']],
    );
    const { rulesets } = await several.world.syncs.read(several.world.owner.id, sync.row.id);
    assert.deepEqual(rulesets, [second, first]);
    await several.world.close();
  });

  test('knows the account a row is of', async () => {
    const other = world.account();
    given(posted(1, { day: 40 }));
    world.bank.accounts.set(other, [posted(2, { day: 40 })]);
    const sync = await world.sync([account, other]);
    const ruleset = await ruled.ruleset();
    const [db, now] = [world.database.db, new Date(world.clock.now())];
    // Accounts of this world are in no table, so the rule is stored as if it had been saved.
    await db.transaction().execute((trx) =>
      insertRules(trx, [
        {
          id: rowId('rule', newRowId(world.clock)),
          account_record: world.owner.id,
          ruleset,
          position: 0,
          name: null,
          enabled: true,
          conditions: {
            field: 'account',
            operator: 'equals',
            value: publicId('account', other),
            case_sensitive: false,
          },
          actions: [{ type: 'skip' }],
          stop: false,
          created: now,
          updated: now,
        },
      ]),
    );
    await ruled.attachments.attach(world.owner.id, sync.row.id, [ruleset]);
    await world.run(sync);
    assert.deepEqual(held(), ['txn_fk_row_0000001']);
  });

  test('counts a row that a backfill skips once, in the run that reads what is due', async () => {
    given(posted(1, { day: 10 }));
    const sync = await world.sync([account], { firstRun: null });
    const ruleset = await ruled.apply(sync, skipAll);
    const { row } = await world.runs.backfill(world.owner, sync.row.id, { from: EPOCH, to: null }, ASKED);
    assert.deepEqual(await counts(sync), [1, 0, 0, 1]);
    assert.equal((await world.readRun(row.id)).status, 'succeeded');
    assert.deepEqual(await ruled.hits(ruleset), [0]);
    await counts(sync);
    assert.deepEqual(await ruled.hits(ruleset), [1]);
  });
});

describe('when rules change', () => {
  test('a row that comes out differently is sent as updated where a run still reads it', async () => {
    given(posted(2, { day: 45 }), posted(1, { day: 10 }));
    const sync = await world.sync([account]);
    await counts(sync);
    await ruled.apply(sync, { when: null, do: [{ type: 'set_memo', value: 'new' }] });
    assert.deepEqual(await counts(sync), [1, 0, 1, 0]);
    const memos = () => [...world.receiver.rows().values()].map((row) => row.memo);
    assert.deepEqual(memos().toSorted(), ['new', null]);
    await ruled.apply(sync);
    assert.deepEqual(await counts(sync), [1, 0, 1, 0]);
    assert.deepEqual(memos(), [null, null]);
    once();
  });

  test('a row that was delivered and is skipped now stays, and comes back to nothing when the rule goes', async () => {
    given(posted(1, { day: 45 }));
    const sync = await world.sync([account]);
    await counts(sync);
    await ruled.apply(sync, skipAll);
    assert.deepEqual(await counts(sync), [1, 0, 0, 1]);
    assert.equal(held().length, 1);
    await ruled.apply(sync);
    assert.deepEqual(await counts(sync), [1, 0, 0, 0]);
    once();
  });

  test('a row that was skipped and is not any more is sent as new, once', async () => {
    given(posted(1, { day: 45 }));
    const sync = await world.sync([account]);
    await ruled.apply(sync, skipAll);
    assert.deepEqual(await counts(sync), [1, 0, 0, 1]);
    await ruled.apply(sync);
    assert.deepEqual(await counts(sync), [1, 1, 0, 0]);
    once();
  });
});

describe('pending rows under rules', () => {
  const cents = -500;
  const was = () => pending(1, { day: 44, cents });
  const became = () => posted(1, { day: 45, cents });

  test('skipped while pending, delivered when posted: once, as new', async () => {
    given(was());
    const sync = await world.sync([account], { options });
    await ruled.apply(sync, skipPending);
    assert.deepEqual(await counts(sync), [1, 0, 0, 1]);
    given(became());
    assert.deepEqual(await counts(sync), [1, 1, 0, 0]);
    assert.deepEqual(held(), ['txn_fk_row_0000001']);
    once();
  });

  test('delivered while pending, skipped when posted: removed, because the bank no longer reports it', async () => {
    given(was());
    const sync = await world.sync([account], { options });
    await ruled.apply(sync, skipPosted);
    assert.deepEqual(await counts(sync), [1, 1, 0, 0]);
    given(became());
    assert.deepEqual(await counts(sync), [1, 0, 1, 1]);
    assert.deepEqual(held(), []);
    assert.deepEqual(await counts(sync), [1, 0, 0, 1], 'and nothing more is said of it');
    await ruled.apply(sync);
    assert.deepEqual(await counts(sync), [1, 1, 0, 0]);
    assert.deepEqual(held(), ['txn_fk_row_0000001']);
  });

  test('delivered while pending, skipped by a new rule while still pending: stays, and is upgraded when it posts', async () => {
    given(was());
    const sync = await world.sync([account], { options });
    await counts(sync);
    await ruled.apply(sync, skipPending);
    assert.deepEqual(await counts(sync), [1, 0, 0, 1]);
    assert.deepEqual(held(), ['txn_fk_pend_1']);
    given(became());
    assert.deepEqual(await counts(sync), [1, 0, 1, 0]);
    assert.deepEqual(held(), ['txn_fk_row_0000001']);
  });

  test('removed, back at the bank and skipped: not shown again until the rule goes', async () => {
    given(was());
    const sync = await world.sync([account], { options });
    await counts(sync);
    given();
    assert.deepEqual(await counts(sync), [0, 0, 1, 0]);
    given(was());
    await ruled.apply(sync, skipPending);
    assert.deepEqual(await counts(sync), [1, 0, 0, 1]);
    assert.deepEqual(held(), []);
    await ruled.apply(sync);
    assert.deepEqual(await counts(sync), [1, 0, 1, 0]);
    assert.deepEqual(held(), ['txn_fk_pend_1']);
  });

  test('a sign that is flipped does not part a pending row from the posted one', async () => {
    given(was());
    const sync = await world.sync([account], { options });
    await counts(sync);
    given(became());
    await ruled.apply(sync, flipAll);
    assert.deepEqual(await counts(sync), [1, 0, 1, 0]);
    const [row] = world.receiver.rows().values();
    assert.deepEqual([row?.id, row?.replaces, row?.amount], ['row_0000001', 'pend_1', 500]);
  });

  for (const arrives of [false, true]) {
    const shown = arrives ? ['txn_fk_row_0000001'] : [];
    test(`a posted unconfirmed row that ${arrives ? 'arrived' : 'was lost'} and is skipped by the recovery leaves no pending row behind`, async () => {
      given(was());
      const sync = await world.sync([account], { options });
      await counts(sync);
      given(became());
      world.receiver.behave = () => (arrives ? 'drop_after' : 'drop_before');
      assert.equal((await world.run(sync)).status, 'failed');
      assert.equal((await world.inDoubt(sync)).length, 1);
      world.receiver.behave = () => 'ok';
      await ruled.apply(sync, skipPosted);
      const run = await world.run(sync);
      assert.deepEqual([run.status, run.skipped_by_rules], ['succeeded', 1]);
      assert.deepEqual(held(), shown);
      assert.deepEqual(await world.inDoubt(sync), []);
      await ruled.apply(sync);
      await world.run(sync);
      assert.deepEqual(held(), ['txn_fk_row_0000001']);
      assert.equal(world.receiver.newCounts().get('txn_fk_row_0000001'), undefined, 'it travels as updated');
    });
  }
});

describe('hits', () => {
  const tag: TestRule = { when: ['description', 'contains', 'row'], do: [{ type: 'add_tag', value: 'x' }] };
  const skipSeven: TestRule = { when: ['description', 'equals', 'row 7'], do: [{ type: 'skip' }] };

  test('count the rows that were delivered, and those that were skipped once, however often they are read', async () => {
    given(posted(1, { day: 45 }), posted(2, { day: 45, description: 'other' }), posted(7, { day: 45 }));
    const sync = await world.sync([account]);
    const ruleset = await ruled.apply(sync, skipSeven, tag);
    await world.run(sync);
    assert.deepEqual(await ruled.hits(ruleset), [1, 1]);
    for (let again = 0; again < 3; again++) await world.run(sync);
    assert.deepEqual(await ruled.hits(ruleset), [1, 1]);
    assert.ok(ruleset !== null);
    const { rules } = await ruled.rulesets.read(world.owner.id, ruleset, true);
    assert.equal(rules?.[0]?.last_hit_at?.getTime(), world.clock.now());

    world.clock.advance(DAY_MS);
    given(posted(8, { day: 51, description: 'row 7' }), posted(3, { day: 51 }), posted(1, { day: 45 }));
    await world.run(sync);
    assert.deepEqual(await ruled.hits(ruleset), [2, 2]);
  });

  test('are not counted for what did not arrive', async () => {
    given(posted(1, { day: 45 }), posted(7, { day: 45 }));
    const sync = await world.sync([account]);
    const ruleset = await ruled.apply(sync, skipSeven, tag);
    world.receiver.behave = () => ({ status: 500 });
    assert.equal((await world.run(sync)).status, 'failed');
    assert.deepEqual(await ruled.hits(ruleset), [0, 0]);
    world.receiver.behave = () => 'ok';
    await world.run(sync);
    assert.deepEqual(await ruled.hits(ruleset), [1, 1]);
  });

  test('are the same when workers die before every statement', async () => {
    given(...Array.from({ length: 20 }, (_, at) => posted(at, { day: 45 })));
    const sync = await world.sync([account]);
    const ruleset = await ruled.apply(sync, skipSeven, tag);
    let deaths = 0;
    while (await runAndDie(world, sync, deaths)) deaths += 1;
    assert.ok(deaths > 5);
    assert.deepEqual(await ruled.hits(ruleset), [1, 19]);
    assert.equal(held().length, 19);
    once();
  });

  test('of a ruleset that two syncs share are all counted', async () => {
    const other = await RuledWorld.open();
    const [mine, shared] = [await world.sync([account]), await ruled.ruleset(tag)];
    const rows = Array.from({ length: 40 }, (_, at) => posted(at, { day: 45 }));
    given(...rows);
    const second = world.account();
    world.bank.accounts.set(second, rows);
    const destination = await world.destinations.create(world.owner.id, {
      type: 'webhook',
      name: 'Other',
      target: { url: other.world.receiver.url },
      signedIn: null,
      metadata: null,
    });
    other.world.receiver.secrets = [destination.secret ?? ''];
    const theirs = await world.syncs.create(world.owner, {
      type: 'transactions',
      name: 'Other',
      destination: destination.row.id,
      accounts: [second],
      mappingMode: 'bulk',
      accountMappings: [],
      options,
      metadata: null,
      firstRun: ASKED,
    });
    for (const sync of [mine, theirs]) {
      await ruled.attachments.attach(world.owner.id, sync.row.id, [shared]);
    }
    const runs = await Promise.all([world.run(mine), world.run(theirs)]);
    assert.deepEqual(
      runs.map((run) => run.status),
      ['succeeded', 'succeeded'],
    );
    assert.deepEqual(await ruled.hits(shared), [80]);
    await other.world.close();
  });
});
