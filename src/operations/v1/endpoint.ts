import type { Static, TObject, TSchema } from 'typebox';
import type { Caller } from '../../features/access/caller.ts';
import type { CacheOutcome } from '../../features/provider-gateway/gateway-types.ts';
import type { PlanGateName } from '../../vocabulary/plan-gates.ts';
import type { RateTier } from '../../vocabulary/rate-tiers.ts';
import type { Scope } from '../../vocabulary/scopes.ts';
import type { Admissible } from '../admit.ts';
import type { JsonText } from '../operation-request.ts';
import type { Services } from '../services.ts';
import { v1Parser } from './parameters.ts';

/** What comes with a request besides its parameters. */
export interface V1Context {
  readonly caller: Caller;
  readonly services: Services;
  /** Aborts when the caller goes away. Asked for only where somebody looks whether they are there. */
  readonly signal: () => AbortSignal;
}

/** An answer, and what its headers say. */
export interface V1Answer<T> {
  readonly body: T | JsonText;
  /** Null for what is never cached. */
  readonly cache: CacheOutcome | null;
  /** Whether the row ceiling cut off the oldest rows. */
  readonly truncated: boolean;
}

/**
 * An endpoint of v1 is data, free of transport: its route, its admission, the tools of agents that keep v1's shapes, and
 * the suites of test/surfaces/v1 derive from it. Its shape is frozen (docs/v1.md).
 */
export interface V1Endpoint extends Admissible {
  readonly id: string;
  readonly summary: string;
  readonly path: `/v1/${string}`;
  readonly scope: Scope;
  readonly orScopes: readonly Scope[];
  readonly tier: RateTier;
  readonly planGate: PlanGateName | null;
  readonly query: TObject;
  readonly response: TSchema;
  /** How long anybody may keep the answer, which is then the same for everybody. Seconds; null: not at all. */
  readonly maxAgeSeconds: number | null;
  /** Answers a caller that was admitted. `values`: parameters by name, of the types of `query`. */
  readonly answer: (values: unknown, context: V1Context) => Promise<V1Answer<unknown>>;
}

interface Definition<Q extends TObject, R extends TSchema> {
  readonly id: string;
  readonly summary: string;
  readonly path: V1Endpoint['path'];
  readonly scope: Scope;
  readonly orScopes?: readonly Scope[];
  readonly tier: RateTier;
  readonly planGate?: PlanGateName;
  readonly query: Q;
  readonly response: R;
  readonly maxAgeSeconds?: number;
  readonly handle: (query: Static<Q>, context: V1Context) => Promise<V1Answer<Static<R>>>;
}

/** Builds an endpoint from its definition; schemas are compiled once, here. */
export function v1Endpoint<Q extends TObject, R extends TSchema>(definition: Definition<Q, R>): V1Endpoint {
  const { handle, ...rest } = definition;
  const parse = v1Parser(rest.query);
  return {
    ...rest,
    orScopes: rest.orScopes ?? [],
    alsoScopes: [],
    planGate: rest.planGate ?? null,
    maxAgeSeconds: rest.maxAgeSeconds ?? null,
    answer: async (values, context) => handle(parse(values), context),
  };
}

/** An answer from what the service itself knows. */
export function uncached<T>(body: T): V1Answer<T> {
  return { body, cache: null, truncated: false };
}

/** What an answer made of several reads says of the cache: the least that holds for all of them; null without any. */
export function cacheOf(reads: readonly ({ readonly cache: CacheOutcome } | null)[]): CacheOutcome | null {
  const outcomes = new Set(reads.flatMap((read) => (read === null ? [] : [read.cache])));
  return (['BYPASS', 'MISS', 'HIT'] as const).find((outcome) => outcomes.has(outcome)) ?? null;
}
