import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../features/access/authentication.ts';
import type { Caller } from '../../features/access/caller.ts';
import type { Admit, Release } from '../../operations/admit.ts';
import type { Operation } from '../../operations/operation.ts';
import { asServiceError } from './error-envelope.ts';
import { echoIdempotencyKey } from './idempotency.ts';
import { versionOf } from './versions.ts';

/** Gives requests of this server the member that holds their caller. */
export function decorateWithCaller(server: FastifyInstance): void {
  server.decorateRequest('v2Caller', null);
}

/** Who was let in. Raises a TypeError before that. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.v2Caller === null) throw new TypeError('a request reached its handler without a caller');
  return request.v2Caller;
}

/** Lets a request on once its caller is known and admitted; without a promise where nothing waits. */
export function admitting(
  operation: Operation,
  admit: Admit,
  authentication: Authentication,
): (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void {
  const admitCaller = (
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): void | Promise<void> => {
    request.v2Caller = caller;
    const release = admit({
      operation,
      caller,
      version: { sent: versionOf(request) },
      header: (name, value) => void reply.header(name, value),
    });
    if (release instanceof Promise) return release.then((held) => releaseAfter(reply, held));
    releaseAfter(reply, release);
  };
  return (request, reply, done) => {
    reply.header('request-id', request.id);
    echoIdempotencyKey(operation, request, reply);
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

/** An answer closes when it is out, and when its connection breaks. */
function releaseAfter(reply: FastifyReply, release: Release | null): void {
  if (release === null) return;
  if (reply.raw.closed) release();
  else reply.raw.once('close', release);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that v2 has authenticated. */
    v2Caller: Caller | null;
  }
}
