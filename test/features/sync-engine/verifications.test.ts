import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { plainRow, type RowRules } from '../../../src/features/sync-engine/read/source-row.ts';
import type { Verification } from '../../../src/features/sync-engine/verify/verification-result.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { PROBLEM_REASONS, type ProblemReason } from '../../../src/vocabulary/verifications.ts';
import { Scene } from '../../connectors/destinations/paperclip/scene.ts';
import type { Row } from '../../connectors/destinations/paperclip/vendor.ts';
import { linkedDestination, syncTo } from '../../connectors/destinations/support/linked-world.ts';
import { generated } from '../../support/thorough.ts';
import { pending, posted } from './support/bank.ts';
import { stored } from './support/dry-run.ts';
import { problemsOf, verified } from './support/verification.ts';
import { closeDatabase, World, type WorldOptions } from './support/world.ts';

const HOUR = 3_600_000;
const options = { data_from: localDate('2020-01-01'), include_pending: true };
after(closeDatabase);

/** Skips rows that say so. */
const rules: RowRules = (transaction) => ({
  ...plainRow(transaction),
  skipped: transaction.description.includes('skip'),
});
const skipping = { rulesOf: () => async () => rules };

/** Weeks older than the other rows: so the bank shows that it has the days of those. */
const OLDEST = posted(900, { day: 20 });

/** A document with rows of these accounts, after a run. */
async function delivered(rows: readonly Transaction[], more: WorldOptions = {}) {
  const scene = await Scene.open(more);
  const account = scene.world.account();
  scene.world.bank.accounts.set(account, [...rows]);
  const sync = await scene.sync([account], { options });
  assert.equal((await scene.world.run(sync)).status, 'succeeded');
  const bank = (...now: Transaction[]) => scene.world.bank.accounts.set(account, now);
  return { scene, account, sync, bank };
}

const kindsOf = ({ problems }: Verification): string[] =>
  problems.map(({ reason, id }) => `${PROBLEM_REASONS[reason].kind} ${id}`).toSorted();

const edit = fc.record({
  number: fc.integer({ min: 0, max: 15 }),
  what: fc.constantFrom('bank changes', 'bank adds', 'bank withdraws', 'edited', 'deleted', 'copied'),
  text: fc.constantFrom('one', 'two', 'skip'),
});
const steps = fc.array(
  fc.record({
    edits: fc.array(edit, { maxLength: 12 }),
    runs: fc.boolean(),
    hours: fc.constantFrom(1, 26, 800),
  }),
  { minLength: 1, maxLength: 4 },
);

/** What a row shows in the document, as its connector writes it. */
const shown = ({ status, amount, description, amount_decimal: decimal }: Transaction): string =>
  JSON.stringify([status, amount.amount, null, description, decimal]);

/** What is wrong with the document, found without a ledger. */
function expected(bank: ReadonlyMap<string, Transaction>, rows: readonly Row[]): string[] {
  const found = Map.groupBy(rows, ({ id }) => id);
  const wanted = [...bank.values()].filter(({ description }) => !description.includes('skip'));
  const compared = wanted.flatMap((row) => {
    const [first, ...copies] = found.get(row.id) ?? [];
    if (first === undefined) return [`missing ${row.id}`];
    const differs = first.text === shown(row) ? [] : [`different ${row.id}`];
    return [...differs, ...copies.map(() => `doubled ${row.id}`)];
  });
  const extra = rows.filter(({ id }) => !bank.has(id)).map(({ id }) => `extra ${id}`);
  return [...compared, ...extra].toSorted();
}

test('whatever happened at the bank and at the destination, a verification finds that and nothing else', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const scene = await Scene.open(skipping);
      await using _ = scene;
      const { world } = scene;
      const account = world.account();
      world.bank.pageSize = 5;
      const rows = new Map([1, 2, 3, 4, 5].map((number) => [posted(number).id, posted(number, { day: 45 })]));
      rows.set(OLDEST.id, OLDEST);
      world.bank.accounts.set(account, [...rows.values()]);
      const sync = await scene.sync([account], { options });
      await world.run(sync);
      for (const { edits, runs, hours } of history) {
        for (const { number, what, text } of edits) {
          const row = posted(number, { day: 45, description: `${text} ${number}` });
          const { document } = scene;
          if (what === 'bank withdraws') rows.delete(row.id);
          else if (what === 'bank adds' || (what === 'bank changes' && rows.has(row.id)))
            rows.set(row.id, row);
          else if (what === 'deleted') document.rows = document.rows.filter(({ id }) => id !== row.id);
          else if (what === 'edited') {
            document.rows = document.rows.map((one) =>
              one.id === row.id ? { ...one, text: `by ${text}` } : one,
            );
          } else if (what === 'copied') {
            const [one] = document.rows.filter(({ id }) => id === row.id);
            if (one !== undefined) document.rows.push({ ...one, ref: `copy-${document.rows.length}` });
          }
        }
        world.bank.accounts.set(account, [...rows.values()]);
        world.clock.advance(hours * HOUR);
        if (runs) assert.equal((await world.run(sync)).status, 'succeeded');
        const [before, calls] = [await stored(world), scene.vendor.calls.length];
        const said = await verified(world, sync);
        assert.deepEqual(kindsOf(said), expected(rows, scene.document.rows));
        assert.equal(await stored(world), before);
        assert.ok(scene.vendor.calls.slice(calls).every((call) => call.startsWith('GET ')));
      }
    }),
    { numRuns: generated(25) },
  );
});

