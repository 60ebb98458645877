import type { StateFile } from './state-file.ts';

const DELAY_MS = 500;

/**
 * Saves a simulator's state soon after it changed, and not after every change: what a destination has received may be
 * megabytes. What changed in the last half second before a kill is lost, as the simulator's alone.
 */
export class DelayedSave {
  readonly #file: StateFile | null;
  #timer: NodeJS.Timeout | null = null;

  /** @param file null to save nowhere */
  constructor(file: StateFile | null) {
    this.#file = file;
  }

  changed(): void {
    if (this.#file === null || this.#timer !== null) return;
    this.#timer = setTimeout(() => this.now(), DELAY_MS);
    this.#timer.unref();
  }

  /** At once, as when the simulator closes. */
  now(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#file?.save();
  }
}
