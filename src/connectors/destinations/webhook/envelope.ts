import { publicId } from '../../../vocabulary/ids.ts';
import type { WebhookEventKind } from '../../../vocabulary/webhook-events.ts';
import type { ChunkRow, OutgoingChunk } from '../outgoing-chunk.ts';
import { shownId } from './rows.ts';

/** The release of the event's shape; events are not versioned with the API (docs/api-conventions.md#versions). */
const EVENT_VERSION = '2026-03-15';

/**
 * The body of an event (docs/webhooks.md#the-body). Rows are encoded already, so the text is put
 * together instead of serialising every row a second time. What a form lacks is left out, as in `encodeTransaction`.
 */
export function syncedEvent(chunk: OutgoingChunk, type: WebhookEventKind): Buffer {
  const id = JSON.stringify(chunk.eventId);
  const run = JSON.stringify(chunk.run);
  const form = chunk.rowForm;
  // `updated` is reserved in events of trades: a changed one is sent as new, and its id says which it is.
  const asNew = type === 'trades.synced' && form > 2;
  const added = asNew ? [...chunk.added, ...chunk.updated] : chunk.added;
  const updated = asNew ? [] : chunk.updated;
  const removed = chunk.removed.map((row) => row.id);
  const named = type === 'trades.synced' ? 'removed_trades' : 'removed_transactions';
  const beside = form === 1 ? '' : `,"${named}":${JSON.stringify(removed)}`;
  const accounts = chunk.removed.map((row) => publicId('account', row.account));
  const accountsBeside = form < 4 ? '' : `,"removed_account_items":${JSON.stringify(accounts)}`;
  const shownRun = chunk.run === null ? null : publicId('sync_run', chunk.run);
  const runBeside = form === 1 ? '' : `,"sync_run":${JSON.stringify(shownRun)}`;
  return Buffer.from(
    `{"id":${id},"object":"event","type":"${type}","api_version":"${EVENT_VERSION}",` +
      `"created":${Math.floor(chunk.created / 1000)},` +
      `"data":{"new":[${texts(added)}],"updated":[${texts(updated)}],` +
      `"removed":${JSON.stringify(removed.map((id) => shownId(id, form)))}${beside}${accountsBeside}},` +
      `"metadata":{"sync_run_id":${run}${runBeside},"new_count":${added.length},` +
      `"updated_count":${updated.length},"chunk":${chunk.number},"total_chunks":${chunk.total}}}`,
  );
}

function texts(rows: readonly ChunkRow[]): string {
  return rows.map((row) => row.text ?? 'null').join(',');
}
