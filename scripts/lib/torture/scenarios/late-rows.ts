import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClockFile } from '../clock-file.ts';
import type { Scenario } from '../outcome.ts';
import { Stage } from '../stage.ts';
import { runsAgain, secondsUntil, succeeds, within } from '../watch.ts';

const DAY_MS = 86_400_000;
const HISTORY_AFTER_MS = 4_000;
/** How far back rows are posted after the sync has read those days. */
const BACK_DATED_DAYS = [13, 15, 30, 60, 300];

/** A bank whose history comes after the first run, and which later adds rows to days long read. */
export const lateRows: Scenario = {
  name: 'late and back-dated rows',
  missing: () => null,
  run: async (_machine, scale) => {
    const rows = Math.ceil(5000 * scale);
    const directory = await mkdtemp(join(tmpdir(), 'tributary-late-'));
    const clock = new ClockFile(join(directory, 'ahead'));
    const now = (): number => Date.now() + clock.aheadMs;
    const stage = await Stage.open({
      bank: { clock: { now }, historySyncDelayMs: HISTORY_AFTER_MS },
      env: clock.env,
      nodeOptions: clock.nodeOptions,
    });
    try {
      const [owner, receiver] = [await stage.owner(), await stage.receiver()];
      const jump = async (days: number): Promise<void> => {
        receiver.aheadMs = clock.aheadMs + days * DAY_MS;
        await clock.set(receiver.aheadMs);
      };
      const accounts = await stage.link(owner, `rows:${rows}`);
      const [vendorAccount = ''] = stage.lastLinked();
      const sync = await stage.sync(owner, accounts, receiver);
      let stuck = (await succeeds(owner, sync)) ? 0 : 1;
      await within(HISTORY_AFTER_MS, () => false);
      // Every run until the history is whole reads everything.
      const recovered = await secondsUntil(60_000, async () => {
        await runsAgain(owner, sync);
        return receiver.rows.size >= rows;
      });
      stuck += recovered === null ? 1 : 0;
      const { control } = stage.simulator;
      const posted = (days: number): string => new Date(now() - days * DAY_MS).toISOString();
      for (const days of BACK_DATED_DAYS) {
        await jump(8);
        stuck += (await runsAgain(owner, sync)) ? 0 : 1;
        const at = posted(days);
        control.appendTransactions(vendorAccount, [
          { amount: '-12.34', description: `back-dated ${days} days`, executedAt: at, postedAt: at },
        ]);
        await jump(32);
        stuck += (await runsAgain(owner, sync)) ? 0 : 1;
      }
      return {
        faults: 1 + BACK_DATED_DAYS.length,
        lost: control.rowsAtBank(vendorAccount) - receiver.rows.size,
        doubled: receiver.duplicates,
        stuck,
        errors: 0,
        recoverySeconds: recovered ?? 60,
      };
    } finally {
      await stage.close();
      await rm(directory, { recursive: true, force: true });
    }
  },
};
