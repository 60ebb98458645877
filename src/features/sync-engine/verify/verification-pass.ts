import type {
  DestinationWriter,
  ShownValues,
  TargetInspection,
  TargetReading,
} from '../../../connectors/destinations/destination-contract.ts';
import type { DeliveryChunk } from '../../../storage/delivery-chunks.ts';
import type { RecordedPage } from '../../../storage/delivery-ledger.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { NEVER_READ } from '../../../storage/stream-readings.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { REFUSED_ROWS } from '../../../vocabulary/set-aside-rows.ts';
import type { Refusal } from '../../../vocabulary/verifications.ts';
import { type AccountDiff, accountDiff } from '../compare/account-diff.ts';
import { encodedChange, type RowChange } from '../compare/row-changes.ts';
import { RefusedRows } from '../deliver/rejected-rows.ts';
import { type HeldRows, holdRows } from '../deliver/unconfirmed-chunks.ts';
import { planRead } from '../read/reading-plan.ts';
import { type AccountRead, countUntil, HistoryCount } from '../read/run-reads.ts';
import { FoundRows, SeenIds } from '../read/seen-ids.ts';
import type { RuledTransaction } from '../read/source-row.ts';
import { lostAccounts, readAccount, type SourceAccount, type SyncSource } from '../read/sync-source.ts';
import type { ReadContext } from '../run/run-context.ts';
import {
  type Expectation,
  type ExpectedRow,
  type ExpectedRows,
  expectationOf,
  refusedOf,
} from './expected-rows.ts';
import type { VerifiedAccount } from './verification-result.ts';

type Shown = Pick<ExpectedRow, 'shown'> & { readonly refusal: Refusal | null };

const NONE: ReadonlySet<string> = new Set();
const NOT_SHOWN: Shown = { refusal: null, shown: null };
const NO_TEXTS: readonly string[] = [];
/** Entries of the ledger that are read in one statement. */
const RECORDED_PAGE = 1000;

/** How rows are encoded and what they then show; null if the destination is not read. */
export interface TargetView {
  readonly writer: Pick<DestinationWriter, 'encode'>;
  readonly rowForm: number;
  readonly reading: TargetReading;
  /** What was read of the target before. */
  readonly inspection: TargetInspection;
}

export interface VerificationPassOptions {
  readonly context: ReadContext;
  readonly source: SyncSource;
  readonly streams: readonly DeliveryStream[];
  readonly chunks: readonly DeliveryChunk[];
  readonly view: TargetView | null;
  readonly expected: ExpectedRows;
  /** A page of a stream's ledger entries, including rows that are gone. */
  readonly recorded: (stream: number, after: number | null, limit: number) => Promise<RecordedPage>;
  /** Aborts when the time is up: accounts not yet read then fail with `upstream_timeout`. */
  readonly late: AbortSignal;
}

/**
 * Reads the bank's whole window of every account, with the same parts as a run (RunPass), and the ledger, and
 * determines for each row its expected state at the destination. Writes nothing.
 */
export class VerificationPass {
  readonly #options: VerificationPassOptions;
  readonly #streams: readonly DeliveryStream[];
  readonly #accounts = new Map<RowId<'account'>, ErrorCode | null>();
  readonly #unreadableRows = new Map<RowId<'account'>, number>();
  readonly #refused: RefusedRows;
  readonly counts = { bank: 0, skipped: 0, inDoubt: 0, unreadable: 0, notCompared: 0 };
  /** Whether a row was delivered in its current form, with the current fields of the sync. */
  hasDelivered = false;

  constructor(options: VerificationPassOptions) {
    this.#options = options;
    this.#refused = new RefusedRows(options.context);
    this.#streams = options.streams.filter((stream) => stream.present);
  }

