import type { WrittenChunk } from '../../connectors/destinations/outgoing-chunk.ts';
import type { ChunkCounts, DeliveredChunk } from '../../storage/delivery-progress.ts';
import type { LedgerWrite } from '../../storage/ledger-writes.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Change, ReadCounts } from './change.ts';
import { HitCounts } from './hit-counts.ts';

type Standing = Omit<Change, 'text'>;

/** What is to be recorded of a chunk that the destination took by now: how its rows stand there, and the counts. */
export function deliveredChunk(
  eventId: string,
  changes: readonly Standing[],
  written: WrittenChunk,
  read: ReadCounts,
  at: Date,
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
    const counted = countedAs(change, written);
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

/** A new row that stood there already is not added: it counts as updated if it was, and else not at all. */
function countedAs(change: Standing, { stood }: WrittenChunk): Change['countsAs'] {
  const as = change.change === 'new' ? stood.get(change.id) : undefined;
  if (as === undefined) return change.countsAs;
  return as === 'updated' ? 'updated' : null;
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
    retired: true,
    provisional: true,
    matchMac: null,
    day: null,
    remoteRef: null,
  };
}
