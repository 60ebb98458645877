import { publicId } from '../../../vocabulary/ids.ts';
import type { ChunkRow, OutgoingChunk } from '../outgoing-chunk.ts';
import { shownId } from './rows.ts';

/** The release of the event's shape; events are not versioned with the API (docs/api-conventions.md#versions). */
const EVENT_VERSION = '2026-03-15';

export type EventType = 'transactions.synced' | 'trades.synced';

/**
 * The body of an event (docs/webhooks.md#the-body). Rows are encoded already, so the text is put
 * together instead of serialising every row a second time. What a form lacks is left out, as in `encodeTransaction`.
 */
export function syncedEvent(chunk: OutgoingChunk, type: EventType): Buffer {
  const id = JSON.stringify(chunk.eventId);
  const run = JSON.stringify(chunk.run);
  const form = chunk.rowForm;
  const removed = chunk.removed.map((row) => row.id);
  const named = type === 'trades.synced' ? 'removed_trades' : 'removed_transactions';
  const beside = form === 1 ? '' : `,"${named}":${JSON.stringify(removed)}`;
  const runBeside = form === 1 ? '' : `,"sync_run":${JSON.stringify(publicId('sync_run', chunk.run))}`;
  return Buffer.from(
    `{"id":${id},"object":"event","type":"${type}","api_version":"${EVENT_VERSION}",` +
      `"created":${Math.floor(chunk.created / 1000)},` +
      `"data":{"new":[${texts(chunk.added)}],"updated":[${texts(chunk.updated)}],` +
      `"removed":${JSON.stringify(removed.map((id) => shownId(id, form)))}${beside}},` +
      `"metadata":{"sync_run_id":${run}${runBeside},"new_count":${chunk.added.length},` +
      `"updated_count":${chunk.updated.length},"chunk":${chunk.number},"total_chunks":${chunk.total}}}`,
  );
}

function texts(rows: readonly ChunkRow[]): string {
  return rows.map((row) => row.text ?? 'null').join(',');
}
