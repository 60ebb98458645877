import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClockFile } from '../clock-file.ts';
import type { Scenario } from '../outcome.ts';
import { Stage } from '../stage.ts';
import { ask, deliveries, secondsUntil, succeeds } from '../watch.ts';

const HOUR_MS = 3_600_000;
/** Small, so that much of a run is still to be delivered when the clock jumps. */
const CHUNK_ROWS = 50;
const POLL_MS = 500;

/** The machine's clock jumps a day forward in one run and an hour back in the next. */
export const clockJumps: Scenario = {
  name: 'clock a day forward and an hour back',
  missing: () => null,
  run: async (_machine, scale) => {
    const rows = Math.ceil(3000 * scale);
    const directory = await mkdtemp(join(tmpdir(), 'tributary-clock-'));
    const clock = new ClockFile(join(directory, 'ahead'));
    // The bank lives in the same world.
    const bank = { clock: { now: () => Date.now() + clock.aheadMs } };
    const env = { ...clock.env, LIMIT_WEBHOOK_CHUNK_ROWS: String(CHUNK_ROWS) };
    const stage = await Stage.open({ bank, env, nodeOptions: clock.nodeOptions });
    try {
      const [owner, receiver] = [await stage.owner(), await stage.receiver()];
      receiver.delayMs = 50;
      const accounts = await stage.link(owner, `rows:${rows}`);
      const [vendorAccount = ''] = stage.lastLinked();
      const jump = async (aheadMs: number): Promise<void> => {
        receiver.aheadMs = aheadMs;
        await clock.set(aheadMs);
      };
      const sync = await stage.sync(owner, accounts, receiver);
      let stuck = 0;
      let slowest = 0;
      for (const aheadMs of [24 * HOUR_MS, 23 * HOUR_MS]) {
        await deliveries(receiver, 2);
        // From the jump on, a delivery signed by the old clock is refused and does not count.
        const before = receiver.deliveries;
        await jump(aheadMs);
        // Service and receiver do not jump in one instant: a run that was refused in between has to be asked for again.
        const recovered = await secondsUntil(
          60_000,
          async () => receiver.deliveries > before || (await succeeds(owner, sync, POLL_MS)),
        );
        slowest = Math.max(slowest, recovered ?? 60);
        stuck += recovered === null ? 1 : 0;
        stuck += (await succeeds(owner, sync)) ? 0 : 1;
        // Something to deliver while the clock jumps the next time.
        const postedAt = new Date(Date.now() + aheadMs - 3 * HOUR_MS).toISOString();
        stage.simulator.control.appendTransactions(
          vendorAccount,
          Array.from({ length: 600 }, (_, at) => ({
            amount: '-1.00',
            description: `later ${aheadMs} ${at}`,
            executedAt: postedAt,
            postedAt,
          })),
        );
        await ask(owner, 'POST', `/v2/syncs/${sync}/run`);
      }
      stuck += (await succeeds(owner, sync)) ? 0 : 1;
      return {
        faults: 2,
        lost: stage.simulator.control.rowsAtBank(vendorAccount) - receiver.rows.size,
        doubled: receiver.duplicates,
        stuck,
        errors: 0,
        recoverySeconds: slowest,
      };
    } finally {
      await stage.close();
      await rm(directory, { recursive: true, force: true });
    }
  },
};
