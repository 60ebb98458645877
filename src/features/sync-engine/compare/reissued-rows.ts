import type { LedgerEntry, MatchingEntry } from '../../../storage/delivery-ledger.ts';
import { matchesContent } from '../../../storage/ledger-records.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import type { ReadPlan } from '../read/reading-plan.ts';
import {
  isPending,
  isTrade,
  postingDayOf,
  type RuledTransaction,
  type SourceRow,
} from '../read/source-row.ts';
import type { LedgerView } from './ledger-view.ts';
import type { RowChange } from './row-changes.ts';
import type { RowMacs } from './row-macs.ts';

const DAY_MS = 86_400_000;
/** When banks give a row a new id, they change its booking day by a weekend at most. */
export const PAIR_DAYS = 3;

/** A posted row under an id that the destination does not have. */
interface AppearedRow {
  readonly row: RuledTransaction;
  /** The change that sends it as a new row. */
  readonly change: RowChange;
  /** Day of the posting, counted from 1970. */
  readonly day: number;
  /** As RowMacs.pair. */
  readonly pairMac: string;
  /** Its content's MAC before the current resync; null if there is none. */
  readonly formerMac: string | null;
}

interface ReissuedPair {
  readonly appeared: AppearedRow;
  readonly vanished: MatchingEntry;
}

interface Pairing {
  readonly pairs: readonly ReissuedPair[];
  /** Rows that are new after all, or may be. */
  readonly unpaired: readonly AppearedRow[];
  /** How many of those resemble a vanished row, though not one to one. */
  readonly ambiguous: number;
}

/** Days of posting that a read covers, counted from 1970, both inclusive. */
interface CoveredDays {
  readonly from: number;
  readonly to: number;
  /** Days for which every row that the bank has is among those read. */
  readonly complete: { readonly from: number; readonly to: number } | null;
}

/**
 * The days that a plan covers. A window uses the day of the purchase or the time of recording, so a row near its edges
 * may be missing from the read although the bank has it.
 */
export function coveredDays({
  window,
  expected,
  range,
}: Pick<ReadPlan, 'window' | 'expected' | 'range'>): CoveredDays {
  const last = range === null ? Number.POSITIVE_INFINITY : dayOf(window.to) + 1;
  if (window.since !== null) {
    const since = Math.floor(window.since / DAY_MS);
    return { from: since - 1, to: last, complete: { from: since + 2, to: last } };
  }
  const from = dayOf(window.from) - 1;
  if (expected === null) return { from, to: last, complete: null };
  const complete = { from: dayOf(expected.from), to: range === null ? last : dayOf(expected.to) };
  return { from, to: last, complete };
}

const dayOf = (date: string): number => Date.parse(date) / DAY_MS;

/**
 * Recognises rows that a bank lists under new ids: delivered rows whose ids are missing from a read are paired with
 * rows with the same content and unknown ids, one to one. The caller sends a pair as an update of the delivered row. A
 * wrong pair does no lasting harm, as both rows have the same amount and text: a row that is listed again is sent
 * again.
 *
 * Holds at most `most` rows, newest first as banks list them; when it is full, those it holds should be paired with
 * what was listed by then.
 */
export class ReissuedRows {
  readonly #ledger: Pick<LedgerView, 'matching'>;
  readonly #stream: number;
  readonly #days: CoveredDays;
  readonly #most: number;
  /** Whether an id cannot be that of a vanished row: it was listed, is being replaced, or is in an unresolved chunk. */
  readonly #isListed: (id: string) => boolean;
  /** By id: a bank may list a row on two pages. */
  readonly #appeared = new Map<string, AppearedRow>();

  constructor(
    ledger: Pick<LedgerView, 'matching'>,
    stream: number,
    days: CoveredDays,
    { most, isListed }: { readonly most: number; readonly isListed: (id: string) => boolean },
  ) {
    this.#ledger = ledger;
    this.#stream = stream;
    this.#days = days;
    this.#most = most;
    this.#isListed = isListed;
  }

  get isFull(): boolean {
    return this.#appeared.size >= this.#most;
  }

  holds(id: string): boolean {
    return this.#appeared.has(id);
  }

  hold(appeared: AppearedRow): void {
    this.#appeared.set(appeared.change.id, appeared);
  }

