import type { Scenario } from '../outcome.ts';
import { Stage } from '../stage.ts';
import { runsAgain, secondsUntil, succeeds } from '../watch.ts';

const GREEDY_SYNCS = 24;
const SLOW_MS = 10_000;
/** Within which another owner's run must begin to deliver. */
const BAR_SECONDS = 2;

/** One owner has 24 syncs to receivers that take ten seconds for each answer; another owner wants twenty rows. */
export const greedyOwner: Scenario = {
  name: 'one owner with 24 slow receivers',
  missing: () => null,
  run: async (_machine, scale) => {
    const stage = await Stage.open();
    try {
      const [greedy, modest] = [await stage.owner(), await stage.owner()];
      const accounts = await stage.link(greedy, 'rows:2000');
      const syncs = Math.ceil(GREEDY_SYNCS * scale);
      const receiver = await stage.receiver();
      const wanted = await stage.link(modest, 'rows:20');
      for (let at = 0; at < syncs; at++) await stage.sync(greedy, accounts, await slowReceiver(stage));
      const sync = await stage.sync(modest, wanted, receiver);
      const waited = await secondsUntil(120_000, () => receiver.deliveries > 0);
      const done = (await succeeds(modest, sync)) && (await runsAgain(modest, sync));
      return {
        faults: syncs,
        lost: 20 - receiver.rows.size,
        doubled: receiver.duplicates,
        stuck: (done ? 0 : 1) + (waited === null || waited > BAR_SECONDS ? 1 : 0),
        errors: 0,
        recoverySeconds: waited ?? 120,
        remarks: [`the bar is ${BAR_SECONDS} seconds`],
      };
    } finally {
      await stage.close();
    }
  },
};

async function slowReceiver(stage: Stage) {
  const receiver = await stage.receiver();
  receiver.delayMs = SLOW_MS;
  return receiver;
}