test('each reason is given where the record of deliveries proves it', async () => {
  const { scene, sync, bank } = await delivered([
    OLDEST,
    ...[1, 2, 3, 4, 5, 6].map((number) => posted(number, { day: 45 })),
    pending(1, { day: 48, cents: -500 }),
    pending(2, { day: 48, cents: -600 }),
  ]);
  await using _ = scene;
  const { document } = scene;
  const rows = [1, 2, 3, 4, 5].map((number) => posted(number, { day: 45 }));
  rows.push(OLDEST);
  const gone = document.rows.find(({ id }) => id === pending(2).id) ?? assert.fail();
  bank(...rows, posted(6, { day: 45 }), pending(1, { day: 48, cents: -500 }));
  await scene.world.run(sync);
  document.rows = document.rows
    .filter(({ id }) => id !== posted(1).id)
    .map((row) => (row.id === posted(2).id ? { ...row, text: 'mine' } : row));
  document.rows.push(gone, { ...(document.rows.find(({ id }) => id === posted(3).id) ?? gone), ref: 'copy' });
  bank(
    ...rows.map((row) => (row.id === posted(4).id ? { ...row, description: 'corrected' } : row)),
    posted(50, { day: 49, cents: -500 }),
    posted(7, { day: 45 }),
  );
  const reasons: Record<string, ProblemReason> = {
    [posted(1).id]: 'removed_there',
    [posted(2).id]: 'edited_there',
    [posted(3).id]: 'stands_twice',
    [posted(4).id]: 'changed_since',
    [posted(6).id]: 'withdrawn_by_bank',
    [posted(7).id]: 'not_delivered_yet',
    [posted(50).id]: 'replaced_since',
    [pending(2).id]: 'still_there',
  };
  const said = await verified(scene.world, sync);
  assert.deepEqual(Object.fromEntries(problemsOf(said).map(([reason, id]) => [id, reason])), reasons);
  assert.deepEqual(said.kinds, { missing: 2, extra: 2, different: 3, doubled: 1 });
  const dates = new Map(said.problems.map(({ id, date }) => [id, date]));
  assert.deepEqual([dates.get(posted(1).id), dates.get(posted(6).id)], [rows[0]?.date, rows[0]?.date]);
});

