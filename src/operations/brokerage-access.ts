import type { Caller } from '../features/access/caller.ts';
import { requireGate } from '../features/access/plan-gates.ts';
import type { Clock } from '../platform/clock.ts';
import { CALLER_KINDS } from '../vocabulary/caller-kinds.ts';
import type { RowId } from '../vocabulary/ids.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import type { SyncType } from '../vocabulary/syncs.ts';
import type { Services } from './services.ts';

/**
 * Whether the caller may have holdings and trades. The consent page offers them apart from all other data, so that an
 * app needs `brokerage:read` for them wherever they are read. Raises `insufficient_scope` and `professional_required`.
 */
export function requireBrokerage(caller: Caller, clock: Clock): void {
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

/** What an existing sync is asked about, and by whom. */
interface SyncRequest {
  readonly caller: Caller;
  readonly services: Pick<Services, 'syncs'>;
}

/**
 * Whether the caller may run or change the sync: what an app cannot read, it cannot have written either. The plan is not
 * asked, so that a sync can still be changed after a downgrade. Raises `insufficient_scope` and `resource_missing`.
 */
export async function permitSyncChange({ caller, services }: SyncRequest, id: RowId<'sync'>): Promise<void> {
  if (caller.kind !== 'oauth_token') return;
  const { row } = await services.syncs.read(caller.accountRecord.id, id);
  requireScopeFor(caller, [row.type]);
}

/** The same for where syncs write to, by what they copy: who moves it would receive that. Raises `insufficient_scope`. */
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
