import type { WrittenChunk } from '../../connectors/destinations/destination-contract.ts';
import type { LedgerWrite } from '../../storage/delivery-ledger.ts';
import type { ChunkCounts, DeliveredChunk } from '../../storage/delivery-progress.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Change, ReadCounts } from './change.ts';
import { HitCounts } from './hit-counts.ts';

/** What is to be recorded of a chunk that the destination took by now: how its rows stand there, and the counts. */
export function deliveredChunk(
  eventId: string,
  changes: readonly Change[],
  written: WrittenChunk,
  read: ReadCounts,
  at: Date,
): DeliveredChunk {
  const rejected = new Set(written.rejected);
  const lines = new Map<RowId<'account'>, LineCounts>();
  const ledger: LedgerWrite[] = [];
  const hits = new HitCounts();
  for (const change of changes) {
    const line = lineOf(lines, change.account);
    if (rejected.has(change.id)) {
      line.rejected += 1;
      continue;
    }
    if (change.countsAs !== null) line[change.countsAs] += 1;
    hits.add(change.hits);
    ledger.push(standing(change, written));
    if (change.replaces !== null) ledger.push(retirement(change.stream, change.replaces));
  }
  return { eventId, ledger, lines: [...lines.values()], read, hits: { at, counts: hits.counts } };
}

type LineCounts = { account: RowId<'account'> } & { -readonly [Count in keyof ChunkCounts]: number };

function lineOf(lines: Map<RowId<'account'>, LineCounts>, account: RowId<'account'>): LineCounts {
  const known = lines.get(account);
  if (known !== undefined) return known;
  const line = { account, added: 0, updated: 0, rejected: 0 };
  lines.set(account, line);
  return line;
}

function standing(change: Change, written: WrittenChunk): LedgerWrite {
  if (change.change === 'removed') return retirement(change.stream, change.id);
  return {
    fresh: change.fresh,
    stream: change.stream,
    sourceId: change.id,
    contentMac: change.contentMac,
    retired: false,
    provisional: change.provisional,
    matchMac: change.matchMac,
    matchDay: change.matchDay,
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
    matchDay: null,
    remoteRef: null,
  };
}
