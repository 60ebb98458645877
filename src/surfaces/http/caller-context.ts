import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../features/access/authentication.ts';
import type { Caller } from '../../features/access/caller.ts';
import type { Admissible, AdmissionRequest, Admit, Release } from '../../operations/admit.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { asServiceError } from './service-errors.ts';

/** How a surface lets requests in, besides what every surface has in common. */
export interface Admittance {
  readonly operation: Admissible;
  /** Before anything is asked; sets headers that also belong on refusals. */
  readonly arrive?: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Raises what keeps this caller from asking in this way, before the request is counted. */
  readonly check?: (request: FastifyRequest, caller: Caller) => void;
  /** As in AdmissionRequest. */
  readonly versionOf?: (request: FastifyRequest) => AdmissionRequest['version'];
  readonly countedAs?: (caller: Caller) => string;
}

/** Gives requests of this server the member that holds their caller. */
export function decorateWithCaller(server: FastifyInstance): void {
  server.decorateRequest('caller', null);
}

/** Who was let in. Raises a TypeError before that. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new TypeError('a request reached its handler without a caller');
  return request.caller;
}

/** Lets a request on once its caller is known and admitted; without a promise where nothing waits. */
export function admitting(
  { operation, arrive, check, versionOf, countedAs }: Admittance,
  admit: Admit,
  authentication: Authentication,
): (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void {
  const admitCaller = (
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): void | Promise<void> => {
    request.caller = caller;
    check?.(request, caller);
    const release = admit({
      operation,
      caller,
      version: versionOf === undefined ? null : versionOf(request),
      ...(countedAs !== undefined && { countedAs: countedAs(caller) }),
      header: (name, value) => void reply.header(name, value),
    });
    if (release instanceof Promise) return release.then((held) => releaseAfter(reply, held));
    releaseAfter(reply, release);
  };
  return (request, reply, done) => {
    reply.header('request-id', request.id);
    arrive?.(request, reply);
    try {
      // Before everything else, because nothing may be revealed to a stranger.
      const caller = authentication.authenticate(request.headers, request.ip);
      const admitted =
        caller instanceof Promise
          ? caller.then((found) => admitCaller(request, reply, found))
          : admitCaller(request, reply, caller);
      if (admitted === undefined) done();
      else admitted.then(() => done(), done);
    } catch (error) {
      done(asServiceError(error));
    }
  };
}

/** Aborts when the caller hangs up before the answer is out; at once when that has happened already. */
export function abandoned(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.closed && !reply.raw.writableFinished) controller.abort();
  else
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) controller.abort();
    });
  return controller.signal;
}

/** Releases when the answer closes: when it is out, and when its connection breaks. */
export function releaseAfter(reply: FastifyReply, release: Release | null): void {
  if (release === null) return;
  if (reply.raw.closed) release();
  else reply.raw.once('close', release);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that a surface has authenticated; null before that. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Id of the route's operation, for metrics and the log. */
    operation?: string;
  }
}

/** Smaller answers are not worth counting: as many of them as the rate limits allow are less than one large one. */
const LARGE = 65_536;
const RETRY_SECONDS = 1;

/**
 * What is on its way to each account record and waits in this process until its callers have read it. Callers who ask
 * for large answers and do not read them would fill the memory that everyone shares.
 */
export class AnswerWeights {
  readonly #most: number;
  readonly #waiting = new Map<OwnerId, number>();

  /** @param most characters for one account record; a single answer may be larger */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts an answer until it is out or its connection breaks. Raises `rate_limit_exceeded` where it is too much. */
  hold(owner: OwnerId, text: string, reply: FastifyReply): void {
    if (text.length < LARGE) return;
    const waiting = this.#waiting.get(owner) ?? 0;
    if (waiting > 0 && waiting + text.length > this.#most) {
      throw new ServiceError('rate_limit_exceeded', {
        message: 'Answers to earlier requests of this account are still being sent; read them first.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    if (reply.raw.closed) return;
    this.#waiting.set(owner, waiting + text.length);
    reply.raw.once('close', () => this.#free(owner, text.length));
  }

  #free(owner: OwnerId, weight: number): void {
    const left = (this.#waiting.get(owner) ?? 0) - weight;
    if (left > 0) this.#waiting.set(owner, left);
    else this.#waiting.delete(owner);
  }
}
