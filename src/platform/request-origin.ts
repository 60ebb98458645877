import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './span.ts';

/** On whose behalf something is done. */
export interface Origin {
  readonly requestId: string | null;
  /** The part of a trace that it belongs to; null if none is recorded. */
  readonly span: Span | null;
  /** How often the call that is made now was sent before. */
  readonly resends?: number;
}

const current = new AsyncLocalStorage<Origin>();

/**
 * Does work on behalf of a request: what it logs has the request's id, and so has what a run or a job logs that it
 * queues. Null for work on behalf of none, such as what a notice woke up in the middle of a request. The work is part
 * of no span.
 */
export function withRequestId<T>(id: string | null, work: () => T): T {
  return current.run({ requestId: id, span: null }, work);
}

/** The same, as part of a span. */
export function withOrigin<T>(origin: Origin, work: () => T): T {
  return current.run(origin, work);
}

/** Does another attempt at a call, which was sent that often before. */
export function withResends<T>(resends: number, work: () => T): T {
  const origin = current.getStore();
  return origin === undefined || origin.span === null ? work() : current.run({ ...origin, resends }, work);
}

/** The id of the request on whose behalf something is done; null if there is none. */
export function currentRequestId(): string | null {
  return current.getStore()?.requestId ?? null;
}

/** The span that what is done now is part of; null if none is recorded. */
export function currentSpan(): Span | null {
  return current.getStore()?.span ?? null;
}

/** How often the call that is made now was sent before. */
export function currentResends(): number {
  return current.getStore()?.resends ?? 0;
}
