import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClockFile } from '../clock-file.ts';
import type { Scenario } from '../outcome.ts';
import type { RowReceiver } from '../row-receiver.ts';
import { Stage } from '../stage.ts';
import { runsAgain, secondsUntil, succeeds } from '../watch.ts';

const DAY_MS = 86_400_000;
/** Longer than the longest pause between two full reads. */
const MONTH_DAYS = 32;

/** A bank that corrects posted rows of months ago and takes some away, and brings one back. */
export const changedRows: Scenario = {
  name: 'changed and withdrawn rows',
  missing: () => null,
  run: async (_machine, scale) => {
    const rows = Math.ceil(1000 * scale);
    const directory = await mkdtemp(join(tmpdir(), 'tributary-changed-'));
    const clock = new ClockFile(join(directory, 'ahead'));
    const now = (): number => Date.now() + clock.aheadMs;
    const stage = await Stage.open({
      bank: { clock: { now } },
      env: clock.env,
      nodeOptions: clock.nodeOptions,
    });
    try {
      const { control } = stage.simulator;
      const [owner, receiver] = [await stage.owner(), await stage.receiver()];
      const accounts = await stage.link(owner, 'rows:10');
      const [vendorAccount = ''] = stage.lastLinked();
      const expected = new Map<string, string>();
      const made = Array.from({ length: rows }, (_, at) => ({ at, posted: now() - (at % 200) * DAY_MS }));
      const ids = control.appendTransactions(
        vendorAccount,
        made.map(({ at, posted }) => {
          const moment = new Date(posted - 3_600_000).toISOString();
          return { amount: '-1.00', description: `row ${at}`, executedAt: moment, postedAt: moment };
        }),
      );
      for (const [at, id] of ids.entries()) expected.set(id, `row ${at}`);
      const sync = await stage.sync(owner, accounts, receiver);
      let stuck = (await succeeds(owner, sync)) ? 0 : 1;
      const changed = ids.filter((_, at) => at % 10 === 0);
      const withdrawn = ids.filter((_, at) => at % 50 === 5);
      for (const id of changed) {
        control.amend(id, { amount: '-2.00', description: `corrected ${id}` });
        expected.set(id, `corrected ${id}`);
      }
      for (const id of withdrawn) {
        control.withdraw(id);
        expected.delete(id);
      }
      const recovered = await secondsUntil(90_000, async () => {
        // A row has to be missing more than once before it is taken away.
        receiver.aheadMs = clock.aheadMs + MONTH_DAYS * DAY_MS;
        await clock.set(receiver.aheadMs);
        stuck += (await runsAgain(owner, sync)) ? 0 : 1;
        return differences(receiver, expected, 10) === 0;
      });
      const [back = ''] = withdrawn;
      control.restore(back);
      expected.set(back, `row ${ids.indexOf(back)}`);
      receiver.aheadMs = clock.aheadMs + MONTH_DAYS * DAY_MS;
      await clock.set(receiver.aheadMs);
      stuck += (await runsAgain(owner, sync)) ? 0 : 1;
      return {
        faults: changed.length + withdrawn.length + 1,
        lost: Math.max(0, expected.size + 10 - receiver.rows.size),
        doubled: receiver.duplicates + differences(receiver, expected, 10),
        stuck: stuck + (recovered === null ? 1 : 0),
        errors: 0,
        recoverySeconds: recovered ?? 90,
      };
    } finally {
      await stage.close();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** Rows whose content differs from the bank's, or that are there although the bank withdrew them. */
function differences(receiver: RowReceiver, expected: ReadonlyMap<string, string>, others: number): number {
  let wrong = 0;
  let found = 0;
  for (const [id, { description }] of receiver.rows) {
    const wanted = expected.get(id);
    if (wanted === undefined) continue;
    found += 1;
    if (wanted !== description) wrong += 1;
  }
  return wrong + Math.max(0, receiver.rows.size - others - found) + (expected.size - found);
}
