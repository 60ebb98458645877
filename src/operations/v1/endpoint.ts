import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Caller } from '../../features/access/caller.ts';
import type { CacheOutcome } from '../../features/provider-gateway/gateway-types.ts';
import type { PlanGateName } from '../../vocabulary/plans.ts';
import type { RateTier } from '../../vocabulary/rate-tiers.ts';
import type { Scope } from '../../vocabulary/scopes.ts';
import type { Admissible } from '../admit.ts';
import type { JsonText } from '../operation-request.ts';
import type { Services } from '../services.ts';
import { V1Refusal } from './failures.ts';

/** The context of a request. */
export interface V1Context {
  readonly caller: Caller;
  readonly services: Services;
  /** Aborts when the caller disconnects. Requested only by endpoints that use it. */
  readonly signal: () => AbortSignal;
}

/** A response, with what its headers say. */
export interface V1Answer<T> {
  readonly body: T | JsonText;
  /** Null for responses that are never cached. */
  readonly cache: CacheOutcome | null;
  /** Whether the row ceiling cut off the oldest rows. */
  readonly truncated: boolean;
}

/**
 * An endpoint of v1 is data, free of transport: its route, its admission, the tools of agents that keep v1's shapes,
 * and the suites of test/surfaces/v1 derive from it. Its shape is frozen (docs/v1.md).
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
  /** How long anyone may keep the answer, which is then the same for everyone. Seconds; null: not at all. */
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

/**
 * A parser from values by name to what the schema describes. Names that it lacks are ignored, as they always were in
 * v1. Raises the refusal `parameters_invalid`, with `details` of every parameter at fault.
 */
function v1Parser<T extends TObject>(schema: T): (values: unknown) => Static<T> {
  const validator = Compile(schema);
  const check = (values: unknown): values is Static<T> => validator.Check(values);
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    field: Compile(field),
    isRequired: required.has(name),
  }));
  return (values) => {
    if (check(values)) return values;
    const given = new Map(Object.entries(Object(values)));
    const details: Record<string, string[]> = {};
    for (const { name, field, isRequired } of fields) {
      const value = given.get(name);
      if (value === undefined && isRequired) details[name] = ['is required'];
      if (value !== undefined && !field.Check(value)) details[name] = faultsOf(field.Errors(value));
    }
    const [[name, [fault]] = ['', ['']]] = Object.entries(details);
    throw new V1Refusal('parameters_invalid', `Invalid parameters: ${name} ${fault}.`, details);
  };
}

function faultsOf(errors: readonly { readonly message: string }[]): string[] {
  return [...new Set(errors.map(({ message }) => message))];
}
