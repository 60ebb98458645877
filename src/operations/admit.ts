import type { Caller } from '../features/access/caller.ts';
import { requireGate } from '../features/access/plan-gates.ts';
import { secondsUntil } from '../features/rate-limits/auth-attempts.ts';
import type { HeavySlot } from '../features/rate-limits/heavy-slots.ts';
import type { RateLimits } from '../features/rate-limits/rate-limits.ts';
import { type CountedCaller, poolOf, type TierUsage } from '../features/rate-limits/tier-limits.ts';
import type { Clock } from '../platform/clock.ts';
import { CALLER_KINDS } from '../vocabulary/caller-kinds.ts';
import type { RowId } from '../vocabulary/ids.ts';
import { PLACED_TIERS } from '../vocabulary/rate-tiers.ts';
import type { Scope } from '../vocabulary/scopes.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import { CURRENT_RELEASE, VERSION_HEADER, validateVersion } from '../vocabulary/service-version.ts';
import type { SyncType } from '../vocabulary/syncs.ts';
import type { Operation } from './operation.ts';
import type { Services } from './services.ts';

/** What admission needs to know about the operation. */
export interface Admissible extends Pick<Operation, 'tier' | 'scope' | 'alsoScopes' | 'planGate'> {
  /** Alternative scopes, each of which is accepted in place of `scope`. */
  readonly orScopes?: readonly Scope[];
}

/** What admission needs to know about a request, on any surface. */
export interface AdmissionRequest {
  readonly operation: Admissible;
  readonly caller: Caller;
  /** The id that its requests are counted under, if not the caller's own (docs/v1.md#rate-limits). */
  readonly countedAs?: string | undefined;
  /** The version that the caller sent; null if the surface has no versions. */
  readonly version: { readonly sent: string | undefined } | null;
  /** False for requests so cheap that they are not counted; their responses have no rate headers. */
  readonly counted?: boolean;
  /** Aborts when the caller disconnects while waiting for a slot. */
  readonly signal?: AbortSignal;
  /** Sets a response header, in lower case; refusals have it too. */
  readonly header: (name: string, value: string) => void;
}

/** Releases what an admitted request holds. Called once: after the response, or when the caller has disconnected. */
export type Release = () => void;

/**
 * Admits a request or raises the error for its caller. Returns null if there is nothing to release; a promise only if
 * processes share counters, so that most requests never wait here.
 */
export type Admit = (request: AdmissionRequest) => Release | null | Promise<Release | null>;

/** The slots for heavy requests; a request that waits for one does so until its caller disconnects. */
export interface Places {
  take(caller: CountedCaller, signal?: AbortSignal): HeavySlot | Promise<HeavySlot>;
}

/**
 * The checks of every request once its caller is known, in the order callers meet them: rate (`rate_limit_exceeded`),
 * version (`version_required`, `version_invalid`, `version_unknown`), plan (`plan_upgrade_required`, where the kind of
 * caller needs API access), scope (`insufficient_scope`), the gate of the operation (PLAN_GATES), a slot for heavy
 * requests (`too_many_concurrent_requests`). The rate comes first, so that no refusal is free, except that what plan or
 * scope refuse uses up nothing that the account record shares; the slot last, so that a refused request holds none.
 */
export function createAdmit(
  { tiers, heavy }: Pick<RateLimits, 'tiers'> & { readonly heavy: Places },
  clock: Clock,
): Admit {
  const admitCounted = (
    request: AdmissionRequest,
    usage: TierUsage | null,
    refusal: ServiceError | null,
  ): Release | null | Promise<Release | null> => {
    const { operation } = request;
    if (usage !== null) showUsage(request, usage, clock);
    checkVersion(request);
    if (refusal !== null) throw refusal;
    if (!PLACED_TIERS.has(operation.tier)) return null;
    const slot = heavy.take(countedCaller(request), request.signal);
    return slot instanceof Promise ? slot.then(releaseOf) : releaseOf(slot);
  };
  return (request) => {
    const refusal = refusalOf(request, clock);
    if (request.counted === false) return admitCounted(request, null, refusal);
    const usage = tiers.count(countedCaller(request), request.operation.tier, refusal === null);
    return usage instanceof Promise
      ? usage.then((counted) => admitCounted(request, counted, refusal))
      : admitCounted(request, usage, refusal);
  };
}

/**
 * Checks that plan and scopes of the caller allow the operation; repeated for a caller whose response is still
 * streaming. Raises `plan_upgrade_required`, `insufficient_scope` and the code of the operation's gate.
 */
export function requirePermitted(operation: Omit<Admissible, 'tier'>, caller: Caller, clock: Clock): void {
  if (CALLER_KINDS[caller.kind].apiAccess) requireGate('api_access', caller.accountRecord, clock.now());
  checkScopes(operation, caller);
  if (operation.planGate === 'brokerage_data') requireBrokerage(caller, clock);
  else if (operation.planGate !== null) requireGate(operation.planGate, caller.accountRecord, clock.now());
}

