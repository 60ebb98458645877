import type {
  DestinationConnector,
  DestinationWriter,
  TargetInspection,
} from '../../../connectors/destinations/destination-contract.ts';
import type { Log } from '../../../platform/log.ts';
import type { DestinationRow } from '../../../storage/destinations.ts';
import type { SyncRow } from '../../../storage/syncs.ts';
import { typeNotSetUp } from '../../../vocabulary/consoles.ts';
import type { DestinationType } from '../../../vocabulary/destination-kinds.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import { destinationError } from '../../destinations/destination-failures.ts';
import { type OpenWriterOptions, openWriter } from '../deliver/connector-calls.ts';
import type { ExpectedRows } from './expected-rows.ts';
import { TargetComparison } from './target-comparison.ts';
import type { TargetView } from './verification-pass.ts';
import type { ProblemList } from './verification-result.ts';

const RETRY_S = 30;
const UNSEEN: TargetInspection = { lacking: [] };
const LAPSED = {
  message: 'The grant of this destination is no longer valid; connect it again with a destination link.',
};

export interface VerifiedTargetOptions extends OpenWriterOptions {
  readonly log: Pick<Log, 'warn'>;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
}

/** When reading ends: when the caller leaves, or when the time is up. */
export interface ReadingSignals {
  readonly reading: AbortSignal;
  /** Only the second. */
  readonly late: AbortSignal;
}

/** The target of a destination during verification: its writer, which writes nothing here. */
export class VerifiedTarget {
  readonly #options: VerifiedTargetOptions;
  readonly #destination: DestinationRow;
  readonly #signals: ReadingSignals;
  #writer: DestinationWriter | null = null;
  /** Null if the destination cannot be read. */
  view: TargetView | null = null;

  private constructor(options: VerifiedTargetOptions, destination: DestinationRow, signals: ReadingSignals) {
    this.#options = options;
    this.#destination = destination;
    this.#signals = signals;
  }

  /** Raises `not_supported`, `destination_disabled`, the `upstream_…` codes, or the reason of an abort. */
  static async open(
    options: VerifiedTargetOptions,
    destination: DestinationRow,
    sync: SyncRow,
    signals: ReadingSignals,
  ): Promise<VerifiedTarget> {
    const connector = options.connectors.get(destination.type);
    if (connector === undefined) {
      throw new ServiceError('not_supported', {
        message: typeNotSetUp(destination.type),
      });
    }
    if (destination.status === 'reauth_required') throw new ServiceError('upstream_auth_failed', LAPSED);
    if (destination.status !== 'active') throw new ServiceError('destination_disabled');
    const target = new VerifiedTarget(options, destination, signals);
    const writer = await target.#asked(() =>
      openWriter(options, connector, destination, sync, signals.reading),
    );
    target.#writer = writer;
    const { reading } = writer;
    if (reading === undefined) return target;
    if (sync.type === 'holdings' && reading.shownHolding === undefined) return target;
    try {
      const inspection = await target.#asked(
        async () => (await reading.inspect?.(signals.reading)) ?? UNSEEN,
      );
      target.view = { writer, rowForm: connector.rowForm ?? 1, reading, inspection };
      return target;
    } catch (error) {
      await target.close();
      throw error;
    }
  }

  /**
   * Raises the `upstream_…` codes, or the reason of an abort.
   *
   * @param written when a run last wrote there, epoch milliseconds
   * @param read as TargetComparison
   */
  async compare(
    written: number,
    { reading }: TargetView,
    expected: ExpectedRows,
    problems: ProblemList,
    read: readonly RowId<'account'>[],
  ): Promise<TargetComparison['counts']> {
    const comparison = new TargetComparison(reading, expected, problems, read);
    await this.#asked(async () => {
      const { clock } = this.#options;
      const wait = written + (reading.settlesMs ?? 0) - clock.now();
      if (wait > 0) await clock.sleep(Math.min(wait, reading.settlesMs ?? 0), this.#signals.reading);
      for await (const page of reading.rows(this.#signals.reading)) {
        this.#signals.reading.throwIfAborted();
        await comparison.take(page);
      }
    });
    await comparison.end();
    return comparison.counts;
  }

  /** The comparison is complete, even if the writer fails to end its work. */
  async close(): Promise<void> {
    try {
      await this.#writer?.close();
    } catch (error) {
      this.#options.log.warn(
        'a destination was not closed',
        { destination: publicId('destination', this.#destination.id) },
        error,
      );
    }
  }

  /** Failures of the destination as error codes of the API. */
  async #asked<T>(work: () => Promise<T>): Promise<T> {
    const { id, type } = this.#destination;
    const { reading, late } = this.#signals;
    try {
      reading.throwIfAborted();
      return await work();
    } catch (error) {
      if (late.aborted) throw tooLate(type);
      reading.throwIfAborted();
      this.#options.log.warn('a target was not read', { destination: publicId('destination', id) }, error);
      throw destinationError(error, type, `The ${type} destination`);
    }
  }
}

function tooLate(type: DestinationType): ServiceError {
  return new ServiceError('upstream_timeout', {
    message: `The bank and the ${type} destination were not read to their ends in the time that a verification may take; ask again, or split the sync into syncs of fewer accounts.`,
    retryAfterSeconds: RETRY_S,
  });
}
