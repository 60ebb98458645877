import type { ChunkRow, OutgoingChunk } from '../destination-contract.ts';

/** The release of the event's shape; events are not versioned with the API (SPEC, Events 1). */
const EVENT_VERSION = '2026-03-15';

/**
 * The body of a `transactions.synced` event (SPEC, Events 5). Rows are encoded already, so the text is put together
 * instead of serialising every row a second time.
 */
export function transactionsSynced(chunk: OutgoingChunk): Buffer {
  const id = JSON.stringify(chunk.eventId);
  const run = JSON.stringify(chunk.run);
  return Buffer.from(
    `{"id":${id},"object":"event","type":"transactions.synced","api_version":"${EVENT_VERSION}",` +
      `"created":${Math.floor(chunk.created / 1000)},` +
      `"data":{"new":[${texts(chunk.added)}],"updated":[${texts(chunk.updated)}],` +
      `"removed":${JSON.stringify(chunk.removed.map((row) => row.id))}},` +
      `"metadata":{"sync_run_id":${run},"new_count":${chunk.added.length},` +
      `"updated_count":${chunk.updated.length},"chunk":${chunk.number},"total_chunks":${chunk.total}}}`,
  );
}

function texts(rows: readonly ChunkRow[]): string {
  return rows.map((row) => row.text ?? 'null').join(',');
}
