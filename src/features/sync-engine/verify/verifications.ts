import { chunksInDoubt } from '../../../storage/delivery-chunks.ts';
import { recordedEntries } from '../../../storage/delivery-ledger.ts';
import { streamsOfSync } from '../../../storage/delivery-streams.ts';
import { type DestinationRow, findDestination } from '../../../storage/destinations.ts';
import { latestRuns, latestStarted, linesOfRuns } from '../../../storage/sync-runs.ts';
import { findSync, type SyncRow } from '../../../storage/syncs.ts';
import type { OwnerId, RowId } from '../../../vocabulary/ids.ts';
import { missing, ServiceError } from '../../../vocabulary/service-error.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { DestinationSecrets } from '../../destinations/destination-secrets.ts';
import type { SyncSource } from '../read/sync-source.ts';
import { LongWork, type ReadingOptions, readingBesideRuns, timesTakenWhileIdle } from '../run/beside-runs.ts';
import { EXPECTATIONS, ExpectedRows } from './expected-rows.ts';
import { addExpectedValues } from './expected-values.ts';
import { VerificationPass } from './verification-pass.ts';
import { ProblemList, type Verification } from './verification-result.ts';
import { VerifiedTarget, type VerifiedTargetOptions } from './verified-target.ts';

const NOT_READ = { destination: null, others: null } as const;

export interface VerificationsOptions extends VerifiedTargetOptions, ReadingOptions {
  readonly secrets: DestinationSecrets;
  readonly source: SyncSource;
}

/**
 * Whether a destination shows what the bank has (docs/verification.md). Reads the bank's whole window and, if it can be
 * read, the destination. Writes nothing anywhere.
 */
export class Verifications {
  readonly #options: VerificationsOptions;
  /** Each holds a few hundred bytes of every row in memory. */
  readonly #work: LongWork;

  constructor(options: VerificationsOptions) {
    this.#options = options;
    const { clock, limits } = options;
    const { verifications_at_once: atOnce, verification_seconds: seconds } = limits;
    this.#work = new LongWork(clock, { what: 'verification', atOnce, seconds });
  }

  /**
   * For LIMIT_VERIFICATION_SECONDS at most. A sync that is disabled is verified like any other. `permit` raises if the
   * caller may not read rows of the type. Raises `resource_missing`, `sync_has_no_destination`, `destination_disabled`,
   * `not_supported`, `too_many_concurrent_requests`, `sync_already_running` if a run is in progress or began in the
   * meantime, `categories_seed_failed`, the `upstream_…` codes if the destination cannot be read, and `signal.reason`.
   */
  async of(
    owner: OwnerId,
    id: RowId<'sync'>,
    permit: (type: SyncType) => void,
    signal: AbortSignal,
  ): Promise<Verification> {
    const { db } = this.#options;
    const sync = await findSync(db, owner, id);
    if (sync === null) throw missing('sync');
    permit(sync.type);
    const destination = await findDestination(db, owner, sync.destination);
    if (destination === null) throw new ServiceError('sync_has_no_destination');
    const taken = await timesTakenWhileIdle(db, owner, id);
    return this.#work.of(owner, signal, async (late) => {
      const verification = await this.#verify(sync, destination, signal, late);
      signal.throwIfAborted();
      // A run that wrote in the meantime would make the comparison a mixture of before and after.
      if ((await timesTakenWhileIdle(db, owner, id)) !== taken)
        throw new ServiceError('sync_already_running');
      return verification;
    });
  }

  async #verify(
    sync: SyncRow,
    destination: DestinationRow,
    signal: AbortSignal,
    late: AbortSignal,
  ): Promise<Verification> {
    const { db, limits, source } = this.#options;
    const owner = sync.account_record;
    const reading = AbortSignal.any([signal, late]);
    const context = await readingBesideRuns(this.#options, sync, destination, reading, async () => true);
    const streams = await streamsOfSync(db, owner, sync.id);
    const target = await VerifiedTarget.open(this.#options, destination, sync, { reading, late });
    const { view } = target;
    try {
      const expected = new ExpectedRows(limits.verification_rows);
      const pass = new VerificationPass({
        context,
        source,
        streams,
        chunks: await chunksInDoubt(db, owner, sync.id),
        view,
        expected,
        recorded: (stream, after, limit) => recordedEntries(db, stream, after, limit),
        late,
      });
      await pass.work();
      signal.throwIfAborted();
      const problems = new ProblemList(limits.verification_problems, sync.type);
      const compared =
        view === null
          ? { ...NOT_READ, alike: comparedWithRecord(expected, problems) }
          : await target.compare(await this.#written(sync), view, expected, problems, pass.read);
      if (view !== null) await addExpectedValues(context, source, streams, view, problems);
      const rejected = await this.#rejected(sync);
      return {
        comparedWith: view === null ? 'record' : 'destination',
        accounts: pass.accounts.map((one) => ({ ...one, rejectedByLastRun: rejected.get(one.account) ?? 0 })),
        columns: (view?.inspection.lacking ?? []).map((column) => ({
          ...column,
          // Rows that were delivered with the column had it: it was removed at the destination, and no run writes them
          // again.
          remedy: column.problem === 'wrong_type' ? 'person' : pass.hasDelivered ? 'resync' : 'run',
        })),
        counts: { ...pass.counts, ...compared },
        kinds: problems.kinds,
        problems: problems.listed,
        truncated: problems.truncated,
      };
    } finally {
      await target.close();
    }
  }

  /** How many rows of each account the destination refused in the last run that began. */
  async #rejected({ id, account_record: owner }: SyncRow): Promise<ReadonlyMap<RowId<'account'>, number>> {
    const { db } = this.#options;
    const run = await latestStarted(db, owner, id);
    const lines = run === null ? [] : ((await linesOfRuns(db, owner, [run])).get(run) ?? []);
    return new Map(lines.map(({ account, rejected }) => [account, rejected]));
  }

  /** The latest time at which a run may have written, epoch milliseconds. */
  async #written({ id, account_record: owner }: SyncRow): Promise<number> {
    const latest = (await latestRuns(this.#options.db, owner, [id])).get(id);
    return (latest?.completed_at ?? latest?.created)?.getTime() ?? 0;
  }
}

/** Assumes that what was delivered is there. Returns how many rows are as they should be. */
function comparedWithRecord(expected: ExpectedRows, problems: ProblemList): number {
  let alike = 0;
  for (let index = 0; index < expected.size; index++) {
    const row = expected.at(index);
    const { wanted, recorded } = EXPECTATIONS[row.expectation];
    if (recorded !== null) problems.add(row, recorded);
    else if (wanted) alike += 1;
  }
  return alike;
}
