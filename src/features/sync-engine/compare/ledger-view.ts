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
import { matchesContent } from '../../../storage/ledger-records.ts';
import type { LedgerWrite } from '../../../storage/ledger-writes.ts';
import { missingRows } from '../../../storage/stream-readings.ts';

/** What rows are compared with, read-only. */
export interface LedgerView {
  /** Whether the destination has rows of the stream. */
  isKnown(stream: number): Promise<boolean>;
  /** Entries of the given source ids; unknown ids are absent. */
  entries(stream: number, ids: readonly string[]): Promise<ReadonlyMap<string, LedgerEntry>>;
  /** Rows that are pending there, by day and id. */
  provisional(stream: number): Promise<readonly ProvisionalEntry[]>;
  /** A page of the posted rows that are there; `next` is null after the last. */
  posted(
    stream: number,
    page: PostedPage,
  ): Promise<{ readonly entries: readonly PostedEntry[]; readonly next: number | null }>;
  /** A page of the posted rows that have one of the MACs; `next` is null after the last. */
  matching(
    stream: number,
    page: Omit<PostedPage, 'limit'>,
    macs: { readonly contents: readonly string[]; readonly pairs: readonly string[] },
  ): Promise<{ readonly entries: readonly MatchingEntry[]; readonly next: number | null }>;
  /** When each row that a sweep did not find was recorded. */
  missing(stream: number): Promise<ReadonlyMap<string, Date>>;
}

/** The stored ledger. */
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

/** The number of a row that is not stored. */
const NO_SLOT = -1;

/**
 * The ledger as it would be after some writes, which are not made. The writes are kept in memory: those of unconfirmed
 * chunks, of which a sync has at most two.
 */
export function overlaidLedger(ledger: LedgerView, writes: readonly LedgerWrite[]): LedgerView {
  const byStream = new Map<number, Map<string, LedgerWrite>>();
  for (const write of writes) {
    const written = byStream.get(write.stream) ?? new Map<string, LedgerWrite>();
    byStream.set(write.stream, written.set(write.sourceId, write));
  }
  if (byStream.size === 0) return ledger;
  const of = (stream: number): ReadonlyMap<string, LedgerWrite> => byStream.get(stream) ?? NOTHING;
  return {
    missing: (stream) => ledger.missing(stream),
    isKnown: async (stream) => of(stream).size > 0 || (await ledger.isKnown(stream)),
    entries: async (stream, ids) => {
      const entries = new Map(await ledger.entries(stream, ids));
      for (const id of ids) {
        const write = of(stream).get(id);
        if (write !== undefined) entries.set(id, entryOf(write));
      }
      return entries;
    },
    provisional: async (stream) => {
      const written = of(stream);
      const stored = await ledger.provisional(stream);
      const pending = [...written.values()].filter(({ retired, provisional }) => provisional && !retired);
      const entries = [
        ...stored.filter(({ source_id: id }) => !written.has(id)),
        ...pending.map(({ sourceId, matchMac, day, remoteRef }) => ({
          source_id: sourceId,
          match_mac: matchMac,
          day,
          remote_ref: remoteRef,
        })),
      ];
      const last = Number.POSITIVE_INFINITY;
      return entries.sort(
        (a, b) => (a.day ?? last) - (b.day ?? last) || (a.source_id < b.source_id ? -1 : 1),
      );
    },
    posted: async (stream, page) => {
      const written = of(stream);
      const { entries, next } = await ledger.posted(stream, page);
      const stored = entries.filter(({ source_id: id }) => !written.has(id));
      // With the last page, so that each is counted once.
      return next === null
        ? { entries: [...stored, ...[...written.values()].flatMap((write) => postedOf(write, page))], next }
        : { entries: stored, next };
    },
    matching: async (stream, page, macs) => {
      const written = of(stream);
      const { entries, next } = await ledger.matching(stream, page, macs);
      const stored = entries.filter(({ source_id: id }) => !written.has(id));
      if (next !== null) return { entries: stored, next };
      const added = [...written.values()].flatMap((write) => {
        const { contentMac: content_mac, pairMac: pair_mac } = write;
        const isMatch =
          macs.contents.some((mac) => matchesContent({ content_mac }, mac)) ||
          macs.pairs.includes(pair_mac ?? '');
        return isMatch ? postedOf(write, page).map((entry) => ({ ...entry, content_mac, pair_mac })) : [];
      });
      return { entries: [...stored, ...added], next };
    },
  };
}

const NOTHING: ReadonlyMap<string, LedgerWrite> = new Map();

function entryOf({ contentMac, pairMac, retired, provisional, day, remoteRef }: LedgerWrite): LedgerEntry {
  const macs = { content_mac: contentMac, pair_mac: pairMac };
  return { slot: NO_SLOT, ...macs, retired, provisional, day, remote_ref: remoteRef };
}

function postedOf(
  { sourceId, retired, provisional, day, remoteRef }: LedgerWrite,
  { from, to }: { readonly from: number; readonly to: number },
): PostedEntry[] {
  if (retired || provisional || day === null || day < from || day > to) return [];
  return [{ source_id: sourceId, slot: NO_SLOT, day, remote_ref: remoteRef }];
}
