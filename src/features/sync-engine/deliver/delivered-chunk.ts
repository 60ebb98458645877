import type { WrittenChunk } from '../../../connectors/destinations/outgoing-chunk.ts';
import type { ChunkCounts, DeliveredChunk } from '../../../storage/delivery-progress.ts';
import type { LedgerWrite } from '../../../storage/ledger-writes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { Change, ReadCounts } from '../compare/change.ts';
import { HitCounts } from '../compare/hit-counts.ts';

type Standing = Omit<Change, 'text'>;

/**
 * What is to be recorded of a chunk that the destination took: the state of its rows, and the counts. `showsStanding`: whether
 * the answer names every row that was there before (WrittenChunk.stood).
 */
export function deliveredChunk(
  eventId: string,
  changes: readonly Standing[],
  written: WrittenChunk,
  read: ReadCounts,
  at: Date,
  showsStanding = false,
): DeliveredChunk {
  const rejected = new Set(written.rejected);
  const lines = new Map<RowId<'account'>, LineCounts>();
  const ledger: LedgerWrite[] = [];
  const replaced = new Map<string, LedgerWrite>();
  const hits = new HitCounts();
  for (const change of changes) {
    const line = lineOf(lines, change.account);
    if (rejected.has(change.id)) {
      line.rejected += 1;
      continue;
    }
    const counted = countedAs(change, written, showsStanding);
    if (counted !== null) line[counted] += 1;
    hits.add(change.hits);
    ledger.push(standing(change, written));
    if (change.replaces !== null) {
      const gone = retirement(change.stream, change.replaces);
      replaced.set(keyOf(gone), gone);
    }
  }
  return {
    eventId,
    ledger: withReplaced(ledger, replaced),
    lines: [...lines.values()],
    read,
    hits: { at, counts: hits.counts },
  };
}

/**
 * Source ids are distinct in what the ledger is given. A row that was replaced in the same chunk in which it changed is
 * recorded as gone, so that it is delivered again if it is still there: another row may have taken its place.
 */
function withReplaced(
  ledger: readonly LedgerWrite[],
  replaced: ReadonlyMap<string, LedgerWrite>,
): readonly LedgerWrite[] {
  if (replaced.size === 0) return ledger;
  return [...ledger.filter((write) => !replaced.has(keyOf(write))), ...replaced.values()];
}

const keyOf = ({ stream, sourceId }: LedgerWrite): string => `${stream} ${sourceId}`;

/**
 * A new row that was there already is not added: it counts as updated if it was, and else not at all. One that was
 * delivered before counts as added where the destination says that it was gone, and else as sent again.
 */
function countedAs(
  { change, id, countsAs }: Standing,
  { stood }: WrittenChunk,
  showsStanding: boolean,
): 'added' | 'updated' | null {
  const as = change === 'new' ? stood.get(id) : undefined;
  if (as !== undefined) return as === 'updated' ? 'updated' : null;
  return countsAs === 'redelivered' ? (showsStanding ? 'added' : 'updated') : countsAs;
}

type LineCounts = { account: RowId<'account'> } & { -readonly [Count in keyof ChunkCounts]: number };

function lineOf(lines: Map<RowId<'account'>, LineCounts>, account: RowId<'account'>): LineCounts {
  const known = lines.get(account);
  if (known !== undefined) return known;
  const line = { account, added: 0, updated: 0, rejected: 0 };
  lines.set(account, line);
  return line;
}

function standing(change: Standing, written: WrittenChunk): LedgerWrite {
  if (change.change === 'removed') return retirement(change.stream, change.id);
  return {
    fresh: change.fresh,
    stream: change.stream,
    sourceId: change.id,
    contentMac: change.contentMac,
    pairMac: change.pairMac,
    retired: false,
    provisional: change.provisional,
    matchMac: change.matchMac,
    day: change.day,
    remoteRef: written.remoteRefs.get(change.id) ?? change.remoteRef,
  };
}

function retirement(stream: number, sourceId: string): LedgerWrite {
  return {
    fresh: false,
    stream,
    sourceId,
    contentMac: '',
    pairMac: null,
    retired: true,
    provisional: true,
    matchMac: null,
    day: null,
    remoteRef: null,
  };
}
