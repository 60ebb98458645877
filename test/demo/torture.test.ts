import assert from 'node:assert/strict';
import { test } from 'node:test';
import { torture } from '../../scripts/lib/torture/kills.ts';
import { createServerDatabase } from '../support/database.ts';
import { ONLY_THOROUGH } from '../support/thorough.ts';

test(
  'A service killed with SIGKILL at random moments of a sync delivers each row exactly once, and its counts add up',
  ONLY_THOROUGH,
  async (t) => {
    const database = await createServerDatabase();
    t.after(() => database?.drop());
    // On a server the next worker waits for the dead one's lease to expire, so each kill costs a quarter of a minute.
    // On the embedded database two show what a second death does to what the first one left; `npm run torture` kills
    // fifty times.
    const kills = database === null ? 2 : 1;
    const seed = Math.floor(Math.random() * 1_000_000_000);
    const result = await torture({
      rows: 2000,
      kills,
      seed,
      databaseUrl: database?.url ?? null,
      onProgress: () => undefined,
    });
    const { rows_at_bank, rows_delivered, duplicates, lost, signatures_refused, rows_counted, run_status } =
      result;
    assert.deepEqual(
      { rows_at_bank, rows_delivered, duplicates, lost, signatures_refused, rows_counted, run_status },
      {
        rows_at_bank: 2000,
        rows_delivered: 2000,
        duplicates: 0,
        lost: 0,
        signatures_refused: 0,
        rows_counted: 2000,
        run_status: 'succeeded',
      },
      `npm run torture -- --kills ${kills} --rows 2000 --seed ${seed} repeats this`,
    );
    assert.equal(result.kills, kills);
    assert.ok(result.ok);
  },
);
