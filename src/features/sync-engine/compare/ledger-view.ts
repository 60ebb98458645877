import type { Db } from '../../../storage/database.ts';
import {
  hasEntries,
  type LedgerEntry,
  ledgerEntries,
  type MatchingEntry,
  matchingEntries,
  type PostedEntry,
  type PostedPage,
  type ProvisionalEntry,
  postedEntries,
  provisionalEntries,
} from '../../../storage/delivery-ledger.ts';
import { missingRows } from '../../../storage/stream-readings.ts';

/** What rows are compared with. Reading it changes nothing. */
export interface LedgerView {
  /** Whether the destination has rows of the stream. */
  isKnown(stream: number): Promise<boolean>;
  /** Entries of the given source ids; ids that are not known are absent. */
  entries(stream: number, ids: readonly string[]): Promise<ReadonlyMap<string, LedgerEntry>>;
  /** Rows that stand as pending, by day and id. */
  provisional(stream: number): Promise<readonly ProvisionalEntry[]>;
  /** A page of the posted rows that stand; `next` is null after the last. */
  posted(
    stream: number,
    page: PostedPage,
  ): Promise<{ readonly entries: readonly PostedEntry[]; readonly next: number | null }>;
  /** A page of the posted rows of which one of the MACs is known; `next` is null after the last. */
  matching(
    stream: number,
    page: Omit<PostedPage, 'limit'>,
    macs: { readonly contents: readonly string[]; readonly pairs: readonly string[] },
  ): Promise<{ readonly entries: readonly MatchingEntry[]; readonly next: number | null }>;
  /** When each row that a sweep did not find was noted. */
  missing(stream: number): Promise<ReadonlyMap<string, Date>>;
}

/** The ledger as it is stored. */
export function storedLedger(db: Db): LedgerView {
  return {
    isKnown: (stream) => hasEntries(db, stream),
    entries: (stream, ids) => ledgerEntries(db, stream, ids),
    provisional: (stream) => provisionalEntries(db, stream),
    posted: (stream, page) => postedEntries(db, stream, page),
    matching: (stream, page, macs) => matchingEntries(db, stream, page, macs),
    missing: (stream) => missingRows(db, stream),
  };
}
