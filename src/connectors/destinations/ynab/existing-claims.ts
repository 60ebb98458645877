import type { DestinationOpening } from '../destination-opening.ts';
import type { ExistingTransaction, ExistingTransactions } from './existing-transactions.ts';
import { isPendingImportId } from './import-id.ts';
import type { PlacedRow } from './sorted-chunk.ts';

/**
 * Which rows the transactions show. A row that took the place of another, as a posted one of a pending one, is under the
 * other's import id, and only the ledger knows that, by YNAB's own id. Where it does not, as of a chunk whose outcome is
 * unknown, a transaction that was imported as pending shows the row of that account, day and amount.
 */
export class ExistingClaims {
  readonly #existing: ExistingTransactions;
  readonly #recorded: DestinationOpening['recorded'];
  /** The row that such a transaction shows, as far as this attempt has seen. */
  readonly #rows = new Map<string, string>();
  /** Of the transactions in question: those that show a row, as the ledger has it. */
  #known: ReadonlySet<string> = new Set();

  constructor(existing: ExistingTransactions, recorded: DestinationOpening['recorded']) {
    this.#existing = existing;
    this.#recorded = recorded;
  }

  /** To be called for the new rows of a chunk before any of them is looked for. Raises what storage raises. */
  async ask(added: readonly PlacedRow[]): Promise<void> {
    const inQuestion = added.flatMap((placed) => [...this.#underOwnIds(placed), ...this.#settled(placed)]);
    this.#known = await this.#recorded([...new Set(inQuestion.map(({ id }) => id))]);
  }

  /** The transaction that shows the new row; null where none does. */
  of(placed: PlacedRow): ExistingTransaction | null {
    const free = (one: ExistingTransaction): boolean => !this.#isTaken(one, placed);
    return this.#underOwnIds(placed).find(free) ?? this.#settled(placed).find(free) ?? null;
  }

  /** The import id for a new row that no transaction shows: one under which no other row is; null where all have one. */
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

  /** Whether the transaction shows another row. A new row whose reference the ledger knows is found by that before. */
  #isTaken({ id }: ExistingTransaction, { source }: PlacedRow): boolean {
    const shows = this.#rows.get(id);
    return shows === undefined ? this.#known.has(id) : shows !== source.id;
  }
}
