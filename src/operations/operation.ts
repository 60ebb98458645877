import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { byCaller } from '../features/audit/audit-log.ts';
import type { AuditKind } from '../vocabulary/audit-kinds.ts';
import type { ErrorCode } from '../vocabulary/error-codes.ts';
import type { LimitName } from '../vocabulary/limits.ts';
import { PLAN_GATES, type PlanGateName } from '../vocabulary/plans.ts';
import type { RateTier } from '../vocabulary/rate-tiers.ts';
import type { Scope } from '../vocabulary/scopes.ts';
import { answerOnce, type OperationAnswer } from './answer-once.ts';
import type { Effect, JsonText, OperationRequest, UnparsedRequest } from './operation-request.ts';
import { isListSchema } from './paging.ts';
import { closed, NOTHING, type Parser, parameterParser, refuseUnstorableIn } from './parameters.ts';
import type { OperationDocs } from './v2/docs/docs.ts';

/**
 * A v2 operation is data (ARCHITECTURE.md). The route, the OpenAPI entry, the scope check, the rate tier, the
 * security tests and the agents' tool of the same name all derive from one of these; a handler never checks a scope,
 * parses a header or renders an error.
 */
interface OperationRow {
  /** snake_case verb and resource, the OpenAPI operationId. */
  readonly id: string;
  readonly summary: string;
  readonly docs: OperationDocs;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Also routed as PATCH (docs/api-conventions.md#updates). */
  readonly update: boolean;
  /** Route pattern, `/v2/api_keys/:id`. */
  readonly path: string;
  /** null: any valid key (docs/authentication.md#scopes). */
  readonly scope: Scope | null;
  /** Further scopes that are also required, if the operation uses a second type of resource. */
  readonly alsoScopes: readonly Scope[];
  readonly tier: RateTier;
  /** A gate of the plan besides API access, checked before parameters are parsed. */
  readonly planGate: PlanGateName | null;
  /** The deadline of its response, in seconds, if longer than one read. */
  readonly longest: LimitName | null;
  /** Its side effects, which determine how an Idempotency-Key keeps it from being done twice. */
  readonly effect: Effect;
  /** Whether its response contains a secret that is shown only once; a repeat gets it only with the same API key. */
  readonly answersSecret: boolean;
  /**
   * Whether it grants access to the account record's data, such as a credential or a receiver. A session may request it
   * only soon after its person signed in (`fresh_sign_in_minutes`): the access would outlast a stolen session.
   * Members of the body, if only requests with one of them do.
   */
  readonly freshSignIn: boolean | readonly string[];
  /** What the audit log records of it (docs/audit-log.md); null for nothing. */
  readonly audit: AuditKind | null;
  readonly params: TObject;
  /** The limit of a file in its body, in bytes, which the body may be larger than others by; null if it has none. */
  readonly file: LimitName | null;
  /** Query parameters besides `include[]`; unknown ones are refused. */
  readonly query: TObject;
  /** Without members the operation takes no body. */
  readonly body: TObject;
  readonly includes: readonly string[];
  readonly status: number;
  readonly response: TSchema;
  /** Its own error codes, besides those of every operation. */
  readonly errors: readonly ErrorCode[];
}

/** An operation whose response is JSON. */
export interface JsonOperation extends OperationRow {
  readonly streamed: null;
  /**
   * Answers a request that was admitted (admit.ts): refuses text that cannot be stored, parses what was sent, does the
   * work or repeats the answer it gave under the same Idempotency-Key.
   */
  readonly answer: (request: UnparsedRequest) => Promise<OperationAnswer>;
  /**
   * The same answer, with status 200, if it can be given without waiting; null if `answer` has to be called, also for
   * anything that it would refuse. Null instead of a function for operations that are never answered this way.
   */
  readonly answerAtOnce: ((request: UnparsedRequest) => JsonText | null) | null;
}

/** An operation whose response is text of any length. */
export interface StreamedOperation extends OperationRow {
  readonly streamed: {
    readonly mediaTypes: readonly string[];
    /** Whether it continues as long as its caller is connected and admitted. */
    readonly live: boolean;
  };
  /** As that of a JsonOperation; repeats are not recognised, because only reads are streamed. */
  readonly stream: (request: UnparsedRequest) => Promise<StreamedAnswer>;
}

export type Operation = JsonOperation | StreamedOperation;

type Nothing = typeof NOTHING;

interface Definition<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema> {
  readonly id: string;
  readonly summary: string;
  readonly docs?: OperationDocs;
  readonly method: Operation['method'];
  readonly update?: boolean;
  readonly path: string;
  readonly scope: Scope | null;
  readonly alsoScopes?: readonly Scope[];
  readonly tier: RateTier;
  readonly planGate?: PlanGateName;
  readonly longest?: LimitName;
  /** `reads` for GET and `commits` for the rest, unless said otherwise. */
  readonly effect?: Effect;
  readonly answersSecret?: boolean;
  readonly freshSignIn?: boolean | readonly (keyof Static<B> & string)[];
  readonly audit?: AuditKind;
  readonly file?: LimitName;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly includes?: readonly string[];
  readonly status?: number;
  readonly response: R;
  readonly errors?: readonly ErrorCode[];
  readonly handle: (
    request: OperationRequest<Static<P>, Static<Q>, Static<B>>,
  ) => Promise<Static<R> | JsonText>;
  /**
   * What `handle` would answer, if nothing has to be awaited for it; else null. It may set headers and has no other
   * effect. Only for reads without parameters in the path. It gets the same query object for the same query string.
   */
  readonly handleAtOnce?: (request: OperationRequest<unknown, Static<Q>, unknown>) => JsonText | null;
}

/** Builds an operation from its definition; schemas are compiled once, here. */
export function operation<
  R extends TSchema,
  P extends TObject = Nothing,
  Q extends TObject = Nothing,
  B extends TObject = Nothing,
>(definition: Definition<P, Q, B, R>): JsonOperation {
  const {
    handle,
    handleAtOnce,
    params,
    query,
    body,
    planGate = null,
    freshSignIn = false,
    audit = null,
    docs = {},
    ...rest
  } = definition;
  if (handleAtOnce !== undefined && (rest.method !== 'GET' || params !== undefined || audit !== null)) {
    throw new TypeError(`${rest.id} cannot be answered at once: nothing would parse its path or record it`);
  }
  const parseParams = parameterParser(params);
  const parseQuery = parameterParser(query);
  const parseBody = parameterParser(body);
  const settings = {
    id: rest.id,
    effect: rest.effect ?? (rest.method === 'GET' ? 'reads' : 'commits'),
    status: rest.status ?? 200,
    answersSecret: rest.answersSecret ?? false,
  } as const;
  const work = (request: UnparsedRequest): Promise<unknown> => {
    const handled = () => handle(parsed(request, parseParams, parseQuery, parseBody));
    return audit === null ? handled() : recorded(audit, settings.effect, request, handled);
  };
  // Lists that call a provider share out its slots.
  const inTurn = rest.tier === 'cheap' && rest.method === 'GET' && isListSchema(rest.response);
  return {
    ...rest,
    ...settings,
    docs,
    update: rest.update ?? false,
    alsoScopes: rest.alsoScopes ?? [],
    planGate,
    freshSignIn,
    audit,
    longest: rest.longest ?? null,
    file: rest.file ?? null,
    params: closed(params ?? NOTHING),
    query: closed(query ?? NOTHING),
    body: closed(body ?? NOTHING),
    includes: rest.includes ?? [],
    errors: [
      ...(freshSignIn === false ? [] : (['fresh_sign_in_required'] as const)),
      ...(planGate === null ? [] : [PLAN_GATES[planGate].code]),
      ...(rest.errors ?? []),
    ],
    streamed: null,
    answer: async (request) => {
      refuseUnstorableIn(request.params);
      refuseUnstorableIn(request.body);
      const answer = (): Promise<OperationAnswer> => answerOnce(settings, request, work);
      if (!inTurn) return answer();
      return request.services.listSlots.inTurn(request.caller.accountRecord.id, request.signal, answer);
    },
    answerAtOnce: handleAtOnce === undefined ? null : atOnce(handleAtOnce, parseQuery),
  };
}

/** Calls the handler with the parsed query; what either refuses is left to the usual way, which refuses it again. */
function atOnce<Q extends TObject>(
  handle: (request: OperationRequest<unknown, Static<Q>, unknown>) => JsonText | null,
  parseQuery: Parser<Q>,
): (request: UnparsedRequest) => JsonText | null {
  const known = new WeakMap<object, Static<Q>>();
  return (request) => {
    const { query } = request;
    if (typeof query !== 'object' || query === null) return null;
    try {
      let parsed = known.get(query);
      if (parsed === undefined) {
        parsed = parseQuery(query, request.services.limits, request.queryNaming);
        known.set(query, parsed);
      }
      return handle(request.parsed(request.params, parsed, request.body));
    } catch {
      return null;
    }
  };
}

/** Does the work and records it in the audit log: in one transaction, unless the work also acts outside. */
async function recorded<T>(
  kind: AuditKind,
  effect: Effect,
  { caller, from, params, services: { auditLog } }: UnparsedRequest,
  work: () => Promise<T>,
): Promise<T> {
  const owner = caller.accountRecord.id;
  const entry = (result: unknown) => ({
    kind,
    by: byCaller(caller),
    from,
    target: idIn(result) ?? idIn(params),
  });
  if (effect === 'commits') return auditLog.recording(owner, work, entry);
  const result = await work();
  await auditLog.note(owner, entry(result));
  return result;
}

function idIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' ? value.id : null;
}

