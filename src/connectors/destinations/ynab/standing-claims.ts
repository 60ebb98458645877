import type { DestinationOpening } from '../destination-opening.ts';
import { isPendingImportId } from './import-id.ts';
import type { PlacedRow } from './sorted-chunk.ts';
import type { StandingTransaction, StandingTransactions } from './standing-transactions.ts';

/**
 * Which rows the transactions show that were imported as pending. A posted row that took the place of a pending one
 * stands under the pending one's import id, and only the ledger knows that. Where the ledger was emptied, as by a resync,
 * the row is the one of that account, day and amount.
 */
export class StandingClaims {
  readonly #standing: StandingTransactions;
  readonly #recorded: DestinationOpening['recorded'];
  /** The row that such a transaction shows, as far as this attempt has seen. */
  readonly #rows = new Map<string, string>();
  /** Of the transactions in question: those that show a row, as the ledger has it. */
  #known: ReadonlySet<string> = new Set();

  constructor(standing: StandingTransactions, recorded: DestinationOpening['recorded']) {
    this.#standing = standing;
    this.#recorded = recorded;
  }

  /** To be called for the new rows of a chunk before any of them is looked for. Raises what storage raises. */
  async ask(added: readonly PlacedRow[]): Promise<void> {
    const inQuestion = added.flatMap((placed) => [...this.#underOwnIds(placed), ...this.#settled(placed)]);
    const pending = inQuestion.filter(({ importId }) => isPendingImportId(importId));
    this.#known = await this.#recorded([...new Set(pending.map(({ id }) => id))]);
  }

  /** The transaction that shows the new row; null where none does. */
  of(placed: PlacedRow): StandingTransaction | null {
    const free = (one: StandingTransaction): boolean => !this.#isTaken(one, placed);
    return this.#underOwnIds(placed).find(free) ?? this.#settled(placed).find(free) ?? null;
  }

  /** The import id for a new row that no transaction shows: one under which no other row stands. */
  freeId(placed: PlacedRow): string {
    const { importId, importIds, account } = placed;
    if (!isPendingImportId(importId)) return importId;
    const pending = importIds.filter((id) => isPendingImportId(id));
    return pending.find((id) => this.#standing.byImport(id, account) === null) ?? importId;
  }

  note({ id, importId }: StandingTransaction, source: string): void {
    if (isPendingImportId(importId)) this.#rows.set(id, source);
  }

  #underOwnIds({ importIds, account }: PlacedRow): StandingTransaction[] {
    return importIds.flatMap((id) => this.#standing.byImport(id, account) ?? []);
  }

  #settled({ row, account }: PlacedRow): readonly StandingTransaction[] {
    return row.cleared === 'cleared' ? this.#standing.settled(account, row.date, row.milliunits) : [];
  }

  /** A transaction that was imported as posted shows the row of its import id and no other. */
  #isTaken({ id, importId }: StandingTransaction, { source }: PlacedRow): boolean {
    if (!isPendingImportId(importId)) return false;
    const shows = this.#rows.get(id);
    return shows === undefined ? this.#known.has(id) : shows !== source.id;
  }
}
