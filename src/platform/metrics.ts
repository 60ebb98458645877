import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LABEL = /^[a-z0-9][a-z0-9_.-]{0,63}$/i;
const DIGITS = /\d{4,}/;

/** The labels of each counter. */
interface CounterLabels {
  readonly tributary_requests_refused_total: 'code';
  readonly tributary_failed_requests_total: 'cause';
  readonly tributary_provider_calls_total: 'provider' | 'result';
  readonly tributary_rows_set_aside_total: 'provider' | 'field';
  readonly tributary_sync_rows_total: 'outcome';
  readonly tributary_sync_runs_total: 'status';
  readonly tributary_deliveries_total: 'to' | 'outcome';
  readonly tributary_trace_spans_total: 'outcome';
}
type CounterName = keyof CounterLabels;

/**
 * Series that are known beforehand: of closed sets only, as each costs a line of every scrape. They begin at 0, since
 * Prometheus sees no increase in the first sample of a series.
 */
export type KnownSeries = {
  readonly [N in CounterName]: readonly Readonly<Record<CounterLabels[N], string>>[];
};

/**
 * The service's metrics for Prometheus. Labels are words from our own tables (operation ids, provider identifiers,
 * states); anything that looks like an id or like data is counted under `other`.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #refused: Counter<'code'>;
  readonly #failed: Counter<'cause'>;
  readonly #upstream: Histogram<'provider' | 'outcome'>;
  readonly #calls: Counter<'provider' | 'result'>;
  readonly #setAside: Counter<'provider' | 'field'>;
  readonly #rows: Counter<'outcome'>;
  readonly #runs: Counter<'status'>;
  readonly #deliveries: Counter<'to' | 'outcome'>;
  readonly #traceSpans: Counter<'outcome'>;
  readonly #quotaLeft: Gauge<'quota'>;
  readonly #quotaWait: Gauge<'quota' | 'per'>;
  readonly #sources: (() => Promise<void>)[] = [];

  /** @param options.process also collect memory, event loop and garbage collection metrics of this process */
  constructor(options: { readonly process?: boolean; readonly known?: KnownSeries } = {}) {
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
    this.#failed = new Counter({
      name: 'tributary_failed_requests_total',
      help: 'Requests answered 5xx, and those of agents in which a tool failed so, by whether the service, a store or an upstream is at fault.',
      labelNames: ['cause'],
      registers,
    });
    this.#upstream = new Histogram({
      name: 'tributary_upstream_call_seconds',
      help: 'Calls to providers, also those that were not made, by provider and outcome.',
      labelNames: ['provider', 'outcome'],
      buckets: SECONDS,
      registers,
    });
    this.#calls = new Counter({
      name: 'tributary_provider_calls_total',
      help: 'Calls sent to a provider, including those that could not connect, by whether it answered, failed or refused our credentials.',
      labelNames: ['provider', 'result'],
      registers,
    });
    this.#setAside = new Counter({
      name: 'tributary_rows_set_aside_total',
      help: 'Rows of providers that could not be read, by provider and field.',
      labelNames: ['provider', 'field'],
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
      help: 'Attempts to deliver rows to a destination or events to a receiver, by where to and outcome.',
      labelNames: ['to', 'outcome'],
      registers,
    });
    this.#traceSpans = new Counter({
      name: 'tributary_trace_spans_total',
      help: 'Spans of traces, by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.#quotaLeft = new Gauge({
      name: 'tributary_vendor_quota_left',
      help: 'Calls left of a quota, of the user that this process has used most of it for; 0 while it is used up.',
      labelNames: ['quota'],
      registers,
    });
    this.#quotaWait = new Gauge({
      name: 'tributary_vendor_quota_wait_seconds',
      help: 'Until a call of a quota may be made again, of the user who waits longest.',
      labelNames: ['quota', 'per'],
      registers,
    });
    const { known } = options;
    if (known !== undefined) {
      for (const labels of known.tributary_requests_refused_total) this.#refused.inc(labels, 0);
      for (const labels of known.tributary_failed_requests_total) this.#failed.inc(labels, 0);
      for (const labels of known.tributary_provider_calls_total) this.#calls.inc(labels, 0);
      for (const labels of known.tributary_rows_set_aside_total) this.#setAside.inc(labels, 0);
      for (const labels of known.tributary_sync_rows_total) this.#rows.inc(labels, 0);
      for (const labels of known.tributary_sync_runs_total) this.#runs.inc(labels, 0);
      for (const labels of known.tributary_deliveries_total) this.#deliveries.inc(labels, 0);
      for (const labels of known.tributary_trace_spans_total) this.#traceSpans.inc(labels, 0);
    }
    if (options.process === true) collectDefaultMetrics({ register: this.#registry });
  }

  /** One HTTP request answered. @param operation an operation id, never a path */
  httpRequest(operation: string, status: number, milliseconds: number): void {
    this.#requests.observe({ operation: word(operation), status: String(status) }, milliseconds / 1000);
  }

  /** One request was over a limit. @param code the error code it was answered with */
  refused(code: string): void {
    this.#refused.inc({ code: word(code) });
  }

  /** One request could not be answered. @param cause one of FAILURE_CAUSES */
  requestFailed(cause: string): void {
    this.#failed.inc({ cause: word(cause) });
  }

  /** One call to a provider ended, with `ok`, as `aborted` or as the failure of that name. */
  upstreamCall(provider: string, outcome: string, milliseconds: number): void {
    this.#upstream.observe({ provider: word(provider), outcome: word(outcome) }, milliseconds / 1000);
  }

  /** One call to a provider said something about it. @param result one of CALL_VERDICTS */
  providerCall(provider: string, result: string): void {
    this.#calls.inc({ provider: word(provider), result: word(result) });
  }

  /** A provider's row could not be read because of that member (docs/rows-set-aside.md). */
  rowSetAside(provider: string, field: string): void {
    this.#setAside.inc({ provider: word(provider), field: word(field) });
  }

  /** Rows that a sync wrote, changed, skipped or failed to write. */
  syncRows(outcome: string, count: number): void {
    this.#rows.inc({ outcome: word(outcome) }, count);
  }

  /** One sync run ended. */
  runEnded(status: string): void {
    this.#runs.inc({ status: word(status) });
  }

  /** One attempt to deliver ended. @param to a type of destination, or `event_destination` */
  delivery(to: string, outcome: string): void {
    this.#deliveries.inc({ to: word(to), outcome: word(outcome) });
  }

  /** Spans that a collector of traces took, or that were dropped, by why. */
  traceSpans(outcome: string, count: number): void {
    this.#traceSpans.inc({ outcome: word(outcome) }, count);
  }

  /** Called whenever metrics are read: the remaining calls of each vendor's quota, and the wait for the next. */
  quotasFrom(read: () => ReadonlyMap<string, QuotaValues>): void {
    this.#sources.push(async () => {
      for (const [name, { per, left, waitSeconds }] of read()) {
        const quota = word(name);
        this.#quotaLeft.set({ quota }, left);
        this.#quotaWait.set({ quota, per }, waitSeconds);
      }
    });
  }

  /**
   * A metric of the whole service rather than of this process, evaluated whenever metrics are read. It is left out if
   * it has no value, and also while `read` fails: an old value would hide the failure.
   */
  gauges<N extends string>(
    table: Readonly<Record<N, { readonly help: string; readonly label?: string }>>,
    read: () => Promise<Readonly<Record<N, GaugeValue>>>,
  ): void {
    const gauges = new Map<N, Gauge>();
    for (const name in table) {
      const { help, label } = table[name];
      const labelNames = label === undefined ? [] : [label];
      gauges.set(name, new Gauge({ name, help, labelNames, registers: [this.#registry] }));
    }
    this.#sources.push(async () => {
      for (const gauge of gauges.values()) gauge.reset();
      const values = await read().catch(() => null);
      for (const [name, gauge] of gauges) {
        const value: GaugeValue = values === null ? null : values[name];
        const { label } = table[name];
        if (value === null) gauge.remove();
        else if (typeof value === 'number') gauge.set(value);
        else if (label !== undefined) for (const [of, one] of value) gauge.set({ [label]: word(of) }, one);
      }
    });
  }

  /** The media type of `text`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything in the Prometheus text format. */
  async text(): Promise<string> {
    await Promise.all(this.#sources.map((update) => update()));
    return this.#registry.metrics();
  }
}

/** `per`: whether all owners share the quota, or each holder has one. */
interface QuotaValues {
  readonly per: 'service' | 'holder';
  readonly left: number;
  readonly waitSeconds: number;
}

/** One value, or one for each value of a label; null if there is none. */
type GaugeValue = number | ReadonlyMap<string, number> | null;

const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, string>();

/** Remembered, because the same few are counted at each request. */
function word(label: string): string {
  const known = remembered.get(label);
  if (known !== undefined) return known;
  const checked = LABEL.test(label) && !DIGITS.test(label) ? label : 'other';
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(label, checked);
  return checked;
}
