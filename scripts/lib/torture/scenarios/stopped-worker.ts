import { setTimeout as pause } from 'node:timers/promises';
import { createServerDatabase } from '../../../../test/support/database.ts';
import type { Scenario } from '../outcome.ts';
import { Stage } from '../stage.ts';
import { deliveries, runsAgain, secondsUntil, succeeds } from '../watch.ts';

/** Longer than a run's lease, so that the worker that wakes up may have lost its run to another. */
const ASLEEP_MS = 17_000;

/** The whole process sleeps past its lease in the middle of a run and wakes up. */
export const stoppedAlone: Scenario = {
  name: 'stopped and resumed, embedded',
  missing: () => null,
  run: async (_machine, scale) => {
    const rows = Math.ceil(4000 * scale);
    const stage = await Stage.open();
    try {
      const [owner, receiver] = [await stage.owner(), await stage.receiver()];
      receiver.delayMs = 30;
      const sync = await stage.sync(owner, await stage.link(owner, `rows:${rows}`), receiver);
      await deliveries(receiver, 3);
      signal(stage.service.pid, 'SIGSTOP');
      await pause(ASLEEP_MS);
      signal(stage.service.pid, 'SIGCONT');
      const before = receiver.deliveries;
      const recovered = await secondsUntil(60_000, () => receiver.deliveries > before);
      const done = (await succeeds(owner, sync)) && (await runsAgain(owner, sync));
      return {
        faults: 1,
        lost: rows - receiver.rows.size,
        doubled: receiver.duplicates,
        stuck: done && recovered !== null ? 0 : 1,
        errors: 0,
        recoverySeconds: recovered ?? 60,
      };
    } finally {
      signal(stage.service.pid, 'SIGCONT');
      await stage.close();
    }
  },
};

/** One of two processes sleeps, the other takes its run over, and the first wakes up while it works. */
export const stoppedAmongTwo: Scenario = {
  name: 'stopped and resumed, two processes on Postgres',
  missing: ({ postgresUrl }) => (postgresUrl === null ? 'DATABASE_URL is not set' : null),
  run: async (_machine, scale) => {
    const rows = Math.ceil(6000 * scale);
    const database = await createServerDatabase();
    const stage = await Stage.open({ databaseUrl: database?.url ?? null });
    let second: Awaited<ReturnType<Stage['secondProcess']>> | null = null;
    try {
      const [owner, receiver] = [await stage.owner(), await stage.receiver()];
      receiver.delayMs = 60;
      const sync = await stage.sync(owner, await stage.link(owner, `rows:${rows}`), receiver);
      await deliveries(receiver, 3);
      signal(stage.service.pid, 'SIGSTOP');
      second = await stage.secondProcess();
      const before = receiver.deliveries;
      const recovered = await secondsUntil(90_000, () => receiver.deliveries > before + 1);
      signal(stage.service.pid, 'SIGCONT');
      const done = (await succeeds(owner, sync)) && (await runsAgain(owner, sync));
      return {
        faults: 1,
        lost: rows - receiver.rows.size,
        doubled: receiver.duplicates,
        stuck: done && recovered !== null ? 0 : 1,
        errors: 0,
        recoverySeconds: recovered ?? 90,
      };
    } finally {
      signal(stage.service.pid, 'SIGCONT');
      await second?.kill();
      await stage.close();
      await database?.drop();
    }
  },
};

function signal(pid: number | undefined, name: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid !== undefined) process.kill(pid, name);
}
