import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../features/access/authentication.ts';
import type { Caller } from '../../features/access/caller.ts';
import type { Admissible, AdmissionRequest, Admit, Release } from '../../operations/admit.ts';
import type { JsonText } from '../../operations/operation-request.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { asServiceError } from './service-errors.ts';

/** How a surface admits requests, in addition to what all surfaces do. */
export interface Admittance {
  readonly operation: Admissible;
  /** Called before any check; sets headers that refusals carry as well. */
  readonly arrive?: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Called before the request is counted. Raises if this caller may not send it. */
  readonly check?: (request: FastifyRequest, caller: Caller) => void;
  /** As in AdmissionRequest. */
  readonly versionOf?: (request: FastifyRequest) => AdmissionRequest['version'];
  readonly countedAs?: (caller: Caller) => string;
  /**
   * Called with a request that was admitted without waiting. Responds and returns true if the answer is known already.
   * `head`: the headers so far, names and values in turn. Such a surface sets none by `arrive`.
   */
  readonly answerAtOnce?: (request: FastifyRequest, reply: FastifyReply, head: readonly string[]) => boolean;
}

/** Adds the `caller` property to the requests of this server. */
export function decorateWithCaller(server: FastifyInstance): void {
  server.decorateRequest('caller', null);
}

/** The admitted caller. Raises a TypeError before admission. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new TypeError('a request reached its handler without a caller');
  return request.caller;
}

type SetHeader = AdmissionRequest['header'];
type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** A hook that continues a request once its caller is authenticated and admitted. It runs synchronously if it can. */
export function admitting(
  { operation, arrive, check, versionOf, countedAs, answerAtOnce }: Admittance,
  admit: Admit,
  authentication: Authentication,
): OnRequest {
  const admitCaller = (
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    header: SetHeader,
  ): void | Promise<void> => {
    request.caller = caller;
    check?.(request, caller);
    const release = admit({
      operation,
      caller,
      version: versionOf === undefined ? null : versionOf(request),
      countedAs: countedAs?.(caller),
      header,
    });
    if (release instanceof Promise) return release.then((held) => releaseAfter(reply, held));
    releaseAfter(reply, release);
  };
  const admitted = (
    request: FastifyRequest,
    reply: FastifyReply,
    header: SetHeader,
  ): void | Promise<void> => {
    // First, because nothing may be revealed to an unauthenticated caller.
    const caller = authentication.authenticate(request.headers, request.ip);
    return caller instanceof Promise
      ? caller.then((found) => admitCaller(request, reply, found, header))
      : admitCaller(request, reply, caller, header);
  };
  if (answerAtOnce !== undefined) return answering(admitted, answerAtOnce);
  return (request, reply, done) => {
    reply.header('request-id', request.id);
    arrive?.(request, reply);
    try {
      const waiting = admitted(request, reply, (name, value) => void reply.header(name, value));
      if (waiting === undefined) done();
      else waiting.then(() => done(), done);
    } catch (error) {
      done(asServiceError(error));
    }
  };
}

/** The same for requests that may be answered at once; the framework gets the headers only of those that are not. */
function answering(
  admitted: (request: FastifyRequest, reply: FastifyReply, header: SetHeader) => void | Promise<void>,
  answerAtOnce: NonNullable<Admittance['answerAtOnce']>,
): OnRequest {
  return (request, reply, done) => {
    const head = ['request-id', request.id];
    try {
      const waiting = admitted(request, reply, (name, value) => void head.push(name, value));
      if (waiting !== undefined) {
        const go = (error?: Error) => {
          setHeaders(reply, head);
          done(error);
        };
        waiting.then(() => go(), go);
        return;
      }
      if (answerAtOnce(request, reply, head)) return;
    } catch (error) {
      setHeaders(reply, head);
      done(asServiceError(error));
      return;
    }
    setHeaders(reply, head);
    done();
  };
}

function setHeaders(reply: FastifyReply, head: readonly string[]): void {
  for (let at = 0; at < head.length; at += 2) reply.header(head[at] ?? '', head[at + 1]);
}

/** From this size on, bytes are sent as they are: joined with the headers they would be copied for each response. */
const SENT_AS_BYTES = 4_096;

/**
 * Sends a whole response of JSON. Of the framework, only the hooks that follow a response run: putting its own steps
 * around an answer that is known already would cost more than all checks of the request.
 *
 * @param head the other headers, names and values in turn
 */
export function sendAtOnce(reply: FastifyReply, head: readonly string[], json: JsonText, type: string): void {
  const { raw } = reply.hijack();
  raw.writeHead(200, [...head, 'content-type', type, 'content-length', String(json.byteLength)]);
  if (json.byteLength >= SENT_AS_BYTES) raw.end(json.bytes);
  else raw.end(json.text, json.isAscii ? 'latin1' : 'utf8');
}

/** Aborts when the caller disconnects before the response is complete; immediately if that has already happened. */
export function abandoned(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.closed && !reply.raw.writableFinished) controller.abort();
  else
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) controller.abort();
    });
  return controller.signal;
}

/** Calls `release` when the response is complete or its connection breaks. */
export function releaseAfter(reply: FastifyReply, release: Release | null): void {
  if (release === null) return;
  if (reply.raw.closed) release();
  else reply.raw.once('close', release);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by a surface once it has authenticated the caller; null before that. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Id of the route's operation, for metrics and the log. */
    operation?: string;
  }
}

/** Smaller responses are not counted: all that the rate limits allow together need less memory than a large one. */
const LARGE = 65_536;
const RETRY_SECONDS = 1;

/**
 * The size of the responses to each account record that this process holds until its callers have read them. Callers
 * that request large responses without reading them could otherwise fill the memory that everyone shares.
 */
export class AnswerWeights {
  readonly #most: number;
  readonly #waiting = new Map<OwnerId, number>();

  /** @param most characters for one account record; a single answer may be larger */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a response until it is complete or its connection breaks. Raises `rate_limit_exceeded` above the limit. */
  hold(owner: OwnerId, characters: number, reply: FastifyReply): void {
    if (characters < LARGE) return;
    const waiting = this.#waiting.get(owner) ?? 0;
    if (waiting > 0 && waiting + characters > this.#most) {
      throw new ServiceError('rate_limit_exceeded', {
        message: 'Answers to earlier requests of this account are still being sent; read them first.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    if (reply.raw.closed) return;
    this.#waiting.set(owner, waiting + characters);
    reply.raw.once('close', () => this.#free(owner, characters));
  }

  #free(owner: OwnerId, weight: number): void {
    const left = (this.#waiting.get(owner) ?? 0) - weight;
    if (left > 0) this.#waiting.set(owner, left);
    else this.#waiting.delete(owner);
  }
}
