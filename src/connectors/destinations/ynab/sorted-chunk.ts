import type { RowId } from '../../../vocabulary/ids.ts';
import type { Refusal } from '../../../vocabulary/verifications.ts';
import type { ChunkRow, OutgoingChunk } from '../delivery-rows.ts';
import type { DestinationOpening } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { YnabApi } from './client.ts';
import type { ExistingTransaction, ExistingTransactions } from './existing-transactions.ts';
import {
  decodeRow,
  importIds,
  isPendingImportId,
  type SendableRow,
  sendable,
  type TakenDays,
} from './rows.ts';

/**
 * Which rows the transactions show. A row that replaced another, as a posted one replaces a pending one, has the
 * other's import id; only the ledger knows that, by YNAB's own id. If it does not, as for a chunk whose outcome is
 * unknown, a transaction that was imported as pending shows the row with that account, day and amount.
 */
export class ExistingClaims {
  readonly #existing: ExistingTransactions;
  readonly #recorded: DestinationOpening['recorded'];
  /** The row that such a transaction shows, as far as this attempt knows. */
  readonly #rows = new Map<string, string>();
  /** The transactions in question that show a row, according to the ledger. */
  #known: ReadonlySet<string> = new Set();

  constructor(existing: ExistingTransactions, recorded: DestinationOpening['recorded']) {
    this.#existing = existing;
    this.#recorded = recorded;
  }

  /** Call it for the new rows of a chunk before looking for any of them. Raises what storage raises. */
  async ask(added: readonly PlacedRow[]): Promise<void> {
    const inQuestion = added.flatMap((placed) => [...this.#underOwnIds(placed), ...this.#settled(placed)]);
    this.#known = await this.#recorded([...new Set(inQuestion.map(({ id }) => id))]);
  }

  /** The transaction that shows the new row; null if none does. */
  of(placed: PlacedRow): ExistingTransaction | null {
    const free = (one: ExistingTransaction): boolean => !this.#isTaken(one, placed);
    return this.#underOwnIds(placed).find(free) ?? this.#settled(placed).find(free) ?? null;
  }

  /** The import id for a new row that no transaction shows: one that no other row has; null if all are taken. */
  freeId({ freeIds, account }: PlacedRow): string | null {
    return freeIds.find((id) => this.#existing.byImport(id, account) === null) ?? null;
  }

  note({ id, importId }: ExistingTransaction, source: string): void {
    if (isPendingImportId(importId)) this.#rows.set(id, source);
  }

  #underOwnIds({ importIds, account }: PlacedRow): ExistingTransaction[] {
    return importIds.flatMap((id) => this.#existing.byImport(id, account) ?? []);
  }

  #settled({ row, account }: PlacedRow): readonly ExistingTransaction[] {
    return row.cleared === 'cleared' ? this.#existing.settled(account, row.date, row.milliunits) : [];
  }

  /** Whether the transaction shows another row. A new row whose reference is in the ledger is found by that first. */
  #isTaken({ id }: ExistingTransaction, { source }: PlacedRow): boolean {
    const shows = this.#rows.get(id);
    return shows === undefined ? this.#known.has(id) : shows !== source.id;
  }
}

/** The plan that a run writes to, as it was when the run first wrote. */
export class OpenPlan {
  readonly id: string;
  /** Upper-case ISO 4217 code: everything in a plan is in one currency. */
  readonly currency: string;
  readonly #openAccounts: ReadonlySet<string>;

  private constructor(id: string, currency: string, openAccounts: ReadonlySet<string>) {
    this.id = id;
    this.currency = currency;
    this.#openAccounts = openAccounts;
  }

  /** In one call. Raises DestinationFailure: `destination_resource_missing` for a plan that no longer exists. */
  static async read(api: YnabApi, id: string, signal: AbortSignal): Promise<OpenPlan> {
    const plan = (await api.plans(true, signal)).find((one) => one.id === id);
    if (plan === undefined) throw missing('The plan of this destination is not in YNAB any more.');
    const currency = plan.currency_format?.iso_code;
    if (currency === undefined) {
      throw new DestinationFailure(
        'run_failed',
        'YNAB does not say which currency the plan is in; save the plan’s settings there.',
        { outcome: 'refused', retryable: false },
      );
    }
    const open = (plan.accounts ?? []).filter(({ closed, deleted }) => !closed && !deleted);
    return new OpenPlan(id, currency.toUpperCase(), new Set(open.map((account) => account.id)));
  }

  /** Raises DestinationFailure `destination_resource_missing` for an account that is closed or deleted. */
  requireOpen(account: string): void {
    if (this.#openAccounts.has(account)) return;
    throw missing('An account of the plan that a bank account is mapped to is closed or deleted in YNAB.');
  }
}

function missing(message: string): DestinationFailure {
  return new DestinationFailure('destination_resource_missing', message, {
    outcome: 'refused',
    retryable: false,
  });
}

/** A row that can be sent, and where it goes. */
export interface PlacedRow {
  readonly source: ChunkRow;
  readonly row: SendableRow;
  /** The account of the plan. */
  readonly account: string;
  /** The import ids to choose from if it is not there: the first that no other row has is used. */
  readonly freeIds: readonly string[];
  /** The import ids under which it may have been imported before. */
  readonly importIds: readonly string[];
}

export interface SortedChunk {
  readonly added: readonly PlacedRow[];
  readonly updated: readonly PlacedRow[];
  /** Source ids of rows that are not sent, each with what YNAB cannot accept of it. */
  readonly unsendable: ReadonlyMap<string, Refusal>;
}

/**
 * The rows of a chunk that YNAB can accept, each with its account. Raises DestinationFailure
 * `destination_resource_missing` if that account is closed, and `run_failed` if a bank account has none.
 */
export function sortedChunk(
  { added, updated }: Pick<OutgoingChunk, 'added' | 'updated'>,
  plan: OpenPlan,
  places: ReadonlyMap<RowId<'account'>, string>,
  days: TakenDays,
): SortedChunk {
  const unsendable = new Map<string, Refusal>();
  const placed = (source: ChunkRow): PlacedRow[] => {
    const account = places.get(source.account);
    if (account === undefined) throw unmapped();
    plan.requireOpen(account);
    const row = source.text === null ? 'size' : sendable(decodeRow(source.text), plan.currency, days);
    if (typeof row !== 'string') return [{ source, row, account, ...importedAs(source, row) }];
    unsendable.set(source.id, row);
    return [];
  };
  return { added: added.flatMap(placed), updated: updated.flatMap(placed), unsendable };
}

function importedAs({ account, id }: ChunkRow, { cleared }: SendableRow) {
  const { posted, pending } = importIds(account, id);
  return { freeIds: cleared === 'cleared' ? posted : pending, importIds: [...posted, ...pending] };
}

function unmapped(): DestinationFailure {
  return new DestinationFailure(
    'run_failed',
    'A bank account of the sync is mapped to no account of the plan.',
    {
      outcome: 'refused',
      retryable: false,
    },
  );
}
