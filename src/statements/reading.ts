import { setImmediate } from 'node:timers/promises';
import { MAX_STATEMENT_ROWS, type ParseOptions, UnusableFile } from './statement-contract.ts';

/**
 * Characters read between two turns of the event loop. Work is counted, not timed; the slowest parser takes about 5 ms
 * for as many.
 */
const SLICE = 16_384;

/** What the parsers of one file share: turns for everyone else, the end asked for by the caller, and the count of rows. */
export class Reading {
  readonly #signal: AbortSignal;
  readonly #maxRows: number;
  #work = 0;
  #rows = 0;

  constructor({ signal, maxRows = MAX_STATEMENT_ROWS }: Omit<ParseOptions, 'layout'>) {
    this.#signal = signal;
    this.#maxRows = maxRows;
  }

  /** Whether it is time to `pause`, after this many more characters. */
  worked(characters: number): boolean {
    this.#work += characters;
    return this.#work >= SLICE;
  }

  /** Lets everything else run. Raises the signal's reason if the caller no longer wants the file. */
  async pause(): Promise<void> {
    this.#work = 0;
    this.#signal.throwIfAborted();
    await setImmediate();
    this.#signal.throwIfAborted();
  }

  /** Counts a row, and returns which of the file it is, from 1. Raises UnusableFile above the cap. */
  nextRow(): number {
    this.#rows += 1;
    if (this.#rows > this.#maxRows) {
      throw new UnusableFile(
        'too_many_rows',
        `The file has more than ${this.#maxRows} transactions. Export a shorter period, or split the file.`,
      );
    }
    return this.#rows;
  }
}
