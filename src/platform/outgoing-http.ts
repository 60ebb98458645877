import { Agent, type Dispatcher, errors } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { defaultLookup, guardedConnect, type Lookup } from './guarded-connect.ts';
import { failureFrom, failureOf, OutgoingFailure } from './outgoing-failure.ts';
import { OutgoingResponse, type ResponseHeaders } from './outgoing-response.ts';
import { currentResends, currentSpan } from './request-origin.ts';
import type { SpanAttributes } from './span.ts';
import { inSpan } from './tracing.ts';

/** An agent unused for this long has no socket worth keeping. */
const IDLE_MS = 60_000;

interface Held {
  readonly agent: Agent;
  busy: number;
  usedAt: number;
  /** Called when no call is in flight any more; null until the agent is to be closed. */
  onIdle: (() => void) | null;
}

/**
 * An agent for each owner, so that no owner waits for the sockets or names of another. Unused ones are closed, so there
 * are as many as there were owners in the last minute.
 */
export class AgentsByOwner {
  readonly #make: (owner: string) => Agent;
  readonly #idleMs: number;
  readonly #held = new Map<string, Held>();
  #sweptAt = performance.now();
  #isClosing = false;

  constructor(make: (owner: string) => Agent, idleMs: number = IDLE_MS) {
    this.#make = make;
    this.#idleMs = idleMs;
  }

  /** How many there are. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * The agent of an owner; `done` is to be called once when its call has ended.
   * @throws ClientClosedError after `close`
   */
  use(owner: string): { readonly agent: Agent; readonly done: () => void } {
    if (this.#isClosing) throw new errors.ClientClosedError();
    this.#sweep();
    const held = this.#held.get(owner) ?? { agent: this.#make(owner), busy: 0, usedAt: 0, onIdle: null };
    this.#held.set(owner, held);
    held.busy += 1;
    return {
      agent: held.agent,
      done: () => {
        held.busy -= 1;
        held.usedAt = performance.now();
        if (held.busy === 0) held.onIdle?.();
      },
    };
  }

  /**
   * Waits for the calls in flight and closes all sockets. Agents are destroyed, because `close` of undici waits for the
   * connection that an aborted call was waiting for, until it is made or connecting fails.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(
      [...this.#held.values()].map(async (held) => {
        if (held.busy > 0)
          await new Promise<void>((resolve) => {
            held.onIdle = resolve;
          });
        await held.agent.destroy();
      }),
    );
    this.#held.clear();
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAt < this.#idleMs) return;
    this.#sweptAt = now;
    for (const [owner, { agent, busy, usedAt }] of this.#held) {
      if (busy > 0 || now - usedAt < this.#idleMs) continue;
      this.#held.delete(owner);
      agent.destroy().catch(() => undefined);
    }
  }
}

/** One call to the outside. */
export type OutgoingRequest = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
  /** For the whole call, from here to the last byte of the answer. Default 30 s. */
  readonly deadlineMs?: number;
  /** From the request to the end of the answer's headers. Default 15 s, or `deadlineMs` when that is given. */
  readonly headersDeadlineMs?: number;
  /** Default 8 MiB; with `discard` 64 KiB. */
  readonly maxResponseBytes?: number;
  /** For an answer with a status of 400 or more, which is cut off there instead of refused. Default: as for others. */
  readonly maxErrorBytes?: number;
  /** `json` and `text` set `accept`; `discard` reads up to the cap and ignores the rest. */
  readonly expect?: 'json' | 'text' | 'discard';
  /** Whose call it is, for an address that a user gave: it counts towards that owner's share of sockets and lookups. */
  readonly owner?: string;
  /** The operator chose this address: skip the guard, if the origin is one of `trustedOrigins`. */
  readonly trusted?: boolean;
};

/** What an OutgoingHttp is built from. */
export type OutgoingHttpOptions = {
  readonly guard: AddressGuard;
  /** Origins of the vendors' base URLs in the operator's configuration, such as `https://api.example.com`. */
  readonly trustedOrigins?: readonly string[];
  /** Default 5 s. */
  readonly connectMs?: number;
  /** Sockets per origin. Default 32. */
  readonly connectionsPerOrigin?: number;
  readonly lookup?: Lookup;
  /** Resolves the names of calls that are not trusted; default: as for others. */
  readonly names?: { lookupFor(owner: string): Lookup };
};

const DEFAULT_DEADLINE_MS = 30_000;
const DEFAULT_HEADERS_MS = 15_000;
const DEFAULT_CONNECT_MS = 5_000;
const DEFAULT_CONNECTIONS = 32;
const DEFAULT_RESPONSE_BYTES = 8 * 1024 * 1024;
const DISCARD_RESPONSE_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE_MAX_MS = 60_000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };
const ACCEPT = { json: 'application/json', text: 'text/*', discard: '*/*' } as const;

