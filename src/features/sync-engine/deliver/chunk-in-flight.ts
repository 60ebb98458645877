import type { ChunkRow, OutgoingChunk } from '../../../connectors/destinations/outgoing-chunk.ts';
import type { DeliveryChunk } from '../../../storage/delivery-chunks.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { Change } from '../compare/change.ts';

/** A packed chunk on its way: what it changes, as it goes out, and when its intent is recorded. */
export interface ChunkInFlight {
  readonly changes: readonly Change[];
  readonly outgoing: OutgoingChunk;
  readonly intended: PromiseWithResolvers<void>;
}

/** Changes as the destination is given them. */
export function outgoingChunk(
  changes: readonly Change[],
  head: Pick<OutgoingChunk, 'eventId' | 'run' | 'number' | 'total' | 'rowForm' | 'created' | 'again'>,
): OutgoingChunk {
  const rows = (kind: Change['change']): ChunkRow[] => changes.filter((change) => change.change === kind);
  return { ...head, added: rows('new'), updated: rows('updated'), removed: rows('removed') };
}

export function intentOf(
  of: { readonly sync: RowId<'sync'>; readonly run: RowId<'sync_run'> },
  { changes, outgoing }: ChunkInFlight,
): DeliveryChunk {
  return {
    event_id: outgoing.eventId,
    ...of,
    chunk: outgoing.number,
    total_chunks: outgoing.total,
    rowForm: outgoing.rowForm,
    created: new Date(outgoing.created),
    rows: changes.map(({ stream, id, change, contentMac, replaces, provisional, pairMac, day }) => ({
      stream,
      sourceId: id,
      change,
      contentMac,
      replaces,
      provisional,
      pairMac,
      day,
    })),
  };
}
