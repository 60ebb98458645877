import type { RowId } from '../../../vocabulary/ids.ts';

/** One thing to tell the destination. */
export interface Change {
  readonly stream: number;
  readonly account: RowId<'account'>;
  /** The source's id of the row, `txn_…`. */
  readonly id: string;
  readonly change: 'new' | 'updated' | 'removed';
  /** Whether the ledger knows nothing of the row yet. */
  readonly fresh: boolean;
  /**
   * null: not counted, because it is unknown whether the destination has the row. `redelivered`: a row of a resync that
   * was delivered before, which counts as added only where the destination says that it was gone.
   */
  readonly countsAs: 'added' | 'updated' | 'redelivered' | null;
  /** The row encoded for the destination; null for a removal. */
  readonly text: string | null;
  /** Hexadecimal; empty when nobody knows what the destination has of the row. */
  readonly contentMac: string;
  /** As RowMacs.pair; null for rows that have none. */
  readonly pairMac: string | null;
  /** The row whose place it takes: a pending one that posted, or the same row under the id it had. */
  readonly replaces: string | null;
  readonly provisional: boolean;
  readonly matchMac: string | null;
  /** Days since 1970: of the posting, for a pending row of the purchase. */
  readonly day: number | null;
  /** The destination's own id of the row, or of the row it replaces. */
  readonly remoteRef: string | null;
  /** The rules that made the row what it is. */
  readonly hits: readonly RowId<'rule'>[];
}

/** How much has been read so far in one attempt at a run or an account. */
export interface ReadCounts {
  processed: number;
  skipped: number;
}

/**
 * Changes read but not yet in the ledger. A source that repeats a row while its first copy is on the way would
 * otherwise find the ledger silent about it, and a row that is being replaced would be replaced by another too.
 */
export class ChangesUnderWay {
  readonly #ids = new Map<number, Set<string>>();

  has(stream: number, id: string): boolean {
    return this.#ids.get(stream)?.has(id) === true;
  }

  add({ stream, id, replaces }: Pick<Change, 'stream' | 'id' | 'replaces'>): void {
    const ids = this.#ids.get(stream) ?? new Set();
    if (ids.size === 0) this.#ids.set(stream, ids);
    ids.add(id);
    if (replaces !== null) ids.add(replaces);
  }

  delete(changes: readonly Change[]): void {
    for (const { stream, id, replaces } of changes) {
      const ids = this.#ids.get(stream);
      ids?.delete(id);
      if (replaces !== null) ids?.delete(replaces);
    }
  }
}