function refusalOf({ operation, caller }: AdmissionRequest, clock: Clock): ServiceError | null {
  try {
    requirePermitted(operation, caller, clock);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function countedCaller({ caller, countedAs }: AdmissionRequest): CountedCaller {
  return countedAs === undefined
    ? caller
    : { kind: caller.kind, id: countedAs, accountRecord: caller.accountRecord };
}

function releaseOf(slot: HeavySlot): Release {
  return () => slot.free();
}

/**
 * Sends the usage of the tier, of the caller or of the account record, whichever has less left; the reset in epoch
 * seconds.
 */
function showUsage(request: AdmissionRequest, usage: TierUsage, clock: Clock): void {
  const { header } = request;
  const { limit, used, resetsAt } = usage;
  header('x-ratelimit-limit', String(limit));
  header('x-ratelimit-remaining', String(Math.max(0, limit - used)));
  header('x-ratelimit-reset', String(Math.ceil(resetsAt / 1000)));
  if (used > limit) throw exceeded(request, usage, secondsUntil(resetsAt, clock.now()));
}

function checkVersion({ version, header }: AdmissionRequest): void {
  if (version === null) return;
  const verdict = validateVersion(version.sent);
  if (verdict !== null) {
    throw new ServiceError(verdict, {
      param: 'Service-Version',
      ...(verdict === 'version_unknown' && {
        message: `This API version does not exist; the latest is ${CURRENT_RELEASE}.`,
      }),
    });
  }
  if (version.sent !== undefined) header(VERSION_HEADER, version.sent);
}

function checkScopes(
  { scope, alsoScopes, orScopes = [] }: Omit<Admissible, 'tier' | 'planGate'>,
  caller: Caller,
): void {
  const holds = (one: Scope): boolean => caller.scopes.has(one);
  if (scope !== null && !holds(scope) && !orScopes.some(holds)) {
    throw insufficient([scope, ...orScopes].join(' or '), caller);
  }
  for (const also of alsoScopes) if (!holds(also)) throw insufficient(also, caller);
}

function insufficient(scopes: string, { kind }: Caller): ServiceError {
  return new ServiceError('insufficient_scope', {
    message: `This operation needs the scope ${scopes}, which the ${CALLER_KINDS[kind].label} lacks.`,
  });
}

function exceeded(
  { operation, caller }: AdmissionRequest,
  { limit, of }: TierUsage,
  retryAfterSeconds: number,
): ServiceError {
  const whose =
    of === 'caller'
      ? `for this ${CALLER_KINDS[caller.kind].label}`
      : of === 'user'
        ? 'across all sessions of this person'
        : `across all ${poolOf(caller) === 'sessions' ? 'sessions' : 'keys and apps'} of the account record`;
  return new ServiceError('rate_limit_exceeded', {
    message: `Rate limit exceeded: ${limit} ${operation.tier} requests a minute ${whose}. Try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}

/**
 * Whether the caller may have holdings and trades. The consent page offers them apart from all other data, so that an
 * app needs `brokerage:read` for them wherever they are read. Raises `insufficient_scope` and `professional_required`.
 */
function requireBrokerage(caller: Caller, clock: Clock): void {
  requireBrokerageScope(caller);
  requireGate('brokerage_data', caller.accountRecord, clock.now());
}

function requireBrokerageScope(caller: Caller): void {
  if (caller.kind === 'oauth_token' && !caller.agentScopes.has('brokerage:read')) {
    throw new ServiceError('insufficient_scope', {
      message: `Holdings and trades need the scope brokerage:read, which the ${CALLER_KINDS[caller.kind].label} lacks.`,
    });
  }
}

/** The same for a sync, by what it copies. */
export function syncPermit(caller: Caller, clock: Clock): (type: SyncType) => void {
  return (type) => {
    if (type !== 'transactions') requireBrokerage(caller, clock);
  };
}

/** An existing sync, and the caller of an operation on it. */
interface SyncRequest {
  readonly caller: Caller;
  readonly services: Pick<Services, 'syncs'>;
}

/**
 * Whether the caller may run or change the sync: what an app cannot read, it cannot have written either. The plan is
 * not asked, so that a sync can still be changed after a downgrade. Raises `insufficient_scope` and `resource_missing`.
 */
export async function permitSyncChange({ caller, services }: SyncRequest, id: RowId<'sync'>): Promise<void> {
  if (caller.kind !== 'oauth_token') return;
  const { row } = await services.syncs.read(caller.accountRecord.id, id);
  requireScopeFor(caller, [row.type]);
}

/**
 * The same for where syncs write to, by what they copy: who moves it would receive that. Raises `insufficient_scope`.
 */
export async function permitTargetChange(
  { caller, services }: SyncRequest,
  id: RowId<'destination'>,
): Promise<void> {
  if (caller.kind !== 'oauth_token') return;
  requireScopeFor(caller, await services.syncs.typesInto(caller.accountRecord.id, id));
}

function requireScopeFor(caller: Caller, types: readonly SyncType[]): void {
  if (types.some((type) => type !== 'transactions')) requireBrokerageScope(caller);
}
