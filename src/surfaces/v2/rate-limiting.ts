import type { FastifyReply } from 'fastify';
import { secondsUntil } from '../../features/rate-limits/auth-attempts.ts';
import type { HeavySlot } from '../../features/rate-limits/heavy-slots.ts';
import type { RateLimits } from '../../features/rate-limits/rate-limits.ts';
import { bucketOf } from '../../features/rate-limits/tier-limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tally } from '../../platform/window-counter.ts';
import type { RateTier } from '../../vocabulary/rate-tiers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { Step } from './pipeline.ts';

const SLOT_RETRY_SECONDS = 1;

/**
 * Counts the request in its tier and tells the caller how the tier stands (SPEC, Request headers); the moment of the
 * reset in epoch seconds. Raises `rate_limit_exceeded`. First of all steps, so that no refusal is free to ask for.
 */
export function countRequest({ tiers }: Pick<RateLimits, 'tiers'>, clock: Clock): Step {
  const tell = (reply: FastifyReply, tier: RateTier, tally: Tally): void => {
    const limit = tiers.limitOf(tier);
    reply.header('x-ratelimit-limit', String(limit));
    reply.header('x-ratelimit-remaining', String(Math.max(0, limit - tally.used)));
    reply.header('x-ratelimit-reset', String(Math.ceil(tally.resetsAt / 1000)));
    if (tally.used > limit) throw exceeded(tier, limit, secondsUntil(tally.resetsAt, clock.now()));
  };
  return ({ operation: { tier }, caller, reply }) => {
    const tally = tiers.count(caller, tier);
    return tally instanceof Promise
      ? tally.then((counted) => tell(reply, tier, counted))
      : tell(reply, tier, tally);
  };
}

/**
 * Holds one of the caller's places for heavy requests until the answer is out or the caller has gone, whichever way.
 * Raises `too_many_concurrent_requests`. Last of all steps: who is refused holds no place.
 */
export function holdHeavySlot({ heavy }: Pick<RateLimits, 'heavy'>): Step {
  const hold = (reply: FastifyReply, slot: HeavySlot | null): void => {
    if (slot === null) throw tooMany(heavy.places);
    // An answer closes when it is out, and when its connection breaks.
    if (reply.raw.closed) slot.free();
    else reply.raw.once('close', () => slot.free());
  };
  return ({ operation, caller, reply }) => {
    if (operation.tier !== 'heavy') return undefined;
    const slot = heavy.take(bucketOf(caller));
    return slot instanceof Promise ? slot.then((taken) => hold(reply, taken)) : hold(reply, slot);
  };
}

function exceeded(tier: RateTier, limit: number, retryAfterSeconds: number): ServiceError {
  return new ServiceError('rate_limit_exceeded', {
    message: `This minute's ${limit} ${tier} requests of the key are used up; try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}

function tooMany(places: number): ServiceError {
  return new ServiceError('too_many_concurrent_requests', {
    message: `The key has ${places} heavy requests under way, which is the most; wait for one to end.`,
    retryAfterSeconds: SLOT_RETRY_SECONDS,
  });
}
