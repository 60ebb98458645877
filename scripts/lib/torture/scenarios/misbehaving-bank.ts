import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatorControl } from '../../../../sandbox/shared/control.ts';
import type { MisbehaviourSpec } from '../../../../sandbox/shared/misbehaviour-kinds.ts';
import { addDays, localDateAt } from '../../../../src/vocabulary/moments.ts';
import { ClockFile } from '../clock-file.ts';
import type { Scenario } from '../outcome.ts';
import type { RowReceiver } from '../row-receiver.ts';
import { Stage } from '../stage.ts';
import { ask, deliveries, runsAgain, secondsUntil, succeeds } from '../watch.ts';

const DAY_MS = 86_400_000;
/** Longer than the longest pause between two full reads. */
export const MONTH_DAYS = 32;
const RECOVERY_MS = 120_000;

/**
 * One after another, each on the result of those before. `rows_vanish` and `account_missing` end before the next
 * begins.
 */
export const MISBEHAVIOURS: readonly MisbehaviourSpec[] = [
  { name: 'reissued_ids' },
  { name: 'amount_with_separator', every: 7 },
  { name: 'two_rows_one_id', every: 9 },
  { name: 'duplicated_pages' },
  { name: 'description_changed', every: 5 },
  { name: 'ids_per_session' },
  { name: 'rows_vanish', every: 6 },
  { name: 'row_without_id', every: 8 },
  { name: 'overlapping_pages' },
  { name: 'day_corrected', days: 1, every: 4 },
  { name: 'split_rows', every: 10 },
  { name: 'amount_changed', every: 3 },
  { name: 'moment_unreadable' },
  { name: 'no_rows' },
  { name: 'equal_rows', every: 11 },
  { name: 'merged_rows', every: 10 },
];

/** A bank that misbehaves in one way after another while the service is killed, and then behaves again. */
export const misbehavingBank: Scenario = {
  name: 'killed at a bank that misbehaves',
  missing: () => null,
  run: async (_machine, scale) => {
    const count = Math.ceil(1000 * scale);
    const played = MISBEHAVIOURS.slice(0, Math.max(4, Math.ceil(MISBEHAVIOURS.length * scale)));
    const directory = await mkdtemp(join(tmpdir(), 'tributary-misbehaving-'));
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
      const jump = async (days: number): Promise<void> => {
        receiver.aheadMs = clock.aheadMs + days * DAY_MS;
        await clock.set(receiver.aheadMs);
      };
      const accounts = await stage.link(owner, 'rows:10');
      const today = localDateAt(now(), 'UTC');
      const rows = Array.from({ length: count }, (_, at) => ({
        id: `row-${at}`,
        day: addDays(today, -(at % 200) - 2),
        amount: `-${at + 1}.00`,
        description: `row ${at}`,
      }));
      control.setStatements(
        stage
          .lastLinked()
          .slice(0, 1)
          .map((account) => ({ account, rows })),
      );
      const sync = await stage.sync(owner, accounts, receiver);
      let stuck = (await succeeds(owner, sync)) ? 0 : 1;
      for (const misbehaviour of played) {
        control.addMisbehaviour(misbehaviour);
        await jump(1);
        await killedInRun(stage, receiver, () => ask(owner, 'POST', `/v2/syncs/${sync}/run`));
        stuck += (await runsAgain(owner, sync)) ? 0 : 1;
        control.clearMisbehaviours();
      }
      const isEqual = (): boolean => {
        const { missing, surplus } = difference(control, receiver);
        return missing + surplus === 0;
      };
      // A resync sends rows as new that the receiver has.
      const { duplicates } = receiver;
      const recovered = await secondsUntil(RECOVERY_MS, async () => {
        // A row has to be missing more than once before it is taken away.
        await jump(MONTH_DAYS);
        stuck += (await runsAgain(owner, sync)) ? 0 : 1;
        if (isEqual()) return true;
        // Too many rows are missing to be believed: the owner is asked, and confirms it.
        const { attention } = await owner.syncs.get({ id: sync });
        if (attention?.code !== 'data_invalid') return false;
        await ask(owner, 'POST', `/v2/syncs/${sync}/resync`, { confirm: true });
        stuck += (await succeeds(owner, sync)) ? 0 : 1;
        return isEqual();
      });
      const shown = shownBy(control).length;
      const left = difference(control, receiver);
      return {
        faults: played.length,
        lost: Math.max(0, shown - receiver.rows.size),
        doubled: duplicates + left.missing + left.surplus,
        stuck: stuck + (recovered === null ? 1 : 0),
        errors: 0,
        recoverySeconds: recovered ?? RECOVERY_MS / 1000,
      };
    } finally {
      await stage.close();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** Kills the service at the first delivery of a run, or after a while where the run has nothing to deliver. */
async function killedInRun(
  stage: Stage,
  receiver: RowReceiver,
  start: () => Promise<unknown>,
): Promise<void> {
  await start();
  await deliveries(receiver, 1, 2000).catch(() => undefined);
  await stage.service.kill();
  stage.service.launch();
  await stage.service.ready();
}

const shownBy = (control: SimulatorControl, account?: string): readonly string[] =>
  Object.entries(control.shown()).flatMap(([id, rows]) =>
    id === (account ?? id)
      ? rows.map(({ description, amount }) => `${description} ${Number(amount) * 100}`)
      : [],
  );

/**
 * How many rows only one of the two shows: the bank, in the accounts that are dictated to it or in one of them, or the
 * receiver.
 */
export function difference(
  control: SimulatorControl,
  receiver: RowReceiver,
  account?: string,
): { readonly missing: number; readonly surplus: number } {
  const left = new Map<string, number>();
  for (const row of shownBy(control, account)) left.set(row, (left.get(row) ?? 0) + 1);
  for (const { description, amount } of receiver.rows.values()) {
    const row = `${description} ${amount}`;
    left.set(row, (left.get(row) ?? 0) - 1);
  }
  const counts = [...left.values()];
  return {
    missing: counts.reduce((sum, count) => sum + Math.max(0, count), 0),
    surplus: counts.reduce((sum, count) => sum + Math.max(0, -count), 0),
  };
}
