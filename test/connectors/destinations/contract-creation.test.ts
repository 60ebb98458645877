import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DestinationCreations } from '../../../src/features/destinations/destination-creations.ts';
import { DestinationGrants } from '../../../src/features/destinations/destination-grants.ts';
import { createLog } from '../../../src/platform/log.ts';
import { type DestinationRow, findDestination } from '../../../src/storage/destinations.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { posted } from '../../features/sync-engine/support/bank.ts';
import { runAndDie } from '../../features/sync-engine/support/death.ts';
import { closeDatabase } from '../../features/sync-engine/support/world.ts';
import { paperclipConnector } from './paperclip/connector.ts';
import { Scene } from './paperclip/scene.ts';
import { linkedDestination } from './support/linked-world.ts';
import { stepOf } from './support/shares.ts';

after(closeDatabase);

const MAKE = 'POST /documents';

/** What a person wants made: a document for a sync of two accounts with a tab each. */
function wanted(accounts: readonly RowId<'account'>[] = []) {
  return {
    name: 'My money',
    parent: null,
    type: 'transactions',
    mappingMode: 'per_account',
    accounts: accounts.map((id) => ({
      id,
      name: 'Everyday',
      institution: 'Bank',
      type: 'transaction' as const,
      maskedNumber: null,
    })),
  } as const;
}

async function draft(
  scene: Scene,
): Promise<{ readonly row: DestinationRow; readonly make: DestinationCreations }> {
  const { world, vendor } = scene;
  const { clock, limits, secrets, database, http } = world;
  const { db } = database;
  const row = await linkedDestination(world, 'sheets', JSON.stringify(vendor.signIns.grant()), {});
  const grants = new DestinationGrants({ db, clock, limits, secrets, log: createLog({ level: 'silent' }) });
  const connectors = new Map([['sheets', paperclipConnector(http, vendor.origin)] as const]);
  return { row, make: new DestinationCreations({ db, clock, limits, connectors, grants }) };
}

describe('a document that is made for a draft', () => {
  test('becomes its target, and the places of the accounts come back as mappings', async () => {
    await using scene = await Scene.open();
    const { row, make } = await draft(scene);
    const accounts = [scene.world.account(), scene.world.account()];
    const made = await make.create(row.account_record, row.id, wanted(accounts));
    assert.deepEqual([made.row.status, made.row.target.spreadsheet_name], ['active', 'My money']);
    const document = scene.vendor.documents.get(made.row.target.spreadsheet_id ?? '');
    assert.deepEqual(
      made.mappings.map(({ account, sheet_id: tab }) => [account, tab]),
      [...(document?.tabs ?? [])],
    );
    await assert.rejects(make.create(row.account_record, row.id, wanted()), {
      code: 'parameter_invalid',
    });
  });

  test('is not made a second time when no one knows whether it was made', async () => {
    await using scene = await Scene.open();
    const { row, make } = await draft(scene);
    scene.vendor.troubles.set(MAKE, ['lost']);
    await assert.rejects(make.create(row.account_record, row.id, wanted()), { code: 'upstream_failed' });
    assert.equal(scene.vendor.documents.size, 2);
    const made = await make.create(row.account_record, row.id, wanted());
    assert.equal(scene.vendor.documents.size, 2);
    assert.ok(scene.vendor.documents.has(made.row.target.spreadsheet_id ?? ''));
    assert.equal(made.row.creation_key, null);
  });

  test('that was certainly refused is made again', async () => {
    await using scene = await Scene.open();
    const { row, make } = await draft(scene);
    scene.vendor.troubles.set(MAKE, [{ status: 404 }]);
    await assert.rejects(make.create(row.account_record, row.id, wanted()), {
      code: 'upstream_bad_request',
    });
    await make.create(row.account_record, row.id, wanted());
    assert.deepEqual(scene.vendor.calls, [MAKE, MAKE]);
  });

  test('is made by one at a time', async () => {
    await using scene = await Scene.open();
    const { row, make } = await draft(scene);
    const [first, second] = await Promise.allSettled([
      make.create(row.account_record, row.id, wanted()),
      make.create(row.account_record, row.id, wanted()),
    ]);
    assert.deepEqual([first?.status, second?.status].toSorted(), ['fulfilled', 'rejected']);
    assert.equal(scene.vendor.documents.size, 2);
  });

  test('does not replace the target that the person chose for the draft in the meantime', async () => {
    await using scene = await Scene.open();
    const { row, make } = await draft(scene);
    const target = { ...scene.destination.target, spreadsheet_id: 'doc_own' };
    scene.vendor.signIns.expire();
    scene.vendor.beforeExchange = async () => {
      await scene.world.destinations.update(row.account_record, row.id, { target });
    };
    await assert.rejects(make.create(row.account_record, row.id, wanted()), {
      code: 'parameter_invalid',
    });
    const found = await findDestination(scene.world.database.db, row.account_record, row.id);
    assert.deepEqual([found?.target, found?.creation_key], [target, null]);
  });
});