/**
 * The only way out to the network. No redirects, cookies, compression or proxy from the environment: each would send
 * the request to a place, or turn the answer into something, that was not checked here. Sockets are kept alive per
 * origin, separately for trusted calls and for each owner of the others.
 */
export class OutgoingHttp {
  readonly #guarded: AgentsByOwner;
  readonly #direct: AgentsByOwner;
  readonly #trustedOrigins: ReadonlySet<string>;

  constructor(options: OutgoingHttpOptions) {
    const connectMs = options.connectMs ?? DEFAULT_CONNECT_MS;
    const shared = {
      connections: options.connectionsPerOrigin ?? DEFAULT_CONNECTIONS,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    };
    const lookup = options.lookup ?? defaultLookup;
    const { guard, names } = options;
    this.#guarded = new AgentsByOwner((owner) => {
      const connect = guardedConnect(guard, { connectMs, lookup: names?.lookupFor(owner) ?? lookup });
      return new Agent({ ...shared, connect });
    });
    const direct = { ...shared, connect: { timeout: connectMs, lookup } };
    this.#direct = new AgentsByOwner(() => new Agent(direct), Number.POSITIVE_INFINITY);
    this.#trustedOrigins = new Set((options.trustedOrigins ?? []).map((text) => new URL(text).origin));
  }

  /**
   * Sends the request once and reads the whole answer. An answer of any status is a success here.
   * @throws OutgoingFailure
   */
  async request(request: OutgoingRequest): Promise<OutgoingResponse> {
    const url = urlOf(request.url);
    if (request.signal?.aborted) throw failureOf('aborted', url.origin, false);
    const isTrusted = request.trusted === true && this.#trustedOrigins.has(url.origin);
    if (currentSpan() === null) return this.#sent(url, request, isTrusted);
    const attributes = attributesOf(url, request, isTrusted);
    return inSpan(request.method, { kind: 'client', attributes }, async (span) => {
      const response = await this.#sent(url, request, isTrusted);
      span?.set('http.response.status_code', response.status);
      if (response.status >= 400) span?.fail(String(response.status));
      return response;
    });
  }

  async #sent(url: URL, request: OutgoingRequest, isTrusted: boolean): Promise<OutgoingResponse> {
    const { agent, done } = this.#agentFor(url, request, isTrusted);
    try {
      return await send(agent, url, request);
    } finally {
      done();
    }
  }

  #agentFor({ origin }: URL, { owner = '' }: OutgoingRequest, isTrusted: boolean) {
    try {
      return isTrusted ? this.#direct.use('') : this.#guarded.use(owner);
    } catch (error) {
      throw failureFrom(error, origin, false);
    }
  }

  /** Waits for the calls in flight, each of which has a deadline, and closes all sockets. */
  async close(): Promise<void> {
    await Promise.all([this.#guarded.close(), this.#direct.close()]);
  }
}

/** Without the address that a user gave, whose name may be a secret, and without any path or query. */
function attributesOf(url: URL, { method }: OutgoingRequest, isTrusted: boolean): SpanAttributes {
  const resends = currentResends();
  return {
    'http.request.method': method,
    ...(isTrusted && {
      'server.address': url.hostname,
      'server.port': Number(url.port === '' ? DEFAULT_PORTS[url.protocol] : url.port),
    }),
    ...(resends > 0 && { 'http.request.resend_count': resends }),
  };
}

function send(agent: Agent, url: URL, request: OutgoingRequest): Promise<OutgoingResponse> {
  return new Promise((resolve, reject) => {
    const { origin } = url;
    const deadlineMs = request.deadlineMs ?? DEFAULT_DEADLINE_MS;
    const discard = request.expect === 'discard';
    const exchange = new Exchange({
      origin,
      deadlineMs,
      discard,
      maxBytes: request.maxResponseBytes ?? (discard ? DISCARD_RESPONSE_BYTES : DEFAULT_RESPONSE_BYTES),
      maxErrorBytes: request.maxErrorBytes,
      signal: request.signal,
      resolve,
      reject,
    });
    try {
      const call: Dispatcher.DispatchOptions = {
        origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: { accept: ACCEPT[request.expect ?? 'json'], ...request.headers },
        body: request.body ?? null,
        headersTimeout: request.headersDeadlineMs ?? request.deadlineMs ?? DEFAULT_HEADERS_MS,
        bodyTimeout: deadlineMs,
      };
      agent.dispatch(call, exchange);
    } catch (error) {
      exchange.fail(failureFrom(error, origin, false));
    }
  });
}

function urlOf(given: string | URL): URL {
  const url = given instanceof URL ? given : URL.parse(given);
  if (url === null) throw new OutgoingFailure('protocol', 'The address to call is not a URL.', false);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutgoingFailure('refused_address', 'Only https and http addresses can be called.', false);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutgoingFailure(
      'refused_address',
      'The address to call must not contain a user name or password.',
      false,
    );
  }
  return url;
}

