import { AddressGuard } from './address-guard.ts';
import { systemClock } from './clock.ts';
import { mayTake } from './fair-slots.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { type EndedSpan, otlpBody, rejectedSpans, type TraceResource } from './otlp-json.ts';
import { OutgoingFailure } from './outgoing-failure.ts';
import { OutgoingHttp, type OutgoingHttpOptions } from './outgoing-http.ts';
import { withRequestId } from './request-origin.ts';
import { retryAfterMs, retrying } from './retry.ts';

/** How many spans may wait, about 3 MB. One account record has at most as many as there is room for others. */
const MOST_WAITING = 4_096;
/** Spans that are sent together. */
const BATCH = 512;
/** Spans wait this long for others, unless there are enough for a batch. */
const WAIT_MS = 2_000;
const SEND_MS = 10_000;
/** The waits before further attempts: the only layer of retries. */
const RETRY_DELAYS_MS = [1_000, 5_000];
/** What is waiting while the service stops. */
const CLOSE_MS = 2_000;
/** What is read of an answer; the rest is dropped with the connection. */
const ANSWER_BYTES = 16 * 1024;
const LOG_MS = 60_000;
/** Those after which the same request may succeed (OTLP/HTTP, Failures). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Where spans are sent. */
export interface TraceExporterOptions {
  /** The whole address, which the operator chose. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: TraceResource;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Pick<Metrics, 'traceSpans'>;
  /** How the collector is reached; by default like every other address. */
  readonly reach?: Pick<OutgoingHttpOptions, 'lookup' | 'connectMs'>;
}

interface Waiting {
  readonly span: EndedSpan;
  readonly owner: string;
}

/** The collector did not take the spans. */
class NotTaken extends Error {
  override readonly name = 'NotTaken';
  readonly retryable: boolean;
  readonly waitMs: number | undefined;

  constructor(reason: string, retryable: boolean, waitMs?: number) {
    super(reason);
    this.retryable = retryable;
    this.waitMs = waitMs;
  }
}

/**
 * Sends ended spans to a collector by OTLP/HTTP in JSON, one request at a time. What the collector does not take in
 * time is dropped and counted; nothing waits for it.
 */
export class TraceExporter {
  readonly #options: TraceExporterOptions;
  readonly #http: OutgoingHttp;
  readonly #closing = new AbortController();
  readonly #held = new Map<string, number>();
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;
  #isClosing = false;
  #closed: Promise<void> | null = null;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #unlogged = 0;

  constructor(options: TraceExporterOptions) {
    this.#options = options;
    const { origin } = new URL(options.endpoint);
    // Its own sockets: a collector that hangs takes none from vendors.
    this.#http = new OutgoingHttp({
      guard: new AddressGuard([]),
      trustedOrigins: [origin],
      connectionsPerOrigin: 1,
      ...options.reach,
    });
  }

  /** Takes a span to send; drops it if the queue, or its owner's share of it, is full. */
  take(span: EndedSpan, owner: string): void {
    const held = this.#held.get(owner) ?? 0;
    if (this.#closing.signal.aborted || !mayTake(held, MOST_WAITING - this.#waiting.length, 1)) {
      this.#dropped('queue_full', 1, 'more ended than it takes');
      return;
    }
    this.#held.set(owner, held + 1);
    this.#waiting.push({ span, owner });
    if (this.#sending !== null) return;
    if (this.#waiting.length >= BATCH) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), WAIT_MS).unref();
  }

  /** Sends what is waiting and closes the connection, all within two seconds. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    const late = setTimeout(() => this.#closing.abort(), CLOSE_MS);
    await this.#sending;
    this.#begin();
    await this.#sending;
    clearTimeout(late);
    this.#closing.abort();
    await this.#http.close();
  }

  #begin(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    // It may begin while a request ends, whose trace it is no part of.
    this.#sending ??= withRequestId(null, () => this.#sendAll()).finally(() => {
      this.#sending = null;
      if (this.#waiting.length > 0 && !this.#closing.signal.aborted)
        this.#timer ??= setTimeout(() => this.#begin(), WAIT_MS).unref();
    });
  }

  /** Batches as long as there are full ones; while closing, everything. */
  async #sendAll(): Promise<void> {
    do {
      const batch = this.#waiting.splice(0, BATCH);
      for (const { owner } of batch) this.#released(owner);
      if (batch.length > 0) await this.#send(batch.map(({ span }) => span));
    } while (this.#waiting.length >= (this.#isClosing ? 1 : BATCH));
  }

  #released(owner: string): void {
    const left = (this.#held.get(owner) ?? 1) - 1;
    if (left === 0) this.#held.delete(owner);
    else this.#held.set(owner, left);
  }

  async #send(spans: readonly EndedSpan[]): Promise<void> {
    const { metrics, resource } = this.#options;
    const body = otlpBody(resource, spans);
    try {
      const rejected = await retrying(() => this.#post(body, spans.length), {
        clock: systemClock,
        delaysMs: RETRY_DELAYS_MS,
        budgetMs: SEND_MS,
        shouldRetry: (error) => error instanceof NotTaken && error.retryable,
        retryAfterMs: (error) => (error instanceof NotTaken ? error.waitMs : undefined),
        signal: this.#closing.signal,
      });
      metrics.traceSpans('exported', spans.length - rejected);
      if (rejected > 0) this.#dropped('rejected', rejected, 'it refused them');
    } catch (error) {
      const reason = error instanceof NotTaken ? error.message : 'the service is stopping';
      this.#dropped('failed', spans.length, reason);
    }
  }

  /** How many of the spans the collector refused. Raises NotTaken. */
  async #post(body: string, sent: number): Promise<number> {
    const { endpoint, headers } = this.#options;
    const answer = await this.#http
      .request({
        method: 'POST',
        url: endpoint,
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        trusted: true,
        deadlineMs: SEND_MS,
        expect: 'discard',
        maxResponseBytes: ANSWER_BYTES,
        signal: this.#closing.signal,
      })
      .catch((error: unknown) => {
        throw new NotTaken(error instanceof OutgoingFailure ? error.kind : 'other', true);
      });
    const { status } = answer;
    if (status >= 200 && status < 300) return rejectedSpans(answer.body, sent);
    const wait = retryAfterMs(answer.header('retry-after'), systemClock);
    throw new NotTaken(`it answered ${status}`, RETRYABLE.has(status), wait);
  }

  #dropped(outcome: 'queue_full' | 'rejected' | 'failed', count: number, reason: string): void {
    const { log, metrics } = this.#options;
    metrics.traceSpans(outcome, count);
    this.#unlogged += count;
    const now = performance.now();
    if (now - this.#loggedAt < LOG_MS) return;
    this.#loggedAt = now;
    const dropped = this.#unlogged;
    this.#unlogged = 0;
    withRequestId(null, () => log.warn('The collector of traces did not take spans.', { dropped, reason }));
  }
}
