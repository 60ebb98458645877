import type { Change } from './change.ts';

/**
 * Packs changes into chunks. A full chunk comes out when the next change arrives, never before: so the sender
 * knows that it is not the last.
 */
export class ChunkPacker {
  readonly #maxRows: number;
  readonly #maxBytes: number;
  #changes: Change[] = [];
  #bytes = 0;

  constructor(limits: { chunkRows: number; chunkBytes: number }) {
    this.#maxRows = limits.chunkRows;
    this.#maxBytes = limits.chunkBytes;
  }

  /** Takes a change. Returns the chunk that it no longer fits into, if there is one. */
  add(change: Change): readonly Change[] | null {
    const bytes = change.text === null ? change.id.length : Buffer.byteLength(change.text);
    const full =
      this.#changes.length >= this.#maxRows ||
      (this.#changes.length > 0 && this.#bytes + bytes > this.#maxBytes);
    const chunk = full ? this.#changes : null;
    if (full) {
      this.#changes = [];
      this.#bytes = 0;
    }
    this.#changes.push(change);
    this.#bytes += bytes + 1;
    return chunk;
  }

  /** What is left: the last chunk, or null when there was no change at all. */
  finish(): readonly Change[] | null {
    const last = this.#changes;
    this.#changes = [];
    return last.length === 0 ? null : last;
  }
}