type ExchangeOptions = {
  readonly origin: string;
  readonly deadlineMs: number;
  readonly discard: boolean;
  readonly maxBytes: number;
  readonly maxErrorBytes: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (response: OutgoingResponse) => void;
  readonly reject: (failure: OutgoingFailure) => void;
};

/**
 * One request and its answer, as undici's dispatch handler: chunks are collected as they arrive, without the stream
 * that undici's own `request` builds for each call. Settles exactly once, at the deadline at the latest, even if the
 * request is still waiting for a socket; it is then never sent.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort: () => void;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #status = 0;
  #headers: ResponseHeaders = {};
  #chunks: Buffer[] = [];
  #bytes = 0;
  #maxBytes: number;
  /** Whether what exceeds the cap is dropped rather than a failure. */
  #cut: boolean;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes;
    this.#cut = options.discard;
    this.#onAbort = () => this.#failAs('aborted');
    this.#timer = setTimeout(() => this.#failAs('timeout'), options.deadlineMs);
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Undici is about to write the request: from now on the peer may have seen it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(failureOf('aborted', this.#options.origin, false));
  }

  onRequestUpgrade(): void {
    this.#failAs('protocol');
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity' && !this.#options.discard) {
      const message = `${this.#options.origin} sent a compressed answer, which was not requested.`;
      this.fail(new OutgoingFailure('protocol', message, true));
      return;
    }
    const { maxErrorBytes } = this.#options;
    if (status >= 400 && maxErrorBytes !== undefined) {
      this.#maxBytes = maxErrorBytes;
      this.#cut = true;
    }
    if (!this.#cut && Number(headers['content-length']) > this.#maxBytes) this.#failAs('too_large');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    const room = this.#maxBytes - this.#bytes;
    if (chunk.length <= room) {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
    } else if (this.#cut) {
      this.#chunks.push(chunk.subarray(0, room));
      this.#bytes += room;
      this.#succeed();
      this.#stop();
    } else {
      this.#failAs('too_large');
    }
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(failureFrom(error, this.#options.origin, this.#controller !== null));
  }

  /** Ends the call with a failure, unless it has ended. */
  fail(failure: OutgoingFailure): void {
    if (!this.#settle()) return;
    this.#chunks = [];
    this.#options.reject(failure);
    this.#stop();
  }

  #failAs(kind: OutgoingFailure['kind']): void {
    this.fail(failureOf(kind, this.#options.origin, this.#controller !== null));
  }

  #succeed(): void {
    if (!this.#settle()) return;
    const [first] = this.#chunks;
    const body =
      first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.#options.resolve(new OutgoingResponse(this.#options.origin, this.#status, this.#headers, body));
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }

  /** Drops the socket: the rest of the answer is not needed. */
  #stop(): void {
    if (this.#controller !== null && !this.#controller.aborted) {
      this.#controller.abort(failureOf('aborted', this.#options.origin, true));
    }
  }
}
