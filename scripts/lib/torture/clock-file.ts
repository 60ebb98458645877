import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Longer than the service caches what it last read (clock-preload.js). */
const SEEN_MS = 150;

/** The clock of a service in another process: a file says how far it is ahead of the machine's. */
export class ClockFile {
  readonly #path: string;
  #aheadMs = 0;

  constructor(path: string) {
    this.#path = path;
    writeFileSync(path, '0');
  }

  /** How far the clock is ahead of the machine's; negative when behind. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Moves the clock, and waits until the service has seen it. */
  async set(aheadMs: number): Promise<void> {
    this.#aheadMs = aheadMs;
    writeFileSync(this.#path, String(aheadMs));
    await pause(SEEN_MS);
  }

  /** For `--import`, with the file's path in the environment. */
  get nodeOptions(): readonly string[] {
    return ['--import', new URL('./clock-preload.js', import.meta.url).href];
  }

  get env(): Readonly<Record<string, string>> {
    return { TORTURE_CLOCK: this.#path };
  }
}
