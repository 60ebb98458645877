import { randomInt } from 'node:crypto';
import type { PostedEntry } from '../../../storage/delivery-ledger.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import { MISSING_CONFIRM_MS, type ReadPlan } from '../read/reading-plan.ts';
import { SeenIds } from '../read/seen-ids.ts';
import { postingDayOf, type SourceRow } from '../read/source-row.ts';
import type { LedgerView } from './ledger-view.ts';

const DAY_MS = 86_400_000;
const PAGE_ROWS = 2_000;
/**
 * This many rows may be missing from one read, but no more than half of those looked for, or this share of them; if
 * more are, the answer is considered incomplete.
 */
const BELIEVED_ROWS = 10;
const BELIEVED_OF_FEW = 0.5;
const BELIEVED_SHARE = 0.05;
const BELIEVED_AT_MOST = 1_000;
/** How many missing rows are removed in one read if they are certainly gone; the rest follow with the next one. */
const CONFIRMED_AT_MOST = 100_000;
const SALTS = 2 ** 31;
/**
 * A purchase posts within this many days: converts the start of a bank's history from days of purchase to days of
 * posting.
 */
const POSTING_DAYS = 7;

/** What a wide read shows about delivered rows that it did not find. */
export interface VanishedOutcome {
  /** Missing for the second time: the bank has withdrawn them. */
  readonly removed: readonly PostedEntry[];
  /** Missing for the first time, or recorded by a clock that ran ahead. */
  readonly noted: readonly string[];
  /** Recorded before and settled since, one way or the other. */
  readonly cleared: readonly string[];
  /** How many are missing, if too many to be credible; else null. */
  readonly unconfirmed: number | null;
  /** Whether more are certainly gone than one read removes: the next one goes on. */
  readonly unfinished?: boolean;
}

/** What the caller knows about the rows that are looked for. */
export interface VanishedBounds {
  /** Rows whose state at the destination is unknown, so that nothing can be concluded about them. */
  readonly held: ReadonlySet<string>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** As AccountRead. */
  readonly gapConfirmed: boolean;
  /** Whether the read cannot be incomplete (ExactHistory): what is missing is removed at once, however much it is. */
  readonly exact: boolean;
  /** Whether a row of the day, counted from 1970, may be one that could not be read. */
  readonly mayBeUnreadable: (day: number) => boolean;
}

/**
 * Finds delivered rows that the bank no longer has. An incomplete answer must not empty anyone's sheet, so a row is
 * removed only if it is missing from two reads, a day apart and the second of everything, and few rows are missing from
 * either. Many banks show a limited history whose beginning advances every day: rows older than the oldest in a read
 * are not considered missing.
 *
 * The rows read are remembered in a structure of fixed size that may mistake a missing row for one that was read, but
 * never the reverse; with different hashes each time, so that a later read finds it.
 */
export class VanishedRows {
  readonly #seen = new SeenIds();
  readonly #salt = randomInt(SALTS);
  #read = 0;
  /** How many rows of each day. */
  readonly #undated = new Map<number, number>();
  #oldest = Number.POSITIVE_INFINITY;

  /** A posted row that the bank reported. */
  saw(row: SourceRow): void {
    this.#seen.add(this.#salt, row.id);
    this.#read += 1;
    this.#oldest = Math.min(this.#oldest, postingDayOf(row) ?? this.#oldest);
  }

  /** A row that is still there, but no longer under this id. */
  sawUnder(formerId: string): void {
    this.#seen.add(this.#salt, formerId);
  }

  /**
   * A row that was read and is still there, and whose day the ledger does not have: it counts as one of those looked
   * for.
   */
  stands(day: number): void {
    this.#undated.set(day, (this.#undated.get(day) ?? 0) + 1);
  }

