import type { LedgerEntry } from '../../../storage/delivery-ledger.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { isPending, isTrade, postingDayOf, type SourceRow } from '../read/source-row.ts';
import type { LedgerView } from './ledger-view.ts';
import { PAIR_DAYS } from './reissued-rows.ts';
import type { RowMacs } from './row-macs.ts';

/** What the destination has of a row under the id it had before. */
export interface MigratedEntry {
  readonly formerId: string;
  readonly entry: LedgerEntry;
}

/** Providers name one or two; one that names more is believed so far. */
const MOST_FORMER_IDS = 8;
const NO_IDS: readonly string[] = [];

/** The ids that a row had before; brokers name none. */
export function formerIds(row: SourceRow): readonly string[] {
  return isTrade(row) ? NO_IDS : (row.former_ids?.slice(0, MOST_FORMER_IDS) ?? NO_IDS);
}

/**
 * Rows that the destination shows under an earlier id only, by the id they have now: a provider that migrates ids must
 * not have them delivered twice. One row alone takes the place of another, the first that names it; `canReplace` says
 * whether a row may, as far as its ids and what the ledger says of the former one tell. `known`: what the ledger says of the
 * present ids.
 */
export async function migratedEntries(
  ledger: Pick<LedgerView, 'entries'>,
  stream: number,
  rows: ReadonlyMap<string, SourceRow>,
  known: ReadonlyMap<string, LedgerEntry>,
  canReplace: (row: SourceRow, formerId: string, entry: LedgerEntry | null) => boolean,
): Promise<ReadonlyMap<string, MigratedEntry>> {
  const former = new Map<string, readonly string[]>();
  for (const row of rows.values()) {
    if (known.get(row.id)?.retired === false) continue;
    // Before the ledger is asked: what is taken now may be in the ledger by the time it answers.
    const ids = formerIds(row).filter((id) => canReplace(row, id, null));
    if (ids.length > 0) former.set(row.id, ids);
  }
  const found = new Map<string, MigratedEntry>();
  if (former.size === 0) return found;
  const entries = await ledger.entries(stream, [...new Set([...former.values()].flat())]);
  const claimed = new Set<string>();
  for (const [id, ids] of former) {
    for (const formerId of ids) {
      const entry = entries.get(formerId);
      if (entry === undefined || entry.retired || claimed.has(formerId)) continue;
      const row = rows.get(id);
      if (row === undefined || !canReplace(row, formerId, entry)) continue;
      claimed.add(formerId);
      found.set(id, { formerId, entry });
      break;
    }
  }
  return found;
}

/**
 * Whether a posted row is another than the one delivered under its id: neither the content nor the day agrees. A bank that
 * corrects both at once has the row sent under an id of its own, and the delivered one is removed as withdrawn.
 */
export function isOtherThan(row: Transaction, entry: LedgerEntry, macs: RowMacs): boolean {
  const day = postingDayOf(row);
  if (isPending(row) || entry.provisional || entry.retired) return false;
  if (entry.pair_mac === null || entry.day === null || day === null) return false;
  return Math.abs(entry.day - day) > PAIR_DAYS && entry.pair_mac !== macs.pair(row);
}
