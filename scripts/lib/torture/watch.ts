import { setTimeout as pause } from 'node:timers/promises';
import type { Tributary } from '#client';
import type { RowReceiver } from './row-receiver.ts';

const POLL_MS = 50;

/** Waits until `done` says so. False when it did not within the deadline. */
export async function within(
  ms: number,
  done: () => boolean | Promise<boolean>,
  pollMs = POLL_MS,
): Promise<boolean> {
  const end = performance.now() + ms;
  while (!(await done())) {
    if (performance.now() >= end) return false;
    await pause(pollMs);
  }
  return true;
}

/** Waits until the receiver has accepted this many more deliveries. Raises if they do not arrive. */
export async function deliveries(receiver: RowReceiver, more: number, ms = 60_000): Promise<void> {
  const wanted = receiver.deliveries + more;
  if (!(await within(ms, () => receiver.deliveries >= wanted, 2)))
    throw new Error(`No delivery came within ${ms / 1000} seconds.`);
}

/**
 * Waits until a run of the sync succeeds, asking for one whenever the last ended otherwise: a person would press the
 * button, and the schedule does the same later. False when none did within the deadline.
 */
export function succeeds(owner: Tributary, sync: string, ms = 90_000): Promise<boolean> {
  return within(ms, async () => {
    const status = await latestStatus(owner, sync);
    if (status === 'succeeded') return true;
    if (status === 'failed' || status === 'cancelled') await ask(owner, 'POST', `/v2/syncs/${sync}/run`);
    return false;
  });
}

/** Runs the sync again and waits for it to succeed. */
export async function runsAgain(owner: Tributary, sync: string, ms = 90_000): Promise<boolean> {
  if (!(await within(ms, async () => (await ask(owner, 'POST', `/v2/syncs/${sync}/run`)) < 300)))
    return false;
  return succeeds(owner, sync, ms);
}

async function latestStatus(owner: Tributary, sync: string): Promise<string | null> {
  try {
    const { data } = await owner.syncs.listRuns({ id: sync, limit: 1 }).page();
    return data[0]?.status ?? null;
  } catch {
    return null;
  }
}

/** The status of an answer, 0 when none came. */
export async function ask(
  owner: Tributary,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<number> {
  try {
    const response = await owner.exchange({
      method,
      path,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Sends requests repeatedly in the background, and counts the responses. */
export class Asking {
  readonly statuses = new Map<number, number>();
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;

  constructor(owner: Tributary, path: string, everyMs = 200) {
    this.#done = this.#ask(owner, path, everyMs);
  }

  /** Answers of 500. */
  get errors(): number {
    return this.statuses.get(500) ?? 0;
  }

  /** How often each status was answered, for a person. */
  answers(): string {
    return [...this.statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${count} x ${status === 0 ? 'no answer' : status}`)
      .join(', ');
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #ask(owner: Tributary, path: string, everyMs: number): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const status = await ask(owner, 'GET', path);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      await pause(everyMs);
    }
  }
}

/** Seconds from now until `done`; null when it was not within the deadline. */
export async function secondsUntil(
  ms: number,
  done: () => boolean | Promise<boolean>,
): Promise<number | null> {
  const started = performance.now();
  return (await within(ms, done)) ? (performance.now() - started) / 1000 : null;
}