  /** Call it once, when everything was read. */
  async outcome(
    ledger: Pick<LedgerView, 'posted' | 'missing'>,
    stream: number,
    { expected, everything }: Pick<ReadPlan, 'expected' | 'everything'>,
    bounds: VanishedBounds,
  ): Promise<VanishedOutcome | null> {
    if (expected === null) return null;
    const { now, gapConfirmed, exact } = bounds;
    const confirmed = exact || (gapConfirmed && everything && this.#read > 0);
    const most = confirmed ? CONFIRMED_AT_MOST : BELIEVED_AT_MOST;
    const from = exact
      ? Date.parse(expected.from) / DAY_MS
      : confirmed
        ? this.#oldest
        : this.#firstDay(expected);
    const { missing, looked } = await this.#missing(
      ledger,
      stream,
      { ...expected, from },
      { ...bounds, most },
    );
    const few = Math.min(BELIEVED_ROWS, Math.ceil(looked * BELIEVED_OF_FEW));
    const bound = Math.max(few, looked * BELIEVED_SHARE);
    if (confirmed) {
      const unfinished = missing.length > most;
      const cleared = [...(await ledger.missing(stream)).keys()];
      const unconfirmed = unfinished && !exact ? missing.length : null;
      return { removed: missing.slice(0, most), noted: [], cleared, unconfirmed, unfinished };
    }
    if (missing.length > Math.min(bound, BELIEVED_AT_MOST) || (this.#read === 0 && missing.length > 0)) {
      return { removed: [], noted: [], cleared: [], unconfirmed: missing.length };
    }
    const known = await ledger.missing(stream);
    const removed = missing.filter(({ source_id: id }) => everything && isConfirmed(known.get(id), now));
    const lacking = new Set(missing.map((entry) => entry.source_id));
    const gone = new Set(removed.map((entry) => entry.source_id));
    return {
      removed,
      noted: [...lacking].filter((id) => (known.get(id)?.getTime() ?? Number.POSITIVE_INFINITY) > now),
      cleared: [...known.keys()].filter(
        (id) => gone.has(id) || (!lacking.has(id) && (everything || this.#seen.mayHave(this.#salt, id))),
      ),
      unconfirmed: null,
    };
  }

  /** Whether the bank should have shown the posted row and did not, now or before. Call it when everything was read. */
  lacks(
    { source_id: id, day }: { readonly source_id: string; readonly day: number | null },
    expected: ReadPlan['expected'],
  ): boolean {
    if (expected === null || day === null || day < this.#firstDay(expected)) return false;
    return !this.#seen.mayHave(this.#salt, id);
  }

  /** The first day of posting, counted from 1970, for which the read shows every row. */
  #firstDay({ from }: NonNullable<ReadPlan['expected']>): number {
    const shown = this.#read === 0 ? 0 : this.#oldest + POSTING_DAYS;
    return Math.max(Date.parse(from) / DAY_MS, shown);
  }

  async #missing(
    ledger: Pick<LedgerView, 'posted'>,
    stream: number,
    expected: { readonly from: number; readonly to: LocalDate },
    { held, mayBeUnreadable, most }: VanishedBounds & { readonly most: number },
  ): Promise<{ readonly missing: readonly PostedEntry[]; readonly looked: number }> {
    const window = { from: expected.from, to: Date.parse(expected.to) / DAY_MS };
    const missing: PostedEntry[] = [];
    let looked = 0;
    for (const [day, rows] of this.#undated) if (day >= window.from && day <= window.to) looked += rows;
    let after: number | null = null;
    do {
      const page = await ledger.posted(stream, { ...window, after, limit: PAGE_ROWS });
      looked += page.entries.length;
      for (const entry of page.entries) {
        const { source_id: id, day } = entry;
        if (!this.#seen.mayHave(this.#salt, id) && !held.has(id) && !mayBeUnreadable(day))
          missing.push(entry);
      }
      // One page more than is ever credible is enough, and bounds memory.
      if (missing.length > most) return { missing, looked };
      after = page.next;
    } while (after !== null);
    return { missing, looked };
  }
}

function isConfirmed(noted: Date | undefined, now: number): boolean {
  return noted !== undefined && now - noted.getTime() >= MISSING_CONFIRM_MS;
}
