import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Caller } from '../../features/authentication.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import { PLAN_GATES, type PlanGateName } from '../../vocabulary/plan-gates.ts';
import type { RateTier } from '../../vocabulary/rate-tiers.ts';
import type { Scope } from '../../vocabulary/scopes.ts';
import { closed, parameterParser } from './parameters.ts';
import type { Services } from './services.ts';

/**
 * A v2 operation is data (design section 4). The route, the OpenAPI entry, the scope check, the rate tier, the
 * security tests and the agents' tool of the same name all derive from one of these; a handler never checks a scope,
 * parses a header or renders an error.
 */
export interface Operation {
  /** snake_case verb and noun, the OpenAPI operationId. */
  readonly id: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Also routed as PATCH (SPEC, v2 conventions: Updates). */
  readonly update: boolean;
  /** Route pattern, `/v2/api_keys/:id`. */
  readonly path: string;
  /** null: any valid key (SPEC, Authentication 7). */
  readonly scope: Scope | null;
  /** Further scopes that are needed as well, where one operation reaches into a second kind of resource. */
  readonly alsoScopes: readonly Scope[];
  readonly tier: RateTier;
  /** A gate of the plan besides API access, asked before anything that was sent is looked at. */
  readonly planGate: PlanGateName | null;
  /** What it does to the world, which decides how an Idempotency-Key keeps it from being done twice. */
  readonly effect: Effect;
  readonly params: TObject;
  /** Query parameters besides `include[]`; unknown ones are refused. */
  readonly query: TObject;
  /** Without members the operation takes no body. */
  readonly body: TObject;
  readonly includes: readonly string[];
  readonly status: number;
  readonly response: TSchema;
  /** Codes of its own, besides those every operation can answer. */
  readonly errors: readonly ErrorCode[];
  /** Parses what came and does the work; what it returns is sent as JSON. */
  readonly run: (request: UnparsedRequest) => Promise<unknown>;
}

/**
 * `reads`: changes nothing; an Idempotency-Key is ignored and the answer is never stored, since it may hold financial
 * data. `commits`: writes to our database only; with a key, the work and the stored answer are one transaction.
 * `reaches_out`: also acts at a provider or destination, so no transaction is held open meanwhile; with a key, the
 * attempt holds a lease, and work that was begun and not answered can be repeated without harm.
 */
export type Effect = 'reads' | 'commits' | 'reaches_out';

/** What the pipeline knows before the operation's own schemas are applied. */
export interface UnparsedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly include: ReadonlySet<string>;
  readonly caller: Caller;
  readonly services: Services;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  /** Sets a response header, for example `X-Service-Truncated`. */
  readonly header: (name: string, value: string) => void;
}

/** What a handler is given: values its schemas vouch for. */
export interface OperationRequest<P, Q, B> extends UnparsedRequest {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

interface Definition<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema> {
  readonly id: string;
  readonly summary: string;
  readonly method: Operation['method'];
  readonly update?: boolean;
  readonly path: string;
  readonly scope: Scope | null;
  readonly alsoScopes?: readonly Scope[];
  readonly tier: RateTier;
  readonly planGate?: PlanGateName;
  /** `reads` for GET and `commits` for the rest, unless said otherwise. */
  readonly effect?: Effect;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly includes?: readonly string[];
  readonly status?: number;
  readonly response: R;
  readonly errors?: readonly ErrorCode[];
  readonly handle: (
    request: OperationRequest<Static<P>, Static<Q>, Static<B>>,
  ) => Promise<Static<R> | JsonText>;
}

/** A response already written as JSON, for lists whose rows are remembered in their written form. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** For an operation without parameters, query or body. */
export const none = Type.Object({});

/** Builds an operation from its definition; schemas are compiled once, here. */
export function operation<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema>(
  definition: Definition<P, Q, B, R>,
): Operation {
  const { handle, params, query, body, planGate = null, ...rest } = definition;
  const parseParams = parameterParser(closed(params));
  const parseQuery = parameterParser(closed(query));
  const parseBody = parameterParser(closed(body));
  return {
    ...rest,
    update: rest.update ?? false,
    alsoScopes: rest.alsoScopes ?? [],
    planGate,
    effect: rest.effect ?? (rest.method === 'GET' ? 'reads' : 'commits'),
    params: closed(params),
    query: closed(query),
    body: closed(body),
    includes: rest.includes ?? [],
    status: rest.status ?? 200,
    errors: [...(planGate === null ? [] : [PLAN_GATES[planGate].code]), ...(rest.errors ?? [])],
    run: async (request) =>
      handle({
        params: parseParams(request.params),
        query: parseQuery(request.query),
        body: parseBody(request.body),
        include: request.include,
        caller: request.caller,
        services: request.services,
        header: request.header,
        // Passed on unread: most operations never look whether their caller is still there.
        get signal() {
          return request.signal;
        },
      }),
  };
}
