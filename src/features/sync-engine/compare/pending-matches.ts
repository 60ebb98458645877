import type { ProvisionalEntry } from '../../../storage/delivery-ledger.ts';
import { dayOf, type RuledRow, type RuledTransaction } from '../read/source-row.ts';
import type { RowMacs } from './row-macs.ts';

/** Days before and after the pending day on which its posted row may fall. */
export const DAYS_BEFORE = 1;
export const DAYS_AFTER = 8;

/** A posted row that a pending one may have become. */
interface Candidate {
  readonly row: RuledTransaction;
  readonly match: string;
  readonly day: number;
}

export interface PendingOutcome {
  readonly upgrades: readonly { readonly from: ProvisionalEntry; readonly row: RuledTransaction }[];
  readonly retired: readonly ProvisionalEntry[];
  /** Candidates that turned out to be new rows. */
  readonly unclaimed: readonly RuledTransaction[];
}

/**
 * The pending rows of an account are a snapshot: a row that is pending at the destination and that the bank no longer
 * reports has either posted under another id or disappeared. The two records share no key, so they are matched by
 * currency, amount and day; only rows that could be such a match are held back, and only until the account is read.
 */
export class PendingMatches {
  readonly #macs: RowMacs;
  readonly #most: number;
  readonly #unreported: Map<string, ProvisionalEntry>;
  readonly #days = new Map<string, number[]>();
  /** By id, because a source may repeat a row before it is sent. */
  readonly #candidates = new Map<string, Candidate>();

  /** @param most candidates to hold; a further one is sent as a new row, and the pending row is removed */
  constructor(macs: RowMacs, provisional: readonly ProvisionalEntry[], most: number) {
    this.#macs = macs;
    this.#most = most;
    this.#unreported = new Map(provisional.map((entry) => [entry.source_id, entry]));
    for (const entry of provisional) {
      const { match_mac: match, day } = entry;
      if (match !== null && day !== null) this.#days.set(match, [...(this.#days.get(match) ?? []), day]);
    }
  }

  /** The bank still reports the row. */
  reported(id: string): void {
    this.#unreported.delete(id);
  }

  /** Holds a new posted row back if a pending row may have become it. */
  hold(row: RuledRow): boolean {
    if (this.#days.size === 0 || row.kind === 'trade' || row.transaction.status === 'pending') return false;
    if (this.#candidates.size >= this.#most && !this.#candidates.has(row.transaction.id)) return false;
    const day = dayOf(row.transaction);
    if (day === null) return false;
    const match = this.#macs.match(row);
    if (this.#days.get(match)?.some((pending) => within(pending, day)) !== true) return false;
    this.#candidates.set(row.transaction.id, { row, match, day });
    return true;
  }

  /**
   * Pairs what is left, the oldest pending row with the oldest candidate. Call it once, when the whole account was
   * read.
   */
  resolve(): PendingOutcome {
    const free = [...this.#candidates.values()].sort(
      (a, b) => a.day - b.day || (a.row.transaction.id < b.row.transaction.id ? -1 : 1),
    );
    const upgrades: { from: ProvisionalEntry; row: RuledTransaction }[] = [];
    const retired: ProvisionalEntry[] = [];
    for (const entry of this.#unreported.values()) {
      const at = free.findIndex((candidate) => fits(entry, candidate));
      const [candidate] = at === -1 ? [] : free.splice(at, 1);
      if (candidate === undefined) retired.push(entry);
      else upgrades.push({ from: entry, row: candidate.row });
    }
    return { upgrades, retired, unclaimed: free.map((candidate) => candidate.row) };
  }
}

function fits(entry: ProvisionalEntry, candidate: Candidate): boolean {
  return entry.day !== null && entry.match_mac === candidate.match && within(entry.day, candidate.day);
}

function within(pending: number, posted: number): boolean {
  return posted >= pending - DAYS_BEFORE && posted <= pending + DAYS_AFTER;
}
