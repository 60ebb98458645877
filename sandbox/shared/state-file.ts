import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isRecord } from './json.ts';

/** What a simulator stores between runs. */
export interface KeptState {
  /** The state as JSON. */
  read(): Readonly<Record<string, unknown>>;
  /** Restores what an earlier run saved; false if it is malformed. */
  restore(state: Readonly<Record<string, unknown>>): boolean;
}

/** Keeps what people agreed to across restarts, so that connections made in the sandbox still work the next day. */
export class StateFile {
  readonly #path: string;
  readonly #state: KeptState;
  #saved = '';

  constructor(path: string, state: KeptState) {
    this.#path = path;
    this.#state = state;
  }

  /** Restores what an earlier run saved; does nothing if there is no file. Throws on an unreadable one. */
  load(): void {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (isRecord(error) && error.code === 'ENOENT') return;
      throw error;
    }
    const state: unknown = JSON.parse(text);
    if (!isRecord(state) || !this.#state.restore(state))
      throw new Error(`${this.#path} is not a sandbox state file; delete it to start afresh.`);
    this.#saved = text;
  }

  /** Writes the state if it changed; completely or not at all. */
  save(): void {
    const text = JSON.stringify(this.#state.read());
    if (text === this.#saved) return;
    writeFileSync(`${this.#path}.new`, text, { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
    this.#saved = text;
  }
}

const DELAY_MS = 500;

/**
 * Saves a simulator's state soon after it changed, and not after every change: what a destination has received may be
 * megabytes. Changes of the last half second before a kill are lost, which only affects the simulator.
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
