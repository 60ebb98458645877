import { hash } from 'node:crypto';
import type { RowChange } from '../compare/row-changes.ts';

/**
 * 2^23 bits are 1 MiB; with four of them for each of a million ids, 2 in 100 other ids are mistaken for one of these.
 */
const BITS_LOG2 = 23;
const PROBES = 4;

/**
 * Remembers ids in memory of fixed size (a Bloom filter): it never denies an id that was added, and rarely reports one
 * that was not. So a run that found the ledger empty only queries it for the few ids that this attempt may already have
 * sent, however far apart the source repeats a row.
 */
export class SeenIds {
  #bits: Uint32Array | null = null;

  add(stream: number, id: string): void {
    this.#bits ??= new Uint32Array(2 ** (BITS_LOG2 - 5));
    const [first, step] = hashes(stream, id);
    for (let probe = 0, place = first; probe < PROBES; probe++, place = (place + step) | 0) {
      const bit = place >>> (32 - BITS_LOG2);
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  mayHave(stream: number, id: string): boolean {
    if (this.#bits === null) return false;
    const [first, step] = hashes(stream, id);
    for (let probe = 0, place = first; probe < PROBES; probe++, place = (place + step) | 0) {
      const bit = place >>> (32 - BITS_LOG2);
      if (((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

/**
 * Two multiplicative hashes: a position, and the step to the next. An id made to collide costs one query of the ledger.
 */
function hashes(stream: number, id: string): [place: number, step: number] {
  let place = 0x811c9dc5 ^ stream;
  let step = 0x9e3779b9 ^ stream;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    place = Math.imul(place ^ code, 0x01000193);
    step = Math.imul((step << 5) ^ (step >>> 27) ^ code, 0x85ebca6b);
  }
  place = Math.imul(place ^ (place >>> 15), 0x2c1b3c6d);
  return [place, Math.imul(step ^ (step >>> 13), 0x297a2d39) | 1];
}

/** How many rows are remembered: 8 MiB of numbers. If a source repeats an older one, it is counted again. */
const MOST = 700_000;
const FIRST_SLOTS = 1 << 10;
const FULL = 0.7;
/** Hexadecimal digits: as many as a number can represent exactly. */
const DIGITS = 13;

/**
 * Remembers which changes were found, in place of a ledger in which they would be recorded as they are sent. A 52-bit
 * number for each row: among 700,000 rows, two share one by chance in one read of 18,000.
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

  /** The index of the number, or where it would go. */
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
