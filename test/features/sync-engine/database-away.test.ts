import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { voidLeases } from '../../../src/storage/sync-runs.ts';
import { StoreUnavailableError } from '../../../src/vocabulary/store-unavailable.ts';
import { posted } from './support/bank.ts';
import { closeDatabase, World } from './support/world.ts';

after(closeDatabase);

const ROWS = 601;

/** A database that is away for one statement, the nth, and back for the next. */
function awayAt(statement: number): KyselyPlugin & { readonly happened: boolean } {
  let left = statement;
  return {
    get happened() {
      return left < 0;
    },
    transformQuery: ({ node }) => {
      left -= 1;
      if (left === -1) throw new StoreUnavailableError('a test says so');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

test('a database that is away at any statement of a run neither fails the run nor loses or doubles a row', {
  timeout: 600_000,
}, async () => {
  let tried = 0;
  for (let statement = 0; ; statement++) {
    const world = await World.open();
    const account = world.account();
    world.bank.accounts.set(
      account,
      Array.from({ length: ROWS }, (_, index) => posted(ROWS - index)),
    );
    const sync = await world.sync([account]);
    const away = awayAt(statement);
    await world.run(sync, world.engine(world.database.db.withPlugin(away))).catch((error: unknown) => {
      assert.ok(error instanceof StoreUnavailableError, String(error));
    });
    const [run] = await world.allRuns(sync);
    assert.ok(run !== undefined && run.status !== 'failed', `failed at statement ${statement}`);
    await voidLeases(world.database.db, new Date(0));
    if (run.status !== 'succeeded') assert.equal((await world.run(sync)).status, 'succeeded');
    const counts = world.receiver.newCounts();
    assert.equal(counts.size, ROWS);
    assert.ok([...counts.values()].every((count) => count === 1));
    await world.close();
    if (!away.happened) break;
    tried += 1;
  }
  assert.ok(tried > 10, `only ${tried} statements were tried`);
});
