import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { ShiftedClock } from '../platform/shifted-clock.ts';
import { type Integration, isReal } from './integrations.ts';

/**
 * The clock of a process. Where every integration is simulated it can be moved, and stays moved over restarts: the
 * simulators and the service share it, so what a bank posts tomorrow is read tomorrow. With a real integration it is the machine's.
 * @throws Error when the file of an earlier move cannot be read
 */
export async function openClock(config: Config, integrations: readonly Integration[]): Promise<Clock> {
  if (!canMove(config, integrations)) return systemClock;
  return new ShiftedClock(await readAhead(fileOf(config)));
}

/** Moves the clock ahead by what another process of the data directory has moved it. */
export async function followClock(config: Config, clock: ShiftedClock): Promise<void> {
  const ahead = await readAhead(fileOf(config));
  if (ahead > clock.aheadMs) clock.advance(ahead - clock.aheadMs);
}

/** Moves the clock ahead, and has later starts begin there. @throws RangeError for a move back */
export async function moveClock(config: Config, clock: ShiftedClock, ms: number): Promise<void> {
  await followClock(config, clock);
  const file = fileOf(config);
  await mkdir(join(config.dataDir, 'sandbox'), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, JSON.stringify({ v: 1, ahead_ms: clock.aheadMs + ms }), { mode: 0o600 });
  clock.advance(ms);
  await rename(`${file}.new`, file);
}

function canMove(config: Config, integrations: readonly Integration[]): boolean {
  /** Without settings of the operator's: nothing is reached there unless an owner brings it. */
  const isUnset = ({ row }: Integration) =>
    Object.keys(config.integrations[row.name]?.texts ?? {}).length === 0;
  return (
    config.sandbox &&
    integrations.every((integration) => isUnset(integration) || !isReal(integration, config))
  );
}

function fileOf({ dataDir }: Config): string {
  return join(dataDir, 'sandbox', 'clock.json');
}

async function readAhead(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return 0;
  const stored: unknown = JSON.parse(text);
  const ahead =
    typeof stored === 'object' && stored !== null && 'ahead_ms' in stored ? stored.ahead_ms : null;
  if (typeof ahead === 'number' && Number.isSafeInteger(ahead) && ahead >= 0) return ahead;
  throw new Error(`${file} does not say how far the sandbox's clock is ahead. Delete it to go back to now.`);
}
