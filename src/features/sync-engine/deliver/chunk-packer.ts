import type { Change } from '../compare/change.ts';

/**
 * Packs changes into chunks. A full chunk comes out when the next change arrives, never before: so the sender
 * knows that it is not the last. Rows of two accounts may have the same id and never travel in the same chunk, so that
 * an id names one row of its chunk.
 */
export class ChunkPacker {
  readonly #maxRows: number;
  readonly #maxBytes: number;
  #changes: Change[] = [];
  #bytes = 0;
  /** Ids in the chunk, with those of rows that are replaced, and the stream of each. */
  #streams = new Map<string, number>();

  constructor(limits: { chunkRows: number; chunkBytes: number }) {
    this.#maxRows = limits.chunkRows;
    this.#maxBytes = limits.chunkBytes;
  }

  /** Takes a change. Returns the chunk that it no longer fits into, if there is one. */
  add(change: Change): readonly Change[] | null {
    const bytes = change.text === null ? change.id.length : Buffer.byteLength(change.text);
    const full =
      this.#changes.length >= this.#maxRows ||
      (this.#changes.length > 0 && this.#bytes + bytes > this.#maxBytes) ||
      this.#isTaken(change);
    const chunk = full ? this.#changes : null;
    if (full) {
      this.#changes = [];
      this.#bytes = 0;
      this.#streams.clear();
    }
    this.#changes.push(change);
    this.#streams.set(change.id, change.stream);
    if (change.replaces !== null) this.#streams.set(change.replaces, change.stream);
    this.#bytes += bytes + 1;
    return chunk;
  }

  /** What is left: the last chunk, or null when there was no change at all. */
  finish(): readonly Change[] | null {
    const last = this.#changes;
    this.#changes = [];
    this.#streams.clear();
    return last.length === 0 ? null : last;
  }

  /** Whether the chunk has a row of another account under one of the change's ids. */
  #isTaken({ stream, id, replaces }: Change): boolean {
    const isOfAnother = (one: string): boolean => (this.#streams.get(one) ?? stream) !== stream;
    return isOfAnother(id) || (replaces !== null && isOfAnother(replaces));
  }
}
