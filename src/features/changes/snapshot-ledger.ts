import type { PostedEntry } from '../../storage/delivery-ledger.ts';
import { matchesContent } from '../../storage/ledger-records.ts';
import type { SnapshotRow } from '../../storage/packed-snapshots.ts';
import type { LedgerView } from '../sync-engine/compare/ledger-view.ts';

const NO_SLOT = 0;
/** Digits of a content's MAC that every record has. */
const CONTENT_DIGITS = 16;

/** A snapshot as a ledger with a single stream: what rows of a bank are compared with. Pages are whole. */
export function snapshotLedger(rows: ReadonlyMap<string, SnapshotRow>): LedgerView {
  const last = Number.POSITIVE_INFINITY;
  const byDay = (a: SnapshotRow, b: SnapshotRow): number =>
    (a.day ?? last) - (b.day ?? last) || (a.id < b.id ? -1 : 1);
  return {
    isKnown: async () => rows.size > 0,
    entries: async (_stream, ids) =>
      new Map(
        ids.flatMap((id) => {
          const row = rows.get(id);
          if (row === undefined) return [];
          const { contentMac: content_mac, pairMac: pair_mac, provisional, day } = row;
          const entry = { slot: NO_SLOT, content_mac, pair_mac, provisional, retired: false, day };
          return [[id, { ...entry, remote_ref: null }] as const];
        }),
      ),
    provisional: async () =>
      [...rows.values()]
        .filter(({ provisional }) => provisional)
        .sort(byDay)
        .map(({ id, matchMac, day }) => ({ source_id: id, match_mac: matchMac, day, remote_ref: null })),
    posted: async (_stream, window) => ({
      entries: [...rows.values()].flatMap((row) => postedOf(row, window)),
      next: null,
    }),
    matching: async (_stream, window, macs) => {
      const contents = Map.groupBy(macs.contents, (mac) => mac.slice(0, CONTENT_DIGITS));
      const pairs = new Set(macs.pairs);
      const isMatch = ({ contentMac: content_mac, pairMac }: SnapshotRow): boolean =>
        (pairMac !== null && pairs.has(pairMac)) ||
        contents
          .get(content_mac.slice(0, CONTENT_DIGITS))
          ?.some((mac) => matchesContent({ content_mac }, mac)) === true;
      const entries = [...rows.values()].filter(isMatch).flatMap((row) =>
        postedOf(row, window).map((entry) => ({
          ...entry,
          content_mac: row.contentMac,
          pair_mac: row.pairMac,
        })),
      );
      return { entries, next: null };
    },
    missing: async () =>
      new Map(
        [...rows.values()].flatMap(({ id, missingSince }) =>
          missingSince === null ? [] : [[id, new Date(missingSince)] as const],
        ),
      ),
  };
}

function postedOf(
  { id, provisional, day }: SnapshotRow,
  { from, to }: { readonly from: number; readonly to: number },
): PostedEntry[] {
  if (provisional || day === null || day < from || day > to) return [];
  return [{ source_id: id, slot: NO_SLOT, day, remote_ref: null }];
}
