import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ShiftedClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { parseDuration } from '../../vocabulary/durations.ts';
import { wrongInput } from './refusal.ts';

const HOUR_MS = 3_600_000;
/** Consents and certificates of the simulators end after years; nothing happens after that. */
const MOST_AHEAD_MS = 5 * 365 * 24 * HOUR_MS;

type Place = Pick<Config, 'dataDir'>;

/**
 * The clock of a data directory whose integrations are all simulated. It stays moved across restarts. The simulators
 * and the service share it, so what a bank posts tomorrow is read tomorrow.
 * @throws Error if the file of an earlier move cannot be read
 */
export async function openSandboxClock(place: Place): Promise<ShiftedClock> {
  return new ShiftedClock(await readAhead(place));
}

/** Moves the clock as far ahead as another process of the data directory has. */
export async function followSandboxClock(place: Place, clock: ShiftedClock): Promise<void> {
  const ahead = await readAhead(place);
  if (ahead > clock.aheadMs) clock.advance(ahead - clock.aheadMs);
}

/** The clock that the service and its simulators share. It never goes back. */
export class SandboxClock {
  readonly #place: Place;
  readonly #clock: ShiftedClock;

  constructor(place: Place, clock: ShiftedClock) {
    this.#place = place;
    this.#clock = clock;
  }

  now(): { readonly now: Date; readonly aheadHours: number } {
    return { now: new Date(this.#clock.now()), aheadHours: this.#clock.aheadMs / HOUR_MS };
  }

  /**
   * Moves it ahead, also for later starts.
   * @param forward minutes, hours or days: 90m, 12h, 3d
   * @throws OperatorRefusal for a text that is not a duration, and for more than five years
   */
  async forward(forward: string): Promise<void> {
    const ms = parseDuration(forward);
    if (ms === null) throw wrongInput('forward', 'Write minutes, hours or days: 90m, 12h or 3d.');
    if (this.#clock.aheadMs + ms > MOST_AHEAD_MS) {
      throw wrongInput('forward', 'The clock cannot be moved further than five years.');
    }
    await followSandboxClock(this.#place, this.#clock);
    const file = fileOf(this.#place);
    await mkdir(join(this.#place.dataDir, 'sandbox'), { recursive: true, mode: 0o700 });
    const moved = { v: 1, ahead_ms: this.#clock.aheadMs + ms };
    await writeFile(`${file}.new`, JSON.stringify(moved), { mode: 0o600 });
    this.#clock.advance(ms);
    await rename(`${file}.new`, file);
  }
}

function fileOf({ dataDir }: Place): string {
  return join(dataDir, 'sandbox', 'clock.json');
}

async function readAhead(place: Place): Promise<number> {
  const file = fileOf(place);
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