  /** Pairs the rows held, and clears them. */
  async resolve(): Promise<Pairing> {
    const appeared = [...this.#appeared.values()];
    this.#appeared.clear();
    if (appeared.length === 0) return { pairs: [], unpaired: [], ambiguous: 0 };
    return pairRows(appeared, await this.#vanished(appeared), this.#days);
  }

  /** Those beyond `most`, and a page of the ledger, are left to be removed as withdrawn, to bound memory. */
  async #vanished(appeared: readonly AppearedRow[]): Promise<MatchingEntry[]> {
    const days = appeared.map(({ day }) => day);
    const window = {
      from: Math.max(this.#days.from, Math.min(...days) - PAIR_DAYS),
      to: Math.min(this.#days.to, Math.max(...days) + PAIR_DAYS),
    };
    const vanished: MatchingEntry[] = [];
    let after: number | null = null;
    do {
      const page = await this.#ledger.matching(
        this.#stream,
        { ...window, after },
        {
          contents: appeared.flatMap(contentMacs),
          pairs: appeared.map(({ pairMac }) => pairMac),
        },
      );
      vanished.push(...page.entries.filter(({ source_id: id }) => !this.#isListed(id)));
      after = page.next;
    } while (after !== null && vanished.length < this.#most);
    return vanished;
  }
}

/**
 * Pairs rows one to one: first those with the same content, which are indistinguishable; then those that differ only in
 * fields that do not identify a row, such as the category, by day. If as many appeared as vanished, they are paired in
 * the order of their days; if not, it is unknown which became which. Pure.
 */
function pairRows(
  appeared: readonly AppearedRow[],
  vanished: readonly MatchingEntry[],
  days: CoveredDays,
): Pairing {
  const pairs: ReissuedPair[] = [];
  const open = new Set(appeared.toSorted(byDay));
  const lost = new Set(vanished.toSorted((a, b) => a.day - b.day || compare(a.source_id, b.source_id)));
  const pair = (one: AppearedRow, other: MatchingEntry): void => {
    pairs.push({ appeared: one, vanished: other });
    open.delete(one);
    lost.delete(other);
  };
  const byContent = new Map<string, AppearedRow[]>();
  for (const one of open) {
    for (const mac of contentMacs(one)) {
      const group = byContent.get(mac.slice(0, 16)) ?? [];
      byContent.set(mac.slice(0, 16), group);
      group.push(one);
    }
  }
  for (const entry of lost) {
    const found = byContent
      .get(entry.content_mac.slice(0, 16))
      ?.find((one) => open.has(one) && contentMacs(one).some((mac) => matchesContent(entry, mac)));
    if (found !== undefined) pair(found, entry);
  }
  const lostByMac = Map.groupBy(lost, ({ pair_mac: mac }) => mac);
  let ambiguous = 0;
  for (const [mac, rows] of Map.groupBy(open, ({ pairMac }) => pairMac)) {
    const entries = lostByMac.get(mac) ?? [];
    const onDay = Map.groupBy(entries, ({ day }) => day);
    for (const [day, group] of Map.groupBy(rows, (row) => row.day)) {
      const same = onDay.get(day) ?? [];
      if (same.length === group.length) group.forEach((row, at) => void (same[at] && pair(row, same[at])));
    }
    const left = rows.filter((row) => open.has(row));
    const unclaimed = entries.filter((entry) => lost.has(entry) && isCovered(entry, days));
    for (const cluster of clusters(left, unclaimed)) {
      const [first, last] = [cluster.rows, cluster.entries];
      if (first.length === 0 || last.length === 0) continue;
      const close = first.every((row, at) => Math.abs(row.day - (last[at]?.day ?? Number.NaN)) <= PAIR_DAYS);
      if (first.length === last.length && close)
        first.forEach((row, at) => void (last[at] && pair(row, last[at])));
      else ambiguous += first.length;
    }
  }
  return { pairs, unpaired: [...open], ambiguous };
}

function contentMacs({ change: { contentMac }, formerMac }: AppearedRow): readonly string[] {
  return formerMac === null ? [contentMac] : [contentMac, formerMac];
}

interface Cluster {
  readonly rows: AppearedRow[];
  readonly entries: MatchingEntry[];
}

/** Rows and entries whose days are close enough that any of them may match. Both are ordered by day. */
function clusters(rows: readonly AppearedRow[], entries: readonly MatchingEntry[]): readonly Cluster[] {
  const all = [
    ...rows.map((row) => ({ day: row.day, row })),
    ...entries.map((entry) => ({ day: entry.day, entry })),
  ];
  const found: Cluster[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const one of all.sort((a, b) => a.day - b.day)) {
    if (one.day - last > PAIR_DAYS) found.push({ rows: [], entries: [] });
    last = one.day;
    if ('row' in one) found.at(-1)?.rows.push(one.row);
    else found.at(-1)?.entries.push(one.entry);
  }
  return found;
}

function isCovered({ day }: Pick<MatchingEntry, 'day'>, { complete }: CoveredDays): boolean {
  return complete !== null && day >= complete.from && day <= complete.to;
}

function byDay(a: AppearedRow, b: AppearedRow): number {
  return a.day - b.day || compare(a.change.id, b.change.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** What the destination has of a row under its former id. */
export interface MigratedEntry {
  readonly formerId: string;
  readonly entry: LedgerEntry;
}

/** Providers name one or two; of more, only this many are used. */
const MOST_FORMER_IDS = 8;
const NO_IDS: readonly string[] = [];

/** The former ids of a row; brokers name none. */
export function formerIds(row: SourceRow): readonly string[] {
  return isTrade(row) ? NO_IDS : (row.former_ids?.slice(0, MOST_FORMER_IDS) ?? NO_IDS);
}

/**
 * Rows that the destination has only under a former id, by their current id: they must not be delivered twice when a
 * provider migrates ids. Only one row replaces another: the first that names it; `canReplace` tells whether a row may,
 * judging by its ids and the ledger entry of the former one. `known`: the ledger entries of the current ids.
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
    // Before the ledger is queried: an id taken now may be in the ledger by the time it answers.
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
 * Whether a posted row differs from the one delivered under its id in both content and day, and so is another row. If a
 * bank corrects both at once, the row is sent under an id of its own, and the delivered one is removed as withdrawn.
 */
export function isOtherThan(row: Transaction, entry: LedgerEntry, macs: RowMacs): boolean {
  const day = postingDayOf(row);
  if (isPending(row) || entry.provisional || entry.retired) return false;
  if (entry.pair_mac === null || entry.day === null || day === null) return false;
  return Math.abs(entry.day - day) > PAIR_DAYS && entry.pair_mac !== macs.pair(row);
}
