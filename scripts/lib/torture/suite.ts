import type { Machine, Report, Scenario } from './outcome.ts';
import { changedRows } from './scenarios/changed-rows.ts';
import { clockJumps } from './scenarios/clock.ts';
import { eventKillsOnEmbedded, eventKillsOnPostgres } from './scenarios/event-kills.ts';
import { canMount, fullDisk } from './scenarios/full-disk.ts';
import { greedyOwner } from './scenarios/greedy-owner.ts';
import { hostileBanks } from './scenarios/hostile-banks.ts';
import { killsOfOtherBanks, killsOnEmbedded, killsOnPostgres } from './scenarios/kills.ts';
import { lateRows } from './scenarios/late-rows.ts';
import { misbehavingBank } from './scenarios/misbehaving-bank.ts';
import { rollingUpgrade } from './scenarios/rolling-upgrade.ts';
import { stoppedAlone, stoppedAmongTwo } from './scenarios/stopped-worker.ts';
import { storeScenarios } from './scenarios/stores.ts';

/** Every kind of fault, in the order in which the table shows them. */
export const SCENARIOS: readonly Scenario[] = [
  killsOnEmbedded,
  ...killsOfOtherBanks,
  killsOnPostgres,
  eventKillsOnEmbedded,
  eventKillsOnPostgres,
  stoppedAlone,
  stoppedAmongTwo,
  rollingUpgrade,
  ...storeScenarios,
  fullDisk,
  clockJumps,
  lateRows,
  changedRows,
  misbehavingBank,
  hostileBanks,
  greedyOwner,
];

/** What this machine and its environment offer (`DATABASE_URL`, `REDIS_URL`, `EARLIER_VERSION`, root). */
export function thisMachine(): Machine {
  const given = (name: string): string | null => process.env[name] || null;
  return {
    postgresUrl: given('DATABASE_URL'),
    redisUrl: given('REDIS_URL'),
    canMount: canMount(),
    earlierVersion: given('EARLIER_VERSION'),
  };
}

/** Runs the scenarios one after another. None of them stops the others. */
export async function runAll(
  scenarios: readonly Scenario[],
  machine: Machine,
  scale: number,
  onProgress: (text: string) => void,
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const { name, missing, run } of scenarios) {
    const lacks = missing(machine);
    if (lacks !== null) {
      reports.push({ name, missing: lacks });
      continue;
    }
    onProgress(name);
    const started = performance.now();
    try {
      const outcome = await run(machine, scale);
      reports.push({ name, outcome, seconds: (performance.now() - started) / 1000 });
    } catch (error) {
      reports.push({ name, failure: error instanceof Error ? error.message : String(error) });
    }
  }
  return reports;
}
