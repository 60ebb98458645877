import type { AgentScope } from '../../vocabulary/oauth-scopes.ts';
import type { Operation } from '../operation.ts';
import type { ToolHints } from './tool.ts';

/** Operations that only record what is asked for: a worker then acts at a provider, destination or receiver. */
export const ACTS_LATER: ReadonlySet<string> = new Set([
  'create_sync',
  'run_sync',
  'backfill_sync',
  'resync',
  'refresh_connection',
  'ping_event_destination',
  'redeliver_event',
]);

/** Operations that show rows of brokerage accounts where the sync they are about has some. */
export const SHOWS_SYNC_ROWS: ReadonlySet<string> = new Set(['dry_run_sync', 'verify_sync']);

/** What follows for a client from the operation's method and effect. */
export function hintsOf(operation: Operation): ToolHints {
  const { id, method, effect, tier, update } = operation;
  const reads = effect === 'reads';
  return {
    readOnlyHint: reads,
    destructiveHint: isDestructive(operation),
    idempotentHint: reads || update || method === 'DELETE',
    openWorldHint: effect === 'reaches_out' || (reads && tier !== 'cheap') || ACTS_LATER.has(id),
  };
}

/** Whether nothing brings back what it removes. */
export function isDestructive({ method, body }: Pick<Operation, 'method' | 'body'>): boolean {
  return method === 'DELETE' || Object.hasOwn(body.properties, 'confirm');
}

export function agentScopesFor({ id, planGate }: Operation): readonly AgentScope[] {
  return planGate === 'brokerage_data' || SHOWS_SYNC_ROWS.has(id) ? ['brokerage:read'] : [];
}
