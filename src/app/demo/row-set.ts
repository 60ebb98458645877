import { hash } from 'node:crypto';

/**
 * Which rows arrived, in eight bytes a row: a 64-bit hash of each id in an open-addressing table, so that a receiver
 * of a million rows needs some megabytes. Two of a million rows share a hash once in ten million runs.
 */
export class RowSet {
  #slots = new Uint32Array(2 * 1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** True when the id was not there before. */
  add(id: string): boolean {
    const [low, high] = hashOf(id);
    if (!insert(this.#slots, low, high)) return false;
    this.#size += 1;
    if (this.#size * 4 > this.#slots.length) this.#grow();
    return true;
  }

  has(id: string): boolean {
    const [low, high] = hashOf(id);
    return this.#slots[find(this.#slots, low, high) + 1] !== 0;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 2) {
      const high = old[at + 1] ?? 0;
      if (high !== 0) insert(this.#slots, old[at] ?? 0, high);
    }
  }
}

function insert(slots: Uint32Array, low: number, high: number): boolean {
  const at = find(slots, low, high);
  if (slots[at + 1] !== 0) return false;
  slots[at] = low;
  slots[at + 1] = high;
  return true;
}

/** Where the hash stands, or the free slot where it belongs. Half of the table is always free. */
function find(slots: Uint32Array, low: number, high: number): number {
  const last = slots.length - 2;
  let at = (low * 2) & last;
  while (slots[at + 1] !== 0 && (slots[at] !== low || slots[at + 1] !== high)) at = (at + 2) & last;
  return at;
}

/** The first 64 bits of the id's SHA-256; the second half is never 0, which marks a free slot. */
function hashOf(id: string): readonly [low: number, high: number] {
  const digest = hash('sha256', id);
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16) || 1];
}