/** The parsed parameters, with the current limits; raises for the first of path, query and body that is invalid. */
function parsed<P extends TObject, Q extends TObject, B extends TObject>(
  request: UnparsedRequest,
  parseParams: Parser<P>,
  parseQuery: Parser<Q>,
  parseBody: Parser<B>,
): OperationRequest<Static<P>, Static<Q>, Static<B>> {
  const { limits } = request.services;
  return request.parsed(
    parseParams(request.params, limits, 'path'),
    parseQuery(request.query, limits, request.queryNaming),
    parseBody(request.body, limits),
  );
}

interface StreamedDefinition<P extends TObject, Q extends TObject>
  extends Pick<
    Operation,
    'id' | 'summary' | 'path' | 'scope' | 'alsoScopes' | 'tier' | 'longest' | 'errors'
  > {
  readonly docs?: OperationDocs;
  readonly audit?: AuditKind;
  /** Whether this request is one that the audit log records; every request by default. */
  readonly isAudited?: (request: OperationRequest<Static<P>, Static<Q>, Static<Nothing>>) => boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly mediaTypes: readonly string[];
  readonly live?: boolean;
  readonly handle: (
    request: OperationRequest<Static<P>, Static<Q>, Static<Nothing>>,
  ) => Promise<StreamedAnswer>;
}

