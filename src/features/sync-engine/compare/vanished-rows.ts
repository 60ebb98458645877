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
 * So many rows may be missing from one read, but not more than half of those looked for, or this share of them; more is
 * an answer with a hole in it.
 */
const BELIEVED_ROWS = 10;
const BELIEVED_OF_FEW = 0.5;
const BELIEVED_SHARE = 0.05;
const BELIEVED_AT_MOST = 1_000;
/** So many that the owner confirmed are removed in one read; the rest with the next resync. */
const CONFIRMED_AT_MOST = 100_000;
const SALTS = 2 ** 31;
/** A purchase posts within so many days: the end of a bank's memory by the day of the purchase, in days of posting. */
const POSTING_DAYS = 7;

/** What a wide read says of the rows that were delivered and that it did not find. */
export interface VanishedOutcome {
  /** Missing for the second time: the bank has taken them back. */
  readonly removed: readonly PostedEntry[];
  /** Missing for the first time, or noted by a clock that ran ahead. */
  readonly noted: readonly string[];
  /** Noted before and settled by now, one way or the other. */
  readonly cleared: readonly string[];
  /** How many are missing when that is too many to believe; null: it is believed. */
  readonly unconfirmed: number | null;
}

/** What the caller knows of the rows that are looked for. */
export interface VanishedBounds {
  /** Rows whose state at the destination is unknown, of which nothing is concluded. */
  readonly held: ReadonlySet<string>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** As AccountRead. */
  readonly gapConfirmed: boolean;
  /** Whether a row of the day, counted from 1970, may be one that could not be read. */
  readonly mayBeUnreadable: (day: number) => boolean;
}

/**
 * Finds delivered rows that the bank no longer has. A bank that answers with a hole must not empty anybody's sheet, so a
 * row is removed only when two reads, a day apart and the second of everything, both lack it, and neither lacks many.
 * Many banks show a limited past, whose beginning moves on every day: rows from before the oldest one that a read shows
 * are not missing from it.
 *
 * Which rows were read is remembered in a memory of fixed size that may take a missing row for one that was read, never
 * the other way round; by other numbers each time, so that a later read finds it.
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

  /** A row that stands, though not under this id any more. */
  sawUnder(formerId: string): void {
    this.#seen.add(this.#salt, formerId);
  }

  /** A row that was read and stands, and whose day the ledger does not know: it counts among those looked for. */
  stands(day: number): void {
    this.#undated.set(day, (this.#undated.get(day) ?? 0) + 1);
  }

  /** Call once, when all was read. */
  async outcome(
    ledger: Pick<LedgerView, 'posted' | 'missing'>,
    stream: number,
    { expected, everything }: Pick<ReadPlan, 'expected' | 'everything'>,
    bounds: VanishedBounds,
  ): Promise<VanishedOutcome | null> {
    if (expected === null) return null;
    const { now, gapConfirmed } = bounds;
    const confirmed = gapConfirmed && everything && this.#read > 0;
    const most = confirmed ? CONFIRMED_AT_MOST : BELIEVED_AT_MOST;
    const from = confirmed ? this.#oldest : this.#firstDay(expected);
    const { missing, looked } = await this.#missing(
      ledger,
      stream,
      { ...expected, from },
      { ...bounds, most },
    );
    const few = Math.min(BELIEVED_ROWS, Math.ceil(looked * BELIEVED_OF_FEW));
    const bound = Math.max(few, looked * BELIEVED_SHARE);
    if (confirmed) {
      const rest = missing.length > most ? missing.length : null;
      const cleared = [...(await ledger.missing(stream)).keys()];
      return { removed: missing.slice(0, most), noted: [], cleared, unconfirmed: rest };
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

  /** Whether the bank was to show the posted row and did not, once or more. Call when all was read. */
  lacks(
    { source_id: id, day }: { readonly source_id: string; readonly day: number | null },
    expected: ReadPlan['expected'],
  ): boolean {
    if (expected === null || day === null || day < this.#firstDay(expected)) return false;
    return !this.#seen.mayHave(this.#salt, id);
  }

  /** The first day of posting, counted from 1970, of which the read shows every row. */
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
      // A page more than is ever believed says enough, in bounded memory.
      if (missing.length > most) return { missing, looked };
      after = page.next;
    } while (after !== null);
    return { missing, looked };
  }
}

function isConfirmed(noted: Date | undefined, now: number): boolean {
  return noted !== undefined && now - noted.getTime() >= MISSING_CONFIRM_MS;
}
