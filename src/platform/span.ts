/** The kinds of spans, with their numbers in OTLP. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;

/** What a span is about: work of this process, a request to it or from it, or a job that was queued for it. */
export type SpanKind = keyof typeof SPAN_KINDS;

/** A word of our own tables: no digits in a row, so that neither an amount nor an account number fits. */
const WORD = /^(?!.*\d{4})[A-Za-z_][\w ./:-]{0,79}$/;
/** Public ids, which the log has as well, and ids of requests. */
const ID = /^[a-z]{2,8}_[A-Za-z0-9]{1,40}$/;
const STATUS = /^[1-5]\d\d$/;
/** The template of a route, in which each id is a name. */
const ROUTE = /^\/(?!.*\d{4})[\w./:*-]{0,199}$/;
const HOST = /^[A-Za-z0-9.:-]{1,253}$/;
const NUMBER = 'number';

/**
 * Every attribute of spans, with the form of its values: by the semantic conventions of OpenTelemetry where they have a
 * name for it. A value of another form is left out, so that no mistake of a caller makes data leave the service.
 */
const SPAN_ATTRIBUTES = {
  'http.request.method': WORD,
  'http.route': ROUTE,
  'http.response.status_code': NUMBER,
  'http.request.resend_count': NUMBER,
  'server.address': HOST,
  'server.port': NUMBER,
  'error.type': new RegExp(`${WORD.source}|${STATUS.source}`),
  'mcp.method.name': WORD,
  'gen_ai.tool.name': WORD,
  'messaging.system': WORD,
  'messaging.operation.type': WORD,
  'messaging.destination.name': WORD,
  'tributary.request_id': ID,
  'tributary.operation': WORD,
  'tributary.account_record': ID,
  'tributary.provider': WORD,
  'tributary.capability': WORD,
  'tributary.account': ID,
  'tributary.sync': ID,
  'tributary.run': ID,
  'tributary.trigger': WORD,
  'tributary.attempt': NUMBER,
  'tributary.destination_type': WORD,
  'tributary.rows': NUMBER,
  'tributary.event': ID,
  'tributary.event_destination': ID,
  'tributary.dropped_spans': NUMBER,
} as const satisfies Readonly<Record<string, RegExp | typeof NUMBER>>;

export type SpanAttribute = keyof typeof SPAN_ATTRIBUTES;

/** What is known about a span; what has no value is left out. */
export type SpanAttributes = Readonly<Partial<Record<SpanAttribute, string | number | undefined>>>;

/** Whether an attribute may have the value. */
export function isAttributeValue(name: SpanAttribute, value: string | number): boolean {
  const form = SPAN_ATTRIBUTES[name];
  return form === NUMBER
    ? typeof value === 'number' && Number.isSafeInteger(value)
    : typeof value === 'string' && form.test(value);
}

/** Which span it is: 32 and 16 hex digits (W3C Trace Context). */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** How a span begins. */
export interface SpanSettings {
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
}

/** Work under way that is recorded. There is none while traces are off, nor in a trace that was not sampled. */
export interface Span extends SpanIds {
  /** Overwrites the attribute; leaves it as it is if there is no value, or one of another form. */
  set(name: SpanAttribute, value: string | number | undefined): void;
  /** Whose share of the queue the trace uses from now on. @param owner the public id of an account record */
  ownedBy(owner: string): void;
  /** The work failed. @param type a word of ours, or a status, never a message */
  fail(type: string): void;
  /** A part of this work; null once the trace has as many spans as one may have. */
  child(name: string, settings: SpanSettings): Span | null;
  /** Hands the span on. Whatever is called afterwards changes nothing. */
  end(): void;
}

/** Digits before those of the request's id, so that operators recognise such a trace: `trib`. */
const TRACE_PREFIX = '74726962';
const REQUEST_ID = /^req_([0-9a-f]{24})$/;
const NO_SPAN = /^0+$/;

/**
 * The trace of a request and its first span, which both follow from the request's id: what was queued by the request
 * finds its trace by the id that its row has anyway (docs/decisions/0048-opentelemetry.md). Null for another form of id.
 */
export function traceOfRequest(requestId: string): SpanIds | null {
  const digits = REQUEST_ID.exec(requestId)?.[1];
  if (digits === undefined) return null;
  const spanId = digits.slice(0, 16);
  return NO_SPAN.test(spanId) ? null : { traceId: `${TRACE_PREFIX}${digits}`, spanId };
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

/** The span that a `traceparent` header names (W3C Trace Context, section 3.2); null for another form. */
export function parseTraceparent(header: unknown): SpanIds | null {
  if (typeof header !== 'string' || header.length > 200) return null;
  const [, traceId = '', spanId = ''] = TRACEPARENT.exec(header) ?? [];
  return NO_SPAN.test(traceId) || NO_SPAN.test(spanId) || traceId === '' ? null : { traceId, spanId };
}
