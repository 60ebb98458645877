import { currentRequestId, currentSpan, withOrigin, withRequestId } from './request-origin.ts';
import type { Span, SpanAttributes, SpanIds, SpanKind, SpanSettings } from './span.ts';

/**
 * How the first span of this process for some work relates to a request: it is the request; or it is part of the
 * request's trace, as work that a request queued and that begins at once; or it has a trace of its own with a link to
 * the request, as work that begins later, or again.
 */
export type RootPlace = 'request' | 'part' | 'later';

/** The first span of this process for some work. */
export interface RootSpan extends SpanSettings {
  readonly name: string;
  readonly kind: SpanKind;
  /** The request that it is, or that queued it; null for what the service does automatically. */
  readonly requestId: string | null;
  readonly place: RootPlace;
  /** What a caller says its request is part of: linked and not believed, since anyone can send it. */
  readonly caller?: SpanIds | null;
  /** Work that is repeated every few seconds and mostly finds nothing: recorded if it fails, is slow or has parts. */
  readonly routine?: boolean;
}

/** Where traces begin. All other spans begin as parts of the current one, by `inSpan`. */
export interface Tracing {
  /** Null if traces are off, or if this one is not sampled. */
  root(span: RootSpan): Span | null;
}

/** Traces that are off. */
export const NO_TRACING: Tracing = { root: () => null };

/** Tracing that was opened and sends to a collector. */
export interface OpenTracing extends Tracing {
  /** Sends what is waiting, within two seconds; what is left is dropped. */
  close(): Promise<void>;
}

/** What was queued by a request is part of its trace if it begins within this time. */
const FOLLOWS_MS = 300_000;

/** How a queued piece of work relates to the request that queued it. @param waitedMs since it was queued */
export function placeOf(attempt: number, waitedMs: number): RootPlace {
  return attempt === 1 && waitedMs <= FOLLOWS_MS ? 'part' : 'later';
}

/** Does work on behalf of its request, with a span of its own if there are traces. Raises what the work raises. */
export function inRoot<T>(
  tracing: Tracing,
  root: RootSpan,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const { requestId } = root;
  const span = tracing.root(root);
  if (span === null) return withRequestId(requestId, () => work(null));
  return withOrigin({ requestId, span }, () => ended(span, work));
}

/** Does work as a part of the current span; without one, only does the work. Raises what the work raises. */
export function inSpan<T>(
  name: string,
  settings: SpanSettings,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = currentSpan()?.child(name, settings) ?? null;
  if (span === null) return work(null);
  return withOrigin({ requestId: currentRequestId(), span }, () => ended(span, work));
}

async function ended<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    span.fail(failureType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** What kind of failure an error is, without its message, which may name anything. */
export function failureType(error: unknown): string {
  if (!(error instanceof Error)) return 'other';
  for (const member of ['code', 'kind', 'situation'] as const) {
    const type: unknown = Reflect.get(error, member);
    if (typeof type === 'string') return type;
  }
  return error.name;
}

/** The attributes of a job of a queue, by the conventions for messaging. */
export function queueAttributes(queue: string): SpanAttributes {
  return {
    'messaging.system': 'tributary',
    'messaging.operation.type': 'process',
    'messaging.destination.name': queue,
  };
}
