import { randomBytes, randomUUID } from 'node:crypto';
import { SOFTWARE_VERSION } from '../vocabulary/software-version.ts';
import { systemClock } from './clock.ts';
import type { EndedSpan } from './otlp-json.ts';
import {
  isAttributeValue,
  type Span,
  type SpanAttribute,
  type SpanIds,
  type SpanKind,
  type SpanSettings,
  traceOfRequest,
} from './span.ts';
import { TraceExporter, type TraceExporterOptions } from './trace-exporter.ts';
import type { OpenTracing, RootSpan } from './tracing.ts';

/** What one process may record of one trace: a sync of a million rows makes several calls for each page. */
const SPANS_PER_TRACE = 1_000;
/** Routine work that takes longer is worth a look. */
const SLOW_MS = 1_000;

/** What is common to the spans of a trace in this process. */
interface Trace {
  readonly traceId: string;
  /** What to add to the monotonic clock, which does not jump, to get the time of day at which the trace began. */
  readonly epoch: number;
  readonly handOn: (span: EndedSpan, owner: string) => void;
  readonly dropped: () => void;
  owner: string;
  spans: number;
  droppedSpans: number;
}

interface Beginning extends SpanSettings {
  readonly name: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly links?: readonly SpanIds[];
  readonly routine?: boolean;
}

/** A span in progress, and what the exporter sends of it afterwards. */
class RecordedSpan implements Span, EndedSpan {
  readonly #trace: Trace;
  readonly #routine: boolean;
  readonly #isRoot: boolean;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly links: readonly SpanIds[];
  readonly attributes = new Map<SpanAttribute, string | number>();
  readonly startedAt: number;
  endedAt = 0;
  failed = false;

  constructor(trace: Trace, isRoot: boolean, beginning: Beginning) {
    this.#trace = trace;
    this.#isRoot = isRoot;
    this.#routine = beginning.routine ?? false;
    this.spanId = beginning.spanId;
    this.parentId = beginning.parentId;
    this.name = beginning.name;
    this.kind = beginning.kind ?? 'internal';
    this.links = beginning.links ?? [];
    this.startedAt = trace.epoch + performance.now();
    const { attributes = {} } = beginning;
    for (const name in attributes) if (isKeyOf(attributes, name)) this.set(name, attributes[name]);
  }

  get traceId(): string {
    return this.#trace.traceId;
  }

  set(name: SpanAttribute, value: string | number | undefined): void {
    if (value !== undefined && this.endedAt === 0 && isAttributeValue(name, value))
      this.attributes.set(name, value);
  }

  ownedBy(owner: string): void {
    this.#trace.owner = owner;
    this.set('tributary.account_record', owner);
  }

  fail(type: string): void {
    if (this.endedAt !== 0) return;
    this.failed = true;
    this.set('error.type', isAttributeValue('error.type', type) ? type : 'other');
  }

  child(name: string, settings: SpanSettings): Span | null {
    const trace = this.#trace;
    if (trace.spans >= SPANS_PER_TRACE) {
      trace.droppedSpans += 1;
      trace.dropped();
      return null;
    }
    trace.spans += 1;
    return new RecordedSpan(trace, false, { ...settings, name, spanId: newSpanId(), parentId: this.spanId });
  }

  end(): void {
    if (this.endedAt !== 0) return;
    const trace = this.#trace;
    if (this.#isRoot && trace.droppedSpans > 0) this.set('tributary.dropped_spans', trace.droppedSpans);
    this.endedAt = trace.epoch + performance.now();
    if (this.#routine && !this.failed && trace.spans === 0 && this.endedAt - this.startedAt < SLOW_MS) return;
    trace.handOn(this, trace.owner);
  }
}

function isKeyOf<T extends object>(object: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(object, key);
}

const POOL_IDS = 512;
const ID_BYTES = 8;
let pool = '';
let used = POOL_IDS;

/** Random bytes are asked for many ids at a time: one at a time costs more than the rest of a span. */
function newSpanId(): string {
  if (used === POOL_IDS) {
    pool = randomBytes(POOL_IDS * ID_BYTES).toString('hex');
    used = 0;
  }
  const start = used * ID_BYTES * 2;
  used += 1;
  return pool.slice(start, start + ID_BYTES * 2);
}

const RATIO_DIGITS = 12;
const RATIO_RANGE = 16 ** RATIO_DIGITS;

/** The same for every process: by the last digits of the trace's id, which are random in both kinds of traces. */
export function isSampled(traceId: string, ratio: number): boolean {
  return ratio >= 1 || Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) < ratio * RATIO_RANGE;
}

/** What is recorded, and where it is sent. */
export interface TraceRecorderOptions extends Omit<TraceExporterOptions, 'resource'> {
  readonly serviceName: string;
  /** The share of traces that is recorded, from 0 to 1. */
  readonly ratio: number;
}

/**
 * Traces that are on (docs/self-hosting.md#traces). Loaded only then. Time is that of the machine and not of the
 * service's clock, which the sandbox moves: collectors compare it with that of other machines.
 */
export class TraceRecorder implements OpenTracing {
  readonly #ratio: number;
  readonly #exporter: TraceExporter;
  readonly #handOn: Trace['handOn'];
  readonly #dropped: Trace['dropped'];

  constructor({ serviceName, ratio, ...options }: TraceRecorderOptions) {
    const resource = { serviceName, version: SOFTWARE_VERSION, instance: randomUUID() };
    this.#ratio = ratio;
    const exporter = new TraceExporter({ ...options, resource });
    this.#exporter = exporter;
    this.#handOn = (span, owner) => exporter.take(span, owner);
    this.#dropped = () => options.metrics.traceSpans('trace_full', 1);
  }

  root({ requestId, place, caller, ...root }: RootSpan): Span | null {
    const request = requestId === null ? null : traceOfRequest(requestId);
    // One decision for a request and all that it queued, in every process, without storing it.
    const own = request === null ? { traceId: newSpanId() + newSpanId(), spanId: newSpanId() } : request;
    if (!isSampled(own.traceId, this.#ratio)) return null;
    const begin = (traceId: string, beginning: Omit<Beginning, 'name'>): Span =>
      new RecordedSpan(this.#trace(traceId), true, { ...root, ...beginning });
    if (request === null) return begin(own.traceId, { spanId: own.spanId, parentId: null });
    const links = caller === undefined || caller === null ? [] : [caller];
    if (place === 'request') return begin(own.traceId, { spanId: own.spanId, parentId: null, links });
    if (place === 'part') return begin(own.traceId, { spanId: newSpanId(), parentId: request.spanId });
    return begin(newSpanId() + newSpanId(), { spanId: newSpanId(), parentId: null, links: [request] });
  }

  close(): Promise<void> {
    return this.#exporter.close();
  }

  #trace(traceId: string): Trace {
    return {
      traceId,
      epoch: systemClock.now() - performance.now(),
      handOn: this.#handOn,
      dropped: this.#dropped,
      owner: '',
      spans: 0,
      droppedSpans: 0,
    };
  }
}
