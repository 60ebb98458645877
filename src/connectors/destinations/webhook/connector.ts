import { ATTEMPT_FAILURE_OF, clippedAnswer } from '../../../platform/attempt-record.ts';
import type { Clock } from '../../../platform/clock.ts';
import { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import { retrying } from '../../../platform/retry.ts';
import { signatureHeaders } from '../../../platform/webhook-signature.ts';
import { type OwnerId, publicId } from '../../../vocabulary/ids.ts';
import { untaggedRowId } from '../../../vocabulary/provider-kinds.ts';
import type { WebhookEventKind } from '../../../vocabulary/webhook-events.ts';
import type { ChunkAttempt, ChunkRow, OutgoingChunk, WrittenChunk } from '../delivery-rows.ts';
import type { DestinationConnector, DestinationOpening, DestinationWriter } from '../destination-contract.ts';
import { DestinationFailure, withUnknownOutcome } from '../destination-failure.ts';
import { FailedAttempt, failureOfAnswer, failureOfCall } from './failures.ts';
import { encodeRow } from './rows.ts';

/** The release of the event's shape; events are not versioned with the API (docs/api-conventions.md#versions). */
const EVENT_VERSION = '2026-03-15';

/**
 * The body of an event (docs/webhooks.md#the-body). Rows are encoded already, so the text is put together instead of
 * serialising every row a second time.
 */
export function syncedEvent(chunk: OutgoingChunk, type: WebhookEventKind, owner: OwnerId): Buffer {
  const id = JSON.stringify(chunk.eventId);
  const run = JSON.stringify(chunk.run);
  // `updated` is reserved in events of trades: a changed one is sent as new, and recognised by its id.
  const trades = type === 'trades.synced';
  const added = trades ? [...chunk.added, ...chunk.updated] : chunk.added;
  const updated = trades ? [] : chunk.updated;
  const removed = chunk.removed.map((row) => row.id);
  const named = trades ? 'removed_trades' : 'removed_transactions';
  const accounts = chunk.removed.map((row) => publicId('account', row.account));
  const shownRun = chunk.run === null ? null : publicId('sync_run', chunk.run);
  return Buffer.from(
    `{"id":${id},"object":"event","type":"${type}","api_version":"${EVENT_VERSION}",` +
      `"created":${Math.floor(chunk.created / 1000)},` +
      `"account_record":"${publicId('account_record', owner)}",` +
      `"data":{"new":[${texts(added)}],"updated":[${texts(updated)}],` +
      `"removed":${JSON.stringify(removed.map(untaggedRowId))},"${named}":${JSON.stringify(removed)},` +
      `"removed_account_items":${JSON.stringify(accounts)}},` +
      `"metadata":{"sync_run_id":${run},"sync_run":${JSON.stringify(shownRun)},"new_count":${added.length},` +
      `"updated_count":${updated.length},"chunk":${chunk.number},"total_chunks":${chunk.total}}}`,
  );
}

function texts(rows: readonly ChunkRow[]): string {
  return rows.map((row) => row.text ?? 'null').join(',');
}

/** Attempts immediately, then after 1, 3 and 9 seconds (docs/webhooks.md#responses-and-retries). */
export const WEBHOOK_DELAYS_MS: readonly number[] = [1000, 3000, 9000];
/** No attempt starts later than this after the first, whatever Retry-After says: the next run continues from there. */
export const RETRY_BUDGET_MS = 150_000;
/** Deadline for the headers of an answer. */
export const WEBHOOK_HEADERS_MS = 15_000;
/** Room for 500 rows of ordinary length; only unusually long texts make a chunk of fewer. */
const CHUNK_BYTES = 1024 * 1024;
const NOTHING: WrittenChunk = { rejected: [], remoteRefs: new Map(), existed: new Map() };

interface WebhookConnectorOptions {
  readonly http: OutgoingHttp;
  readonly clock: Clock;
  readonly chunkRows: number;
  /** Deadlines of one attempt: the whole call, and the answer's headers. */
  readonly deadlineMs?: number;
  readonly headersDeadlineMs?: number;
  readonly delaysMs?: readonly number[];
}

/**
 * Sends rows to a receiver as signed events. Delivery is at least once; the event id lets the receiver ignore
 * duplicates.
 */
export class WebhookConnector implements DestinationConnector {
  readonly type = 'webhook';
  readonly afterUnknown = 'resend';
  readonly chunkBytes = CHUNK_BYTES;
  readonly chunkRows: number;
  readonly #options: WebhookConnectorOptions;

  constructor(options: WebhookConnectorOptions) {
    this.#options = options;
    this.chunkRows = options.chunkRows;
  }

  async open(opening: DestinationOpening): Promise<DestinationWriter> {
    const url = opening.target.url;
    if (url === undefined || opening.secrets.length === 0) {
      throw new DestinationFailure('run_failed', 'The destination has no address or no signing secret.', {
        outcome: 'refused',
        retryable: false,
      });
    }
    return new WebhookWriter(this.#options, new URL(url), opening);
  }
}

class WebhookWriter implements DestinationWriter {
  readonly encode = encodeRow;
  readonly #options: WebhookConnectorOptions;
  readonly #url: URL;
  readonly #secrets: readonly string[];
  readonly #owner: string;
  readonly #accountRecord: OwnerId;
  readonly #type: WebhookEventKind;

  constructor(options: WebhookConnectorOptions, url: URL, opening: DestinationOpening) {
    this.#options = options;
    this.#url = url;
    this.#secrets = opening.secrets;
    this.#owner = opening.owner;
    this.#accountRecord = opening.sync.account_record;
    this.#type = opening.sync.type === 'trades' ? 'trades.synced' : 'transactions.synced';
  }

  async write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    const body = syncedEvent(chunk, this.#type, this.#accountRecord);
    const { clock, delaysMs = WEBHOOK_DELAYS_MS } = this.#options;
    let mayHaveArrived = false;
    const attempt = async (): Promise<WrittenChunk> => {
      try {
        return await this.#attempt(chunk, body, signal);
      } catch (error) {
        if (error instanceof FailedAttempt && error.failure.outcome === 'unknown') mayHaveArrived = true;
        throw error;
      }
    };
    try {
      return await retrying(attempt, {
        delaysMs,
        shouldRetry: (error) => error instanceof FailedAttempt && error.again,
        retryAfterMs: (error) => (error instanceof FailedAttempt ? error.retryAfterMs : undefined),
        clock,
        signal,
        budgetMs: RETRY_BUDGET_MS,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FailedAttempt)) throw error;
      // The last attempt was refused but an earlier one may have arrived: the outcome is unknown.
      throw mayHaveArrived ? withUnknownOutcome(error.failure) : error.failure;
    }
  }

  async #attempt(
    { eventId, attempted }: OutgoingChunk,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<WrittenChunk> {
    const { http, clock, deadlineMs = 30_000, headersDeadlineMs = WEBHOOK_HEADERS_MS } = this.#options;
    const at = clock.now();
    const ended = (how: Pick<ChunkAttempt, 'status' | 'failure' | 'answer'>): void =>
      attempted?.({ at, durationMs: Math.max(0, clock.now() - at), ...how });
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Tributary-Webhook/1.0',
      ...signatureHeaders(this.#secrets, eventId, Math.floor(at / 1000), body),
    };
    try {
      const response = await http.request({
        method: 'POST',
        url: this.#url,
        owner: this.#owner,
        headers,
        body,
        signal,
        deadlineMs,
        headersDeadlineMs,
        expect: 'discard',
      });
      const { ok, status } = response;
      ended({ status, failure: null, answer: ok ? null : clippedAnswer(response) });
      if (ok) return NOTHING;
      throw failureOfAnswer(response, this.#url.origin, clock);
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error;
      if (!signal.aborted) ended({ status: null, failure: ATTEMPT_FAILURE_OF[error.kind], answer: null });
      throw failureOfCall(error);
    }
  }

  async close(): Promise<void> {}
}
