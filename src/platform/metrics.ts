import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LABEL = /^[a-z0-9][a-z0-9_.-]{0,63}$/i;
const DIGITS = /\d{4,}/;

/**
 * The service's figures for Prometheus. Labels are words from our own tables (operation ids, provider
 * identifiers, states); anything that looks like an id or like data is counted under `other`.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #refused: Counter<'code'>;
  readonly #upstream: Histogram<'provider' | 'outcome'>;
  readonly #rows: Counter<'outcome'>;
  readonly #runs: Counter<'status'>;
  readonly #deliveries: Counter<'outcome'>;

  /** @param options.process also collect memory, event loop and garbage collection figures of this process */
  constructor(options: { readonly process?: boolean } = {}) {
    const registers = [this.#registry];
    this.#requests = new Histogram({
      name: 'tributary_http_request_seconds',
      help: 'HTTP requests answered, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: SECONDS,
      registers,
    });
    this.#refused = new Counter({
      name: 'tributary_requests_refused_total',
      help: 'Requests answered 429, by error code.',
      labelNames: ['code'],
      registers,
    });
    this.#upstream = new Histogram({
      name: 'tributary_upstream_call_seconds',
      help: 'Calls to providers, by provider and outcome.',
      labelNames: ['provider', 'outcome'],
      buckets: SECONDS,
      registers,
    });
    this.#rows = new Counter({
      name: 'tributary_sync_rows_total',
      help: 'Rows handled by syncs, by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.#runs = new Counter({
      name: 'tributary_sync_runs_total',
      help: 'Sync runs that ended, by status.',
      labelNames: ['status'],
      registers,
    });
    this.#deliveries = new Counter({
      name: 'tributary_deliveries_total',
      help: 'Event and webhook deliveries attempted, by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    if (options.process === true) collectDefaultMetrics({ register: this.#registry });
  }

  /** One HTTP request answered. @param operation an operation id, never a path */
  httpRequest(operation: string, status: number, milliseconds: number): void {
    this.#requests.observe({ operation: word(operation), status: String(status) }, milliseconds / 1000);
  }

  /** One request was too much. @param code the error code it was answered with */
  refused(code: string): void {
    this.#refused.inc({ code: word(code) });
  }

  /** One call to a provider ended, as `ok` or in a failure of that name. */
  upstreamCall(provider: string, outcome: string, milliseconds: number): void {
    this.#upstream.observe({ provider: word(provider), outcome: word(outcome) }, milliseconds / 1000);
  }

  /** Rows that a sync wrote, changed, skipped or failed to write. */
  syncRows(outcome: string, count: number): void {
    this.#rows.inc({ outcome: word(outcome) }, count);
  }

  /** One sync run ended. */
  runEnded(status: string): void {
    this.#runs.inc({ status: word(status) });
  }

  /** One delivery attempt ended. */
  delivery(outcome: string): void {
    this.#deliveries.inc({ outcome: word(outcome) });
  }

  /** The media type of `text`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything in the Prometheus text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

function word(label: string): string {
  return LABEL.test(label) && !DIGITS.test(label) ? label : 'other';
}
