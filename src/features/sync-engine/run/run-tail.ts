import type { Snapshot } from '../../../connectors/destinations/delivery-rows.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { wroteSinceSuccess } from '../../../storage/sync-runs.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import { withinFinishDeadline } from '../deliver/connector-calls.ts';
import type { SyncSource } from '../read/sync-source.ts';
import type { RunContext } from './run-context.ts';

/**
 * What follows once every row of a run is written: balances, where the sync asks for them, then the connector's own
 * ending. Nothing of it is recorded, so the attempt after a death does all of it again.
 *
 * @param done which accounts were read to their end, and whether this attempt wrote anything
 */
export async function finishDestination(
  context: RunContext,
  source: SyncSource,
  streams: readonly DeliveryStream[],
  done: { readonly read: readonly RowId<'account'>[]; readonly delivered: boolean },
): Promise<void> {
  const { db, run, sync, writer, reading, confirmLease } = context;
  const { read, delivered } = done;
  if (sync.options.include_balances_tab && sync.type === 'transactions') {
    await writeBalances(context, source, read);
  }
  if (writer.finish === undefined) return;
  reading.throwIfAborted();
  await confirmLease();
  // Chunks of an earlier attempt, and what an earlier run left unverified because it failed or was cancelled.
  const wrote = delivered || run.chunks > 0 || sync.failed_runs > 0 || (await wroteSinceSuccess(db, run));
  const ending = { accounts: streams.map((stream) => stream.account), read, wrote };
  await withinFinishDeadline(context, async (within) => writer.finish?.(ending, within));
}

/** The balance of an account that cannot be read now stays as it was written before: the rows are delivered. */
async function writeBalances(
  context: RunContext,
  source: SyncSource,
  read: readonly RowId<'account'>[],
): Promise<void> {
  const { run, writer, reading, log } = context;
  if (writer.writeSnapshot === undefined) return;
  for (const id of read) {
    reading.throwIfAborted();
    try {
      const opened = await source.open(run.account_record, id);
      const balance = await opened.balance(reading);
      await writeSnapshot(context, { kind: 'balance', account: opened.account, ...balance });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      log.warn('the balance of an account was not written', { run: run.id, account: id }, error);
    }
  }
}

/** Raises DestinationFailure, LeaseLost, or the reason of an abort. */
export async function writeSnapshot(context: RunContext, snapshot: Snapshot): Promise<void> {
  const { writer, confirmLease, metrics, connector } = context;
  await confirmLease();
  let outcome = 'failed';
  try {
    await withinFinishDeadline(context, async (within) => {
      if (writer.writeSnapshot === undefined) throw new TypeError('the destination takes no snapshots');
      await writer.writeSnapshot(snapshot, within);
    });
    outcome = 'succeeded';
  } finally {
    metrics.delivery(connector.type, outcome);
  }
}
