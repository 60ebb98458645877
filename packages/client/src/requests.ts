import { ApiError, mayPass, TributaryError, UnreachableError } from './errors.ts';
import { RELEASE } from './generated/error-codes.ts';
import { refuse, textOf } from './responses.ts';

/** One request to v2. */
export interface Exchange {
  readonly method: string;
  /** With its query; it begins with `/v2/`. */
  readonly path: string;
  /** JSON. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly retries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Answer<T> {
  readonly body: T;
  readonly headers: Headers;
}

/** Settings of a client. */
export interface ClientOptions {
  /** Where the service is, for example `https://bank.example.org`. */
  readonly url: string;
  /** `trib_live_…`, or the access token of an app; absent if a cookie signs in, as in the web application. */
  readonly apiKey?: string | undefined;
  /** Longest wait for an answer to begin, and for a JSON answer to end. 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one, of requests that may succeed a moment later. 3. */
  readonly retries?: number | undefined;
  /** Longest wait before another attempt; a request that is asked to wait longer fails at once. 60,000. */
  readonly longestWaitMs?: number | undefined;
  /** Sent with every request. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

const TIMEOUT_MS = 60_000;
const RETRIES = 3;
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
/** Unless the service asks for a longer one: it may be back at any moment. */
const LONGEST_BACKOFF_MS = 30_000;
const KEY_BYTES = 16;

/** Sends requests to v2, tries them again where that helps, and raises what the service refused. */
export class Requests {
  readonly #options: ClientOptions;
  readonly #base: string;

  constructor(options: ClientOptions) {
    const { protocol, username, password } = new URL(options.url);
    if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('url is an http or https address');
    if (username !== '' || password !== '') throw new TypeError('url has no user; pass apiKey instead');
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, '');
  }

  /** A JSON answer with its headers. Raises ApiError and UnreachableError. */
  async answer<T>(exchange: Exchange): Promise<Answer<T>> {
    return this.#again(exchange, (attempt) =>
      this.#once(attempt, async (response) => {
        await refuse(response);
        // The types of answers are those of the operation table, which the service itself is tested against.
        return { body: JSON.parse(await textOf(response)), headers: response.headers };
      }),
    );
  }

  /** The response once it has begun, its body unread. Raises ApiError and UnreachableError. */
  async response(exchange: Exchange): Promise<Response> {
    return this.#again(exchange, (attempt) =>
      this.#once(attempt, async (response) => {
        await refuse(response);
        return response;
      }),
    );
  }

  /** The response to one attempt, whatever its status. Raises UnreachableError. */
  async attempt(exchange: Exchange): Promise<Response> {
    return this.#once(exchange, async (response) => response);
  }

  /** One attempt, and what `read` makes of its response within the same deadline. */
  async #once<T>(exchange: Exchange, read: (response: Response) => Promise<T>): Promise<T> {
    const { method, path, body, idempotencyKey, signal } = exchange;
    const { apiKey, headers, fetch: send = fetch } = this.#options;
    const timeoutMs = exchange.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const response = await send(`${this.#base}${path}`, {
        method,
        credentials: 'same-origin',
        // A key is for one origin, and the service redirects no call of its API.
        redirect: 'manual',
        headers: {
          accept: 'application/json, */*;q=0.5',
          'service-version': RELEASE,
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers?.(),
          ...exchange.headers,
        },
        ...(body !== undefined && { body }),
        signal: signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]),
      });
      return await read(response);
    } catch (error) {
      if (error instanceof TributaryError || signal?.aborted === true) throw error;
      const why = deadline.signal.aborted ? `No answer within ${timeoutMs} ms` : 'The service is unreachable';
      throw new UnreachableError(`${why}: ${method} ${path.split('?')[0]}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async #again<T>(exchange: Exchange, attempt: (exchange: Exchange) => Promise<T>): Promise<T> {
    const { retries = RETRIES, longestWaitMs = LONGEST_WAIT_MS } = this.#options;
    const most = exchange.retries ?? retries;
    // A write is done once, however many attempts it takes.
    const idempotencyKey = exchange.method === 'GET' ? undefined : (exchange.idempotencyKey ?? randomKey());
    for (let failures = 0; ; failures++) {
      try {
        return await attempt({ ...exchange, idempotencyKey });
      } catch (error) {
        const wait = waitBefore(error, failures);
        if (failures >= most || wait === null || wait > longestWaitMs) throw error;
        await pause(wait, exchange.signal);
      }
    }
  }
}

/** Milliseconds to wait before the next attempt; null if another one is of no use. */
function waitBefore(error: unknown, failures: number): number | null {
  if (!mayPass(error)) return null;
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_BACKOFF_MS) * (0.5 + Math.random() / 2);
  const asked = error instanceof ApiError ? error.retryAfterMs : null;
  return asked === null ? backoff : Math.max(asked, backoff);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** `randomUUID` is missing in browsers on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