  get accounts(): readonly Omit<VerifiedAccount, 'rejectedByLastRun'>[] {
    return [...this.#accounts].map(([account, failure]) => ({
      account,
      failure,
      unreadable: this.#unreadableRows.get(account) ?? 0,
    }));
  }

  /** Accounts that were read completely. */
  get read(): readonly RowId<'account'>[] {
    return [...this.#accounts].flatMap(([account, failure]) => (failure === null ? [account] : []));
  }

  /** Raises what storage raises, or the reason of an abort. */
  async work(): Promise<void> {
    const held = await this.#hold();
    const { source, context, late } = this.#options;
    for (const stream of this.#streams) {
      const read = (opened: SourceAccount) => this.#account(stream, opened, held);
      const { failure } = await readAccount(context, source, stream, read, late);
      this.#accounts.set(stream.account, failure);
    }
    await this.#noteLost();
  }

  /** Unconfirmed rows are neither missing nor too many: the next run resolves them. */
  async #hold(): Promise<HeldRows> {
    const held = new Map<number, Set<string>>();
    for (const { rows } of this.#options.chunks) holdRows(held, rows);
    for (const stream of this.#streams) {
      const ids = [...(held.get(stream.id) ?? NONE)];
      const entries = await this.#options.context.ledger.entries(stream.id, ids);
      for (const id of ids) {
        const { day = null, remote_ref: ref = null } = entries.get(id) ?? {};
        this.counts.inDoubt += 1;
        this.#add('inDoubt', stream, id, { day, ref });
      }
    }
    return held;
  }

  async #account(stream: DeliveryStream, opened: SourceAccount, held: HeldRows): Promise<void> {
    const { context } = this.#options;
    const rows = {
      underWay: new FoundRows(),
      sent: new SeenIds(),
      held: held.get(stream.id) ?? NONE,
      observer: {
        skipped: ({ source: { id } }: RuledTransaction) =>
          this.#add('skipped', stream, id, { day: null, ref: null }),
        unchanged: (change: RowChange) => this.#change('delivered', stream, change),
      },
    };
    const diff = await accountDiff(context, stream, opened, rows, () => this.#wholeRead(stream, opened));
    try {
      for await (const changes of diff.changes()) {
        // Posted rows that the bank no longer has are looked for in the whole ledger, below.
        const gone = new Set(diff.vanished?.removed.map(({ source_id: id }) => id));
        for (const change of changes) {
          if (change.change !== 'removed' || !gone.has(change.id))
            this.#change(expectationOf(change), stream, change);
        }
      }
    } finally {
      this.counts.bank += diff.bankRows;
      this.counts.skipped += diff.counts.skipped;
      this.counts.unreadable += diff.aside.count;
      this.#unreadableRows.set(stream.account, diff.aside.count);
    }
    await this.#unreadable(stream, diff.unreadable);
    await this.#recorded(stream, diff);
  }

  /** Everything since the sync's first day, whatever was read before. */
  async #wholeRead(stream: DeliveryStream, source: SourceAccount): Promise<AccountRead> {
    const { clock, ledger, limits, sync, reading } = this.#options.context;
    const now = clock.now();
    const known = await ledger.isKnown(stream.id);
    const plan = planRead({
      now,
      owner: sync.account_record,
      limits,
      cursor: null,
      reading: NEVER_READ,
      known,
      source,
      options: sync.options,
    });
    const state = await source.history(reading);
    const count = new HistoryCount(countUntil(null, now, limits.sync_overlap_days));
    return { plan, state, known, count, gapConfirmed: false };
  }

  /** Rows that cannot be read now are neither missing nor too many if they were delivered before. */
  async #unreadable(stream: DeliveryStream, ids: ReadonlySet<string>): Promise<void> {
    const entries = await this.#options.context.ledger.entries(stream.id, [...ids]);
    for (const [id, { day, remote_ref: ref }] of entries) this.#add('unreadable', stream, id, { day, ref });
  }

  #change(expectation: Expectation, stream: DeliveryStream, change: RowChange): void {
    const { view } = this.#options;
    const { refusal, shown } = view === null ? NOT_SHOWN : shownOf(view, change);
    // Each run writes every column of a position again.
    if (expectation === 'delivered' && change.content?.row.kind !== 'holding') this.hasDelivered = true;
    const isRefused = refusal !== null || this.#wasRefused(change);
    this.#add(isRefused ? refusedOf(expectation) : expectation, stream, change.id, {
      refusal,
      day: change.day,
      ref: change.remoteRef,
      replaces: change.replaces,
      shown,
    });
  }

  /** Whether the destination refused the row in its current form, for a permanent reason. */
  #wasRefused(change: RowChange): boolean {
    const known = this.#refused.unchanged(change);
    return known !== undefined && known.reason !== REFUSED_ROWS.day.reason;
  }

  #add(
    expectation: Expectation,
    { account }: Pick<DeliveryStream, 'account'>,
    id: string,
    {
      day,
      ref,
      replaces = null,
      shown = null,
      refusal = null,
    }: Pick<ExpectedRow, 'day' | 'refusal'> & {
      ref: string | null;
      replaces?: string | null;
      shown?: ShownValues | null;
    },
  ): void {
    const { expected, view } = this.#options;
    const aliases = replaces === null ? NO_TEXTS : [replaces];
    const reading = view?.reading;
    const added = expected.add({
      id,
      account,
      expectation,
      day,
      aliases,
      keys: reading === undefined ? [] : [id, ...aliases].flatMap((one) => reading.keysOf(one, ref, account)),
      refusal,
      shown,
    });
    if (!added) this.counts.notCompared += 1;
  }

  /** Rows that were delivered and that the bank no longer has, as far as its answer shows that (AccountDiff.lacks). */
  async #recorded(stream: DeliveryStream, diff: Pick<AccountDiff, 'lacks'>): Promise<void> {
    const { context, expected, recorded } = this.#options;
    let after: number | null = null;
    // Without room, rows that the bank has would be mistaken for withdrawn ones.
    while (!expected.isFull) {
      context.reading.throwIfAborted();
      const page: RecordedPage = await recorded(stream.id, after, RECORDED_PAGE);
      for (const entry of page.entries) {
        const { source_id: id, retired, provisional, day, remote_ref: ref } = entry;
        if (expected.has(stream.account, id)) continue;
        // Pending rows that are gone are among the changes.
        if (retired || (!provisional && diff.lacks(entry)))
          this.#add(retired ? 'retired' : 'withdrawn', stream, id, { day, ref });
      }
      if (page.next === null) return;
      after = page.next;
    }
  }

  async #noteLost(): Promise<void> {
    const { source, context } = this.#options;
    const lost = await lostAccounts(source, context.sync.account_record, this.read);
    for (const [account, failure] of lost) this.#accounts.set(account, failure);
  }
}

/** What the destination shows of a row, and what it cannot show. */
function shownOf(view: TargetView, { content, ...change }: RowChange): Shown {
  if (content === null) return NOT_SHOWN;
  const { row } = content;
  if (row.kind === 'holding') {
    return { refusal: null, shown: view.reading.shownHolding?.(row.holding, row.snapshot) ?? null };
  }
  const { text } = encodedChange(view, { ...change, content });
  return text === null
    ? NOT_SHOWN
    : { refusal: view.inspection.refusal?.(text) ?? null, shown: view.reading.shown(text) };
}
