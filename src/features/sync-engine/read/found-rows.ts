import { hash } from 'node:crypto';
import type { RowChange } from '../compare/row-changes.ts';

/** Rows remembered at most: 8 MiB of numbers. A source that repeats an older one has it counted again. */
const MOST = 700_000;
const FIRST_SLOTS = 1 << 10;
const FULL = 0.7;
/** Hexadecimal: as many as a number holds exactly. */
const DIGITS = 13;

/**
 * Remembers which changes were found, in place of a ledger that learns of them by and by. A number of 52 bits for each
 * row: among 700,000 rows, two share one by chance in one read of 18,000.
 */
export class FoundRows {
  #slots = new Float64Array(FIRST_SLOTS);
  #size = 0;

  has(stream: number, id: string): boolean {
    const digest = digestOf(stream, id);
    return this.#slots[this.#slotOf(digest)] === digest;
  }

  add({ stream, id, replaces }: Pick<RowChange, 'stream' | 'id' | 'replaces'>): void {
    this.#remember(digestOf(stream, id));
    if (replaces !== null) this.#remember(digestOf(stream, replaces));
  }

  #remember(digest: number): void {
    if (this.#size >= MOST) return;
    const slot = this.#slotOf(digest);
    if (this.#slots[slot] === digest) return;
    this.#slots[slot] = digest;
    this.#size += 1;
    if (this.#size > this.#slots.length * FULL) this.#grow();
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * 2);
    for (const digest of before) if (digest !== 0) this.#slots[this.#slotOf(digest)] = digest;
  }

  /** Where the number is, or where it would go. */
  #slotOf(digest: number): number {
    const mask = this.#slots.length - 1;
    let slot = digest % this.#slots.length;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== digest) slot = (slot + 1) & mask;
    return slot;
  }
}

/** From 1 to 2^52; 0 marks an empty slot. */
function digestOf(stream: number, id: string): number {
  return Number.parseInt(hash('sha256', `${stream} ${id}`, 'hex').slice(0, DIGITS), 16) + 1;
}