describe('a verification', () => {
  test('of a webhook compares the bank with what was delivered, sends nothing, and says so', async () => {
    const world = await World.open(skipping);
    const account = world.account();
    world.bank.accounts.set(account, [
      posted(1),
      posted(2),
      posted(3, { description: 'skip' }),
      posted(4, { day: 45 }),
    ]);
    const sync = await world.sync([account], { options });
    await world.run(sync);
    const rows = [
      posted(1),
      posted(2, { description: 'other' }),
      posted(3, { description: 'skip' }),
      posted(5),
    ];
    world.bank.accounts.set(account, rows);
    const [before, requests] = [await stored(world), world.receiver.requests.length];
    const said = await verified(world, sync);
    assert.deepEqual(problemsOf(said), [
      ['changed_since', posted(2).id],
      ['withdrawn_by_bank', posted(4).id],
      ['not_delivered_yet', posted(5).id],
    ]);
    const { bank, destination, alike, skipped, others } = said.counts;
    assert.deepEqual([said.comparedWith, bank, destination, others], ['record', 4, null, null]);
    assert.deepEqual([alike, skipped], [1, 1]);
    assert.deepEqual([await stored(world), world.receiver.requests.length], [before, requests]);
    await world.close();
  });

  test('of holdings compares the positions with what was delivered', async () => {
    const scene = await Scene.open();
    await using _ = scene;
    const { world } = scene;
    const account = world.account();
    world.providers.set(account, 'brokerage');
    const holding = (symbol: string, quantity: string) => ({
      id: `hld_st_${symbol}`,
      symbol,
      name: symbol,
      exchange: null,
      currency: 'usd',
      quantity,
      average_price: null,
      current_price: null,
      market_value: null,
      unrealized_pnl: null,
      asset_type: null,
    });
    world.bank.holdings.set(account, [holding('A', '1'), holding('B', '1'), holding('C', '1')]);
    const sync = await scene.sync([account], { type: 'holdings' });
    assert.equal((await world.run(sync)).status, 'succeeded');
    world.bank.holdings.set(account, [holding('A', '1'), holding('B', '2'), holding('D', '1')]);
    const said = await verified(world, sync);
    assert.deepEqual(problemsOf(said), [
      ['changed_since', 'hld_st_B'],
      ['withdrawn_by_bank', 'hld_st_C'],
      ['not_delivered_yet', 'hld_st_D'],
    ]);
    assert.deepEqual([said.comparedWith, said.counts.bank, said.counts.alike], ['record', 3, 1]);
  });

  test('leaves the rows of another sync in the same target alone, and those that rules skip by now', async () => {
    const rows = [posted(1), posted(2)];
    const { scene, sync, bank } = await delivered(rows, skipping);
    await using _ = scene;
    const other = { ref: 'r', id: 'txn_other_1', tab: '', text: 'x', made: 0 };
    scene.document.rows.push(other);
    bank(posted(1), posted(2, { description: 'skip' }));
    const said = await verified(scene.world, sync);
    const { destination, alike, skipped, others } = said.counts;
    assert.deepEqual([said.problems, destination, alike, skipped, others], [[], 2, 1, 1, 1]);
  });

  test('takes no row of an unconfirmed chunk for missing or extra', async () => {
    const scene = await Scene.open();
    await using _ = scene;
    const { world, vendor } = scene;
    const account = world.account();
    world.bank.accounts.set(account, [posted(1), posted(2)]);
    const sync = await scene.sync([account], { options });
    vendor.troubles.set('POST /documents/rows', ['lost', 'lost', 'lost', 'lost']);
    await world.run(sync);
    vendor.troubles.clear();
    assert.equal((await world.inDoubt(sync)).length, 1);
    world.bank.accounts.set(account, [posted(1), posted(3)]);
    const said = await verified(world, sync);
    assert.deepEqual(problemsOf(said), [['not_delivered_yet', posted(3).id]]);
    assert.equal(said.counts.inDoubt, 2);
  });

  test('lists as many problems as it may and counts all [limit verification_problems]', async () => {
    const { scene, sync } = await delivered([posted(1), posted(2), posted(3)], {
      limits: { verification_problems: 2 },
    });
    await using _ = scene;
    scene.document.rows = [];
    const said = await verified(scene.world, sync);
    assert.deepEqual([said.problems.length, said.truncated, said.kinds.missing], [2, true, 3]);
    scene.world.bank.accounts.set(said.accounts[0]?.account ?? assert.fail(), []);
    assert.equal((await verified(scene.world, sync)).truncated, false);
  });

  test('counts the rows for which there is no more room, and takes none of them for a problem [limit verification_rows]', async () => {
    const { scene, sync } = await delivered([posted(1), posted(2), posted(3)], {
      limits: { verification_rows: 2 },
    });
    await using _ = scene;
    const { problems, counts } = await verified(scene.world, sync);
    assert.deepEqual([problems, counts.alike, counts.notCompared, counts.others], [[], 2, 1, 1]);
  });

  test('ends when its time is up: at the bank with the failure of an account, at the destination with a code [limit verification_seconds]', async () => {
    const { scene, sync } = await delivered([posted(1)], { limits: { verification_seconds: 5 } });
    await using _ = scene;
    const { world, vendor } = scene;
    world.bank.beforePage = () => {
      world.clock.advance(5_000);
      return new Promise(() => undefined);
    };
    await assert.rejects(verified(world, sync), { code: 'upstream_timeout' });
    world.bank.beforePage = () => undefined;
    vendor.troubles.set('GET /documents/rows', ['hang']);
    const under = verified(world, sync);
    const asked = vendor.calls.length;
    while (vendor.calls.length === asked) await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(5_000);
    await assert.rejects(under, { code: 'upstream_timeout' });
  });

  test('runs once at a time for an account record, and of all as many as may [limit verifications_at_once]', async () => {
    const { scene, sync } = await delivered([posted(1)], { limits: { verifications_at_once: 2 } });
    await using _ = scene;
    const { world } = scene;
    const by = world.verifications();
    let release = (): void => undefined;
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = async (other: World, of: Sync) =>
      by.of(other.owner.id, of.row.id, () => undefined, new AbortController().signal);
    const reading = new Set<string>();
    world.bank.beforePage = (account) => {
      reading.add(account);
      return blocked;
    };
    const areReading = async (count: number) => {
      while (reading.size < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const refused = { code: 'too_many_concurrent_requests' };
    const others = [await World.open(), await World.open()] as const;
    const syncs = [await neighbour(scene, others[0]), await neighbour(scene, others[1])] as const;
    const greedy = verified(world, sync, { by });
    await areReading(1);
    for (let further = 0; further < 5; further++) {
      await assert.rejects(verified(world, sync, { by }), refused);
    }
    const second = asked(others[0], syncs[0]);
    await areReading(2);
    await assert.rejects(asked(others[1], syncs[1]), refused);
    release();
    assert.deepEqual((await greedy).problems, []);
    await second;
    assert.equal((await asked(others[1], syncs[1])).comparedWith, 'destination');
    for (const other of others) await other.close();
  });

  test('names the failure of an account and takes none of its rows for a problem', async () => {
    const scene = await Scene.open();
    await using _ = scene;
    const { world } = scene;
    const accounts = [world.account(), world.account()] as const;
    world.bank.accounts.set(accounts[0], [posted(1)]);
    world.bank.accounts.set(accounts[1], [posted(2)]);
    const sync = await scene.sync(accounts, { options });
    await world.run(sync);
    world.bank.refusal = (account) =>
      account === accounts[0] ? new ServiceError('upstream_auth_failed') : null;
    const said = await verified(world, sync);
    assert.deepEqual(
      said.accounts.map(({ failure }) => failure),
      ['upstream_auth_failed', null],
    );
    assert.deepEqual([said.problems, said.counts.alike, said.counts.others], [[], 1, 1]);
  });

  test('is refused while a run is under way and when one began meanwhile', async () => {
    const { scene, sync } = await delivered([posted(1)]);
    await using _ = scene;
    const { world } = scene;
    let inner: unknown = null;
    world.bank.beforePage = async () => {
      world.bank.beforePage = async () => {
        world.bank.beforePage = () => undefined;
        inner = await verified(world, sync).catch((error: unknown) => error);
      };
      await world.run(sync);
    };
    await assert.rejects(verified(world, sync), { code: 'sync_already_running' });
    assert.ok(inner instanceof ServiceError && inner.code === 'sync_already_running');
  });

  test('renews the grant as a run does, and names a grant that is lost and a target that is gone', async () => {
    const { scene, sync } = await delivered([posted(1)]);
    await using _ = scene;
    const { world, vendor } = scene;
    vendor.signIns.expire();
    assert.deepEqual((await verified(world, sync)).problems, []);
    assert.equal(vendor.signIns.reused, 0);
    const [document] = [...vendor.documents];
    vendor.documents.clear();
    await assert.rejects(verified(world, sync), { code: 'upstream_bad_request' });
    if (document !== undefined) vendor.documents.set(...document);
    const calls = vendor.calls.length;
    vendor.signIns.expire();
    vendor.troubles.set('POST /token', [{ status: 400 }]);
    await assert.rejects(verified(world, sync), { code: 'upstream_auth_failed' });
    assert.ok(vendor.calls.slice(calls).every((call) => /^GET|token$/.test(call)));
  });

  test('ends when its caller leaves, and another can follow', async () => {
    const { scene, sync } = await delivered([posted(1)]);
    await using _ = scene;
    const by = scene.world.verifications();
    const leaving = new AbortController();
    scene.world.bank.beforePage = () => leaving.abort(new Error('gone'));
    await assert.rejects(verified(scene.world, sync, { by, signal: leaving.signal }), { message: 'gone' });
    scene.world.bank.beforePage = () => undefined;
    assert.deepEqual((await verified(scene.world, sync, { by })).problems, []);
  });

  test('of another owner finds no sync', async () => {
    const { scene, sync } = await delivered([posted(1)]);
    await using _ = scene;
    const other = await World.open();
    await assert.rejects(verified(other, sync), { code: 'resource_missing' });
    await other.close();
  });
});

/** A sync of another owner that the same process can verify. */
async function neighbour(scene: Scene, other: World): Promise<Sync> {
  const account = other.account();
  scene.world.bank.accounts.set(account, [posted(1)]);
  const grant = JSON.stringify(scene.vendor.signIns.grant());
  const target = { spreadsheet_id: scene.document.id, sheet_id: '0', spreadsheet_name: 'a', sheet_name: 'b' };
  Object.assign(other, { secrets: scene.world.secrets });
  return syncTo(other, await linkedDestination(other, 'sheets', grant, target), [account], { options });
}
