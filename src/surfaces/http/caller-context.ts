import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../features/access/authentication.ts';
import type { Caller } from '../../features/access/caller.ts';
import type { Admissible, AdmissionRequest, Admit, Release } from '../../operations/admit.ts';
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

/** An answer closes when it is out, and when its connection breaks. */
function releaseAfter(reply: FastifyReply, release: Release | null): void {
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
