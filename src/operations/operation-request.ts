import type { Caller } from '../features/access/caller.ts';
import type { Origin } from '../features/audit/audit-log.ts';
import type { Naming } from './parameters.ts';
import type { Services } from './services.ts';

/**
 * `reads`: changes nothing; an Idempotency-Key is ignored and the answer is never stored, since it may hold financial
 * data. `commits`: writes to our database only; with a key, the work and the stored answer are one transaction.
 * `reaches_out`: also acts at a provider or destination, so no transaction is held open meanwhile; with a key, the
 * attempt holds a lease, and work that was begun and not answered can be repeated without harm.
 */
export type Effect = 'reads' | 'commits' | 'reaches_out';

/** The context of a request; each surface creates one for each request. */
export interface RequestContext {
  readonly caller: Caller;
  readonly services: Services;
  /** The origin of the request, for the audit log; null if the service acts on someone's behalf. */
  readonly from: Origin | null;
  /** As the caller sent it; ignored if the operation only reads. */
  readonly idempotencyKey: string | undefined;
  /** How errors name parameters of the query: as a query string does, or, without it, as members of JSON. */
  readonly queryNaming?: Extract<Naming, 'query_string'>;
  /** The event after which a live stream continues, as the caller sent it. */
  readonly lastEventId?: string | undefined;
  /** How long the answer should be at most, as JSON; for operations that can answer with less. */
  readonly mostCharacters?: number;
  /** Sets a response header, for example `X-Service-Truncated`. */
  readonly header: (name: string, value: string) => void;
  /** A signal that aborts when the caller disconnects. Requested only by operations that use it. */
  readonly signal: () => AbortSignal;
}

/** The parameters of a request. */
export interface Asked<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly include: ReadonlySet<string>;
}

/**
 * What a surface passes on and, once parsed by the operation's schemas, what a handler receives.
 *
 * A class and not an object literal with a getter: V8 gives each such literal a hidden class of its own, which holds
 * the getter and through it the whole request until the next full garbage collection. It halved the requests a second.
 */
export class OperationRequest<P, Q, B> implements Asked<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly include: ReadonlySet<string>;
  readonly #context: RequestContext;

  constructor({ params, query, body, include }: Asked<P, Q, B>, context: RequestContext) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.include = include;
    this.#context = context;
  }

  get caller(): Caller {
    return this.#context.caller;
  }

  get services(): Services {
    return this.#context.services;
  }

  get from(): Origin | null {
    return this.#context.from;
  }

  get idempotencyKey(): string | undefined {
    return this.#context.idempotencyKey;
  }

  get queryNaming(): Naming {
    return this.#context.queryNaming ?? 'json';
  }

  get lastEventId(): string | undefined {
    return this.#context.lastEventId;
  }

  get mostCharacters(): number | null {
    return this.#context.mostCharacters ?? null;
  }

  get header(): RequestContext['header'] {
    return this.#context.header;
  }

  /** Aborts when the caller disconnects. */
  get signal(): AbortSignal {
    return this.#context.signal();
  }

  /** The same request with parsed values. */
  parsed<P2, Q2, B2>(params: P2, query: Q2, body: B2): OperationRequest<P2, Q2, B2> {
    return new OperationRequest({ params, query, body, include: this.include }, this.#context);
  }

  /** The same request, with another receiver of headers. */
  withHeader(header: RequestContext['header']): OperationRequest<P, Q, B> {
    return new OperationRequest(this, { ...this.#context, header });
  }
}

/** A request as a surface passes it on. */
export type UnparsedRequest = OperationRequest<unknown, unknown, unknown>;

/** A response already serialised as JSON, for lists whose rows are cached in serialised form. */
export class JsonText {
  readonly text: string;
  #byteLength = -1;
  #bytes: Buffer | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** Of the text in UTF-8. */
  get byteLength(): number {
    if (this.#byteLength === -1) this.#byteLength = Buffer.byteLength(this.text);
    return this.#byteLength;
  }

  get isAscii(): boolean {
    return this.byteLength === this.text.length;
  }

  /** The text in UTF-8, encoded once. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}