describe('a sync with a place for each account', () => {
  /** Two accounts with two rows each, and a sync of both. */
  async function perAccount(more: Parameters<Scene['sync']>[1] = {}) {
    const scene = await Scene.open();
    const accounts = [scene.world.account(), scene.world.account()];
    for (const [at, account] of accounts.entries()) {
      scene.world.bank.accounts.set(account, [posted(at * 10 + 1), posted(at * 10 + 2)]);
    }
    const sync = await scene.sync(accounts, { mappingMode: 'per_account', ...more });
    const mappings = async () => {
      const { row } = await scene.world.syncs.read(scene.world.owner.id, sync.row.id);
      return row.account_mappings.map(({ account, sheet_id: tab }) => [account, tab]);
    };
    const tabOf = (number: number) => scene.document.rows.find(({ id }) => id === posted(number).id)?.tab;
    return { scene, accounts, sync, mappings, tabOf };
  }

  test('gets the places made, and each row goes to that of its account', async () => {
    const { scene, accounts, sync, mappings, tabOf } = await perAccount();
    await using _ = scene;
    assert.equal((await scene.world.run(sync)).status, 'succeeded');
    const { tabs } = scene.document;
    assert.deepEqual(await mappings(), [...tabs]);
    const [first, second] = accounts.map((account) => tabs.get(account));
    assert.deepEqual([tabOf(1), tabOf(2), tabOf(11), tabOf(12)], [first, first, second, second]);
    assert.notEqual(first, second);
    await scene.world.run(sync);
    assert.equal(scene.vendor.calls.filter((call) => call === MAKE).length, 1);
  });

  test('writes nothing of an account that could not get its place, until it can', async () => {
    const { scene, accounts, sync, mappings, tabOf } = await perAccount();
    await using _ = scene;
    const [first, second] = accounts;
    let refusals = 1;
    scene.world.bank.refusal = (account) =>
      account === second && refusals-- > 0 ? new ServiceError('upstream_unavailable') : null;
    const run = await scene.world.run(sync);
    assert.equal(run.status, 'failed');
    const { lines } = await scene.world.runs.read(scene.world.owner.id, run.id, true);
    assert.deepEqual(
      lines?.map(({ status, failure }) => [status, failure]),
      [
        ['succeeded', null],
        ['failed', 'upstream_unavailable'],
      ],
    );
    assert.deepEqual(scene.ids, [posted(1).id, posted(2).id].toSorted());
    assert.deepEqual(
      (await mappings()).map(([account]) => account),
      [first],
    );
    assert.equal((await scene.world.run(sync)).status, 'succeeded');
    const { tabs } = scene.document;
    const [one, other] = accounts.map((account) => tabs.get(account));
    assert.deepEqual([tabOf(1), tabOf(2), tabOf(11), tabOf(12)], [one, one, other, other]);
  });

  test('has them made once although the answer was lost', async () => {
    const { scene, sync, mappings } = await perAccount();
    await using _ = scene;
    scene.vendor.troubles.set(MAKE, ['lost']);
    assert.equal((await scene.world.run(sync)).status, 'failed');
    const tabs = [...scene.document.tabs];
    assert.equal((await scene.world.run(sync)).status, 'succeeded');
    assert.deepEqual(await mappings(), tabs);
    assert.equal(scene.vendor.calls.filter((call) => call === MAKE).length, 1);
  });

  test('has them made once wherever the process dies', async () => {
    for (let statement = 4; ; statement += stepOf(2)) {
      const { scene, sync, mappings } = await perAccount();
      await using _ = scene;
      const died = await runAndDie(scene.world, sync, statement);
      assert.equal((await scene.world.run(sync)).status, 'succeeded');
      assert.deepEqual(await mappings(), [...scene.document.tabs]);
      assert.equal(scene.vendor.calls.filter((call) => call === MAKE).length, 1, `${statement}`);
      if (!died) return;
    }
  });

  test('leaves what a person has mapped where they mapped it, and shows the categories they chose', async () => {
    const { scene, accounts, sync, mappings, tabOf } = await perAccount();
    await using _ = scene;
    const [own, other] = accounts;
    assert.ok(own && other);
    await scene.world.syncs.update(scene.world.owner, sync.row.id, {
      accountMappings: [{ account: own, sheet_id: 'mine', sheet_name: 'Mine' }],
    });
    await scene.world.database.db
      .updateTable('syncs')
      .set({
        category_mappings: JSON.stringify([
          {
            provider_category: 'FOOD_AND_DRINK_GROCERIES',
            destination_category: 'cat_food',
            destination_category_name: null,
          },
        ]),
      })
      .where('id', '=', sync.row.id)
      .execute();
    await scene.world.run(sync);
    assert.deepEqual(
      new Map(await mappings().then((all) => all.map(([account, tab]) => [account, tab] as const))),
      new Map([
        [own, 'mine'],
        [other, scene.document.tabs.get(other)],
      ]),
    );
    assert.equal(tabOf(1), 'mine');
    assert.match(scene.document.rows[0]?.text ?? '', /"cat_food"/);
  });
});