/** Builds a `GET` operation whose answer is streamed. */
export function streamedOperation<P extends TObject = Nothing, Q extends TObject = Nothing>(
  definition: StreamedDefinition<P, Q>,
): StreamedOperation {
  const {
    handle,
    isAudited,
    params,
    query,
    mediaTypes,
    live = false,
    audit = null,
    docs = {},
    ...rest
  } = definition;
  const parseParams = parameterParser(params);
  const parseQuery = parameterParser(query);
  return {
    ...rest,
    docs,
    method: 'GET',
    update: false,
    planGate: null,
    effect: 'reads',
    answersSecret: false,
    freshSignIn: false,
    audit,
    file: null,
    params: closed(params ?? NOTHING),
    query: closed(query ?? NOTHING),
    body: NOTHING,
    includes: [],
    status: 200,
    response: Type.String(),
    streamed: { mediaTypes, live },
    stream: async (request) => {
      refuseUnstorableIn(request.params);
      const asked = parsed(request, parseParams, parseQuery, () => ({}));
      const handled = () => handle(asked);
      const kind = isAudited?.(asked) === false ? null : audit;
      return kind === null ? handled() : recorded(kind, 'reads', request, handled);
    },
  };
}

/** A response that is streamed while it is produced, so that it may be of any length. */
export interface StreamedAnswer {
  /** Of a text without parameters: `text/csv`. */
  readonly mediaType: string;
  /** The file name; null for a live stream, which has no end. */
  readonly fileName: string | null;
  /**
   * The text in pieces. What the first piece raises is answered as any error; after it, the answer ends with the last
   * piece and is aborted, so that no one takes it for whole. `signal` aborts when the caller leaves or time is up; a
   * live answer then ends with its last piece, and also when the caller is no longer admitted or the service stops.
   */
  readonly text: (signal: AbortSignal) => Promise<AsyncIterable<string>>;
  /** A header that is known only once the text has ended, and so is sent after it (RFC 9110, section 6.5). */
  readonly trailer?: { readonly name: string; readonly value: () => string };
}
