import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication, Caller } from '../../features/authentication.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { asServiceError } from './error-envelope.ts';
import { echoIdempotencyKey } from './idempotency.ts';
import type { Operation } from './operation.ts';
import {
  authenticate,
  checkGate,
  checkPlan,
  checkScope,
  checkVersion,
  type Step,
  takeSteps,
} from './pipeline.ts';
import { countRequest, holdHeavySlot } from './rate-limiting.ts';

/** The checks of every request, in the order callers meet them. */
export function stepsOfV2(rateLimits: RateLimits, clock: Clock): readonly Step[] {
  return [
    countRequest(rateLimits, clock),
    checkVersion,
    checkPlan(clock),
    checkScope,
    checkGate(clock),
    holdHeavySlot(rateLimits),
  ];
}

/** Gives requests of this server the place where their caller is kept. */
export function keepCallers(server: FastifyInstance): void {
  server.decorateRequest('v2Caller', null);
}

/** Who was let in. Raises a TypeError before that. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.v2Caller === null) throw new TypeError('a request reached its handler without a caller');
  return request.v2Caller;
}

/** Lets a request on once the caller is known and the steps are taken; without a promise where none of them waits. */
export function admitting(
  operation: Operation,
  steps: readonly Step[],
  authentication: Authentication,
): (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void {
  const admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller): void | Promise<void> => {
    request.v2Caller = caller;
    return takeSteps(steps, { operation, request, reply, caller });
  };
  return (request, reply, done) => {
    reply.header('request-id', request.id);
    echoIdempotencyKey(operation, request, reply);
    try {
      const caller = authenticate(request, authentication);
      const admitted =
        caller instanceof Promise
          ? caller.then((found) => admit(request, reply, found))
          : admit(request, reply, caller);
      if (admitted === undefined) done();
      else admitted.then(() => done(), done);
    } catch (error) {
      done(asServiceError(error));
    }
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whoever v2 let in. */
    v2Caller: Caller | null;
  }
}
