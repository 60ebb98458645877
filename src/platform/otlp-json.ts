import { SPAN_KINDS, type SpanAttribute, type SpanIds, type SpanKind } from './span.ts';

/** A span that has ended. Moments are milliseconds since the Unix epoch, with a fraction. */
export interface EndedSpan extends SpanIds {
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: ReadonlyMap<SpanAttribute, string | number>;
  readonly links: readonly SpanIds[];
  readonly failed: boolean;
}

/** The process that the spans are of. */
export interface TraceResource {
  readonly serviceName: string;
  readonly version: string;
  /** Of this process, since it started. */
  readonly instance: string;
}

/** STATUS_CODE_ERROR; a span that did not fail has none. */
const FAILED = { code: 2 } as const;
/** Sampled (W3C Trace Context, level 1), and it is known that the parent is of this service. */
const SAMPLED = 0x101;

/** The body of an ExportTraceServiceRequest of OTLP 1 in JSON: ids in hex, and 64-bit numbers as decimal strings. */
export function otlpBody(
  { serviceName, version, instance }: TraceResource,
  spans: readonly EndedSpan[],
): string {
  const resource = [
    attribute('service.name', serviceName),
    attribute('service.version', version),
    attribute('service.instance.id', instance),
  ];
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: resource, droppedAttributesCount: 0 },
        scopeSpans: [{ scope: { name: 'tributary', version }, spans: spans.map(otlpSpan) }],
      },
    ],
  });
}

function otlpSpan(span: EndedSpan) {
  const { traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, links, failed } = span;
  return {
    traceId,
    spanId,
    ...(parentId !== null && { parentSpanId: parentId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: [...attributes].map(([key, value]) => attribute(key, value)),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: failed ? FAILED : { code: 0 },
    links: links.map((link) => ({ ...link, attributes: [], droppedAttributesCount: 0, flags: SAMPLED })),
    droppedLinksCount: 0,
    flags: SAMPLED,
  };
}

function attribute(key: string, value: string | number) {
  return { key, value: typeof value === 'number' ? { intValue: value } : { stringValue: value } };
}

/** In microseconds, which is what a double can tell apart today. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`;
}

/** How many spans a collector says it did not take (`partialSuccess`), of those that were sent. */
export function rejectedSpans(answer: Buffer, sent: number): number {
  const count = Number(/"rejectedSpans"\s*:\s*"?(\d{1,9})\b/.exec(answer.toString('latin1'))?.[1] ?? 0);
  return Math.min(count, sent);
}
