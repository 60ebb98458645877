import { now } from '../format/clock.ts';
import { isObject } from './json.ts';

/** Longer than this, all waits of a request together, and the refusal is shown as a failure, with the service's message. */
const MOST_WAIT_MS = 120_000;
/** A shorter wait is over before it can be read. */
const SHOWN_MS = 2_000;
/** Requests that were refused together do not return together. */
const SPREAD_MS = 400;
/** Refusals of the service itself, before anything is done: the same request may be sent again, also one that writes. */
const NOTHING_DONE: ReadonlySet<unknown> = new Set([
  'rate_limit_exceeded',
  'too_many_concurrent_requests',
  'too_many_auth_attempts',
]);
/** While it cannot be opened, events are polled. */
const STREAM = '/v2/events/stream';

const ends = new Map<object, number>();
const watchers = new Set<() => void>();
let shown: number | null = null;

/**
 * Until when requests wait because the service had too many, in epoch milliseconds; null if none waits. In the form
 * `useSyncExternalStore` takes.
 */
export const heldRequests = {
  read: () => shown,
  watch: (watcher: () => void) => {
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  },
};

/** Shows that something waits for so many milliseconds. Returns what ends that sooner. */
export function showWait(ms: number): () => void {
  if (ms < SHOWN_MS) return () => undefined;
  const wait = {};
  ends.set(wait, now() + ms);
  tell();
  const end = () => {
    clearTimeout(timer);
    if (ends.delete(wait)) tell();
  };
  const timer = setTimeout(end, ms);
  return end;
}

function tell(): void {
  const latest = ends.size === 0 ? null : Math.max(...ends.values());
  if (latest === shown) return;
  shown = latest;
  for (const watcher of watchers) watcher();
}

/**
 * What `send` is answered. While the service refuses it because of too many requests, it is sent again after the time
 * the service names: the page keeps what it shows meanwhile, and goes on. Rejects with the reason of `signal`.
 */
export async function sentUntilTaken(
  address: string,
  send: () => Promise<Response>,
  signal: AbortSignal | null = null,
): Promise<Response> {
  for (let waited = 0; ; ) {
    const response = await send();
    const wait = address.includes(STREAM) ? null : await waitNamedBy(response);
    if (wait === null || waited + wait > MOST_WAIT_MS) return response;
    await pause(wait, signal);
    waited += wait;
  }
}

/** Milliseconds; null for a response that is no such refusal. */
async function waitNamedBy(response: Response): Promise<number | null> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (response.status !== 429 || !(seconds >= 0)) return null;
  const refusal: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const code = isObject(refusal) && isObject(refusal.error) ? refusal.error.code : null;
  return NOTHING_DONE.has(code) ? seconds * 1000 + Math.random() * SPREAD_MS : null;
}

async function pause(ms: number, signal: AbortSignal | null): Promise<void> {
  signal?.throwIfAborted();
  const end = showWait(ms);
  const left = Promise.withResolvers<void>();
  const leave = () => left.reject(signal?.reason);
  signal?.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(left.resolve, ms);
  try {
    await left.promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    end();
  }
}
