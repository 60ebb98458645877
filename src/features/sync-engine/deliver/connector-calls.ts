import type {
  DestinationConnector,
  DestinationWriter,
} from '../../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../storage/database.ts';
import { recordedRefs } from '../../../storage/delivery-ledger.ts';
import { type DeliveryStream, streamsOfSync } from '../../../storage/delivery-streams.ts';
import type { DestinationRow } from '../../../storage/destinations.ts';
import { accountsWithRows } from '../../../storage/same-accounts.ts';
import type { SyncRow } from '../../../storage/syncs.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { runFailure } from '../../destinations/destination-failures.ts';
import type { DestinationGrants } from '../../destinations/destination-grants.ts';
import type { DestinationSecrets } from '../../destinations/destination-secrets.ts';
import { withDeadline } from '../../provider-gateway/deadline.ts';

export interface OpenWriterOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: DestinationSecrets;
  readonly grants: Pick<DestinationGrants, 'access'>;
}

/**
 * The connector's writer of a sync's destination, with its secrets in the clear. Raises what `open` raises.
 *
 * @param streams of the sync, the only one that writes to the destination
 */
export function openWriter(
  { db, clock, secrets, grants }: OpenWriterOptions,
  connector: DestinationConnector,
  destination: DestinationRow,
  sync: SyncRow,
  signal: AbortSignal,
  streams: () => Promise<readonly DeliveryStream[]> = () => streamsOfSync(db, sync.account_record, sync.id),
): Promise<DestinationWriter> {
  const { id, type, mapping_mode, account_mappings, category_mappings, columns, options } = sync;
  const opening = {
    owner: destination.account_record,
    target: secrets.target(destination),
    secrets: secrets.signingSecrets(destination, clock.now()),
    access: grants.access(destination),
    sync: { id, type, mapping_mode, account_mappings, category_mappings, columns, options },
    recorded: (refs: readonly string[]) => recordedRefs(db, id, refs),
    accountsWithRows: async (ids: readonly string[]) => accountsWithRows(db, await streams(), ids),
  };
  return connector.open(opening, signal);
}

/**
 * One call of a connector around the chunks of a run, for at most LIMIT_FINISH_DEADLINE_MS, also when the connector does
 * not heed its signal. Raises what the call raises, a DestinationFailure `timeout`, or `halted.reason`.
 */
export async function withinFinishDeadline<T>(
  { clock, limits, halted }: { readonly clock: Clock; readonly limits: Limits; readonly halted: AbortSignal },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withDeadline(clock, limits.finish_deadline_ms, halted, call);
  } catch (error) {
    throw runFailure(error, 'unknown');
  }
}
