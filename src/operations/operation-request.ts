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

/** What comes with a request besides what it asks; each surface makes one for each request. */
export interface RequestContext {
  readonly caller: Caller;
  readonly services: Services;
  /** Where the request comes from, for the audit log; null if the service asks for someone. */
  readonly from: Origin | null;
  /** As the caller sent it; ignored where the operation only reads. */
  readonly idempotencyKey: string | undefined;
  /** How errors name parameters of the query: as a query string does, or, without it, as members of JSON. */
  readonly queryNaming?: Extract<Naming, 'query_string'>;
  /** The event behind which a live answer goes on, as the caller sent it. */
  readonly lastEventId?: string | undefined;
  /** Sets a response header, for example `X-Service-Truncated`. */
  readonly header: (name: string, value: string) => void;
  /** A signal that aborts when the caller goes away. Asked for only by operations that look whether they are there. */
  readonly signal: () => AbortSignal;
}

/** What a request asks. */
export interface Asked<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly include: ReadonlySet<string>;
}

/**
 * What a surface hands over, and, once the operation's schemas vouch for the values, what a handler is given.
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

  get header(): RequestContext['header'] {
    return this.#context.header;
  }

  /** Aborts when the caller goes away. */
  get signal(): AbortSignal {
    return this.#context.signal();
  }

  /** The same request with parsed values. */
  parsed<P2, Q2, B2>(params: P2, query: Q2, body: B2): OperationRequest<P2, Q2, B2> {
    return new OperationRequest({ params, query, body, include: this.include }, this.#context);
  }

  /** The same request, whose headers go elsewhere. */
  withHeader(header: RequestContext['header']): OperationRequest<P, Q, B> {
    return new OperationRequest(this, { ...this.#context, header });
  }
}

/** A request as a surface hands it over. */
export type UnparsedRequest = OperationRequest<unknown, unknown, unknown>;

/** A response already written as JSON, for lists whose rows are remembered in their written form. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
