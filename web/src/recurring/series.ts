import type { Movement } from '../accounts/net-position.ts';
import { earnedBy, type SpendingRules, spentBy } from '../accounts/spending-rules.ts';
import type { Merchant } from '../api/merchants.ts';
import { type Steps, sortedSteps } from '../parts/steps.ts';
import { type Cadence, dayAt, dayNumber, dayOfNumber, RHYTHMS, type Schedule, slotNear } from './cadences.ts';
import { MOST_STEP, type Occurrence, type Regular, regularAmong } from './regular.ts';

/** Payments of one merchant, one account, one currency and one direction that come regularly. */
export interface Series {
  /** One of its own among those found together. */
  readonly id: string;
  readonly merchant: Merchant;
  readonly account: string;
  readonly currency: string;
  readonly direction: 'in' | 'out';
  readonly cadence: Cadence;
  /** Oldest first; amounts in minor units, never negative. */
  readonly payments: readonly { readonly day: string; readonly amount: bigint }[];
  /** Whether the amount is the same from one payment to the next, except for changes of the price. */
  readonly isFixed: boolean;
  /** What the next payment comes to: the last amount of a fixed series, else the median of the latest ones. */
  readonly usual: bigint;
  /** The last change of a fixed price; null without one. */
  readonly change: {
    readonly day: string;
    readonly before: bigint;
    readonly after: bigint;
  } | null;
  /** Null once it has ended: it was not seen for longer than its interval and some patience. */
  readonly next: string | null;
  readonly schedule: Schedule;
  /** The number of the last payment in the schedule. */
  readonly lastSlot: number;
}

interface Group {
  readonly id: string;
  readonly direction: Series['direction'];
  readonly first: Movement;
  /** Who the latest payment was to, or from. */
  name: { readonly day: string; readonly text: string };
  readonly payments: Occurrence[];
}

/**
 * The series among these movements, in whatever order they come. Transfers and whatever else is neither spending nor
 * income (`spentBy`, `earnedBy`) is left out. The work grows with the number of movements and its logarithm, because a
 * cadence is tried only on payments of a merchant that are not more than the days it has. For 100,000 of them it is a
 * second or two, so it comes in steps.
 */
export function* seriesIn(
  movements: Iterable<Movement>,
  rules: SpendingRules,
  today: string,
): Steps<readonly Series[]> {
  const groups = new Map<string, Group>();
  const days = new Map<string, number>();
  let seen = 0;
  for (const movement of movements) {
    seen += 1;
    if (seen % STRIDE === 0) yield;
    const { account, currency, merchant, amount, spentOn } = movement;
    if (merchant.key === '' || amount === 0n) continue;
    const direction = amount < 0n ? 'out' : 'in';
    if ((direction === 'out' ? spentBy(movement, rules) : earnedBy(movement, rules)) === null) continue;
    const id = `${account} ${currency} ${direction} ${merchant.key}`;
    const name = { day: spentOn, text: merchant.name };
    const group = groups.get(id) ?? { id, direction, first: movement, name, payments: [] };
    groups.set(id, group);
    if (isLater(name, group.name)) group.name = name;
    const day = days.get(spentOn) ?? dayNumber(spentOn);
    days.set(spentOn, day);
    group.payments.push({ day, amount: amount < 0n ? -amount : amount });
  }
  const series: Series[] = [];
  for (const group of groups.values()) {
    if (group.payments.length < 2) continue;
    series.push(...(yield* seriesOf(group, dayNumber(today))));
    yield;
  }
  return series.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Rows that are looked at between two looks at the clock. */
const STRIDE = 500;

/** Of one day, that which is first in the alphabet, so that the order of the rows does not matter. */
function isLater(one: Group['name'], other: Group['name']): boolean {
  return one.day === other.day ? one.text < other.text : one.day > other.day;
}

function* seriesOf(group: Group, today: number): Steps<readonly Series[]> {
  const payments = yield* sortedSteps(group.payments, (a, b) => a.day - b.day || Number(a.amount - b.amount));
  const regular = yield* found(payments);
  return regular.map((one, at) => described(group, one, at, today));
}

/**
 * One series with varying amounts or prices that changed, or several with amounts of their own: subscriptions of one
 * merchant on different days, or one among purchases.
 */
function* found(payments: readonly Occurrence[]): Steps<readonly Regular[]> {
  const ofMerchant = payments.length;
  const days = byDay(payments);
  const all = joined(regularAmong(days, { payments: days.length, ofMerchant }));
  const ofAmounts: Regular[] = [];
  for (const same of Map.groupBy(payments, ({ amount }) => amount).values()) {
    if (same.length < 3) continue;
    ofAmounts.push(...regularAmong(byDay(same), { payments: same.length, ofMerchant }));
    yield;
  }
  const apart = joined(ofAmounts);
  if (apart.length === 0) return all;
  const isOne = countIn(all) >= days.length * MOST;
  const areSeveral = apart.length > 1 && countIn(apart) >= ofMerchant * MOST;
  if (isOne && !areSeveral) return all;
  return yield* withOthers(apart, payments);
}

/** What share of the payments of a merchant is almost all of them. */
const MOST = 0.8;

function countIn(series: readonly Regular[]): number {
  return series.reduce((sum, { occurrences }) => sum + occurrences.length, 0);
}

/** The payments of each day as one. */
function byDay(payments: readonly Occurrence[]): readonly Occurrence[] {
  const sums = new Map<number, bigint>();
  for (const { day, amount } of payments) sums.set(day, (sums.get(day) ?? 0n) + amount);
  return [...sums].map(([day, amount]) => ({ day, amount }));
}

/** A series that begins where another of the same cadence stops is the same one: with another price, or on other days. */
function joined(all: readonly Regular[]): readonly Regular[] {
  const series: Regular[] = [];
  for (const one of all.toSorted((a, b) => firstOf(a).day - firstOf(b).day)) {
    const at = series.findIndex((earlier) => continues(earlier, one));
    const earlier = series[at];
    if (earlier === undefined) series.push(one);
    else series[at] = { schedule: one.schedule, occurrences: [...earlier.occurrences, ...one.occurrences] };
  }
  return series;
}

const NONE: Occurrence = { day: 0, amount: 0n };
const firstOf = ({ occurrences }: Regular): Occurrence => occurrences.at(0) ?? NONE;
const lastOf = ({ occurrences }: Regular): Occurrence => occurrences.at(-1) ?? NONE;

function continues(earlier: Regular, later: Regular): boolean {
  const { schedule } = earlier;
  if (schedule.cadence !== later.schedule.cadence) return false;
  const last = lastOf(earlier).day;
  const { tolerance } = RHYTHMS[schedule.cadence];
  const first = firstOf(later).day;
  const slot = slotNear(schedule, last);
  return first > last && first <= dayAt(schedule, slot + MOST_STEP) + tolerance;
}

/** With the payments that follow at a day of a series for an amount like its last: of a price that has just changed. */
function* withOthers(series: readonly Regular[], payments: readonly Occurrence[]): Steps<readonly Regular[]> {
  const taken = new Set(series.flatMap(({ occurrences }) => occurrences.map(keyOf)));
  const whole: Regular[] = [];
  for (const { schedule, occurrences } of series) {
    const { tolerance } = RHYTHMS[schedule.cadence];
    const all = [...occurrences];
    for (const [at, other] of payments.entries()) {
      if (at % STRIDE === STRIDE - 1) yield;
      const last = all.at(-1) ?? other;
      const step = slotNear(schedule, other.day) - slotNear(schedule, last.day);
      const isNear = Math.abs(other.day - dayAt(schedule, slotNear(schedule, other.day))) <= tolerance;
      const isAlike = other.amount * 2n >= last.amount && other.amount <= last.amount * 2n;
      if (step < 1 || step > MOST_STEP || !isNear || !isAlike || taken.has(keyOf(other))) continue;
      taken.add(keyOf(other));
      all.push(other);
    }
    whole.push({ schedule, occurrences: all });
  }
  return whole;
}

function keyOf({ day, amount }: Occurrence): string {
  return `${day} ${amount}`;
}

function described(group: Group, { schedule, occurrences }: Regular, at: number, today: number): Series {
  const { id, direction, first, name } = group;
  const { cadence } = schedule;
  const amounts = occurrences.map(({ amount }) => amount);
  const changes = amounts.filter((amount, place) => place > 0 && amount !== amounts[place - 1]).length;
  const isFixed = changes * 2 <= amounts.length - 1;
  const last = occurrences.at(-1) ?? NONE;
  const lastSlot = slotNear(schedule, last.day);
  const next = dayAt(schedule, lastSlot + 1);
  return {
    id: `${id} ${at}`,
    merchant: { key: first.merchant.key, name: name.text },
    account: first.account,
    currency: first.currency,
    direction,
    cadence,
    payments: occurrences.map(({ day, amount }) => ({ day: dayOfNumber(day), amount })),
    isFixed,
    usual: isFixed ? last.amount : medianOf(amounts.slice(-LATEST)),
    change: isFixed ? changeIn(occurrences) : null,
    next: today > next + RHYTHMS[cadence].patience ? null : dayOfNumber(next),
    schedule,
    lastSlot,
  };
}

/** From how many of the latest payments the next varying amount is guessed. */
const LATEST = 6;

function medianOf(amounts: readonly bigint[]): bigint {
  const sorted = amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n;
}

function changeIn(occurrences: readonly Occurrence[]): Series['change'] {
  const at = occurrences.findLastIndex(
    ({ amount }, place) => place > 0 && amount !== occurrences[place - 1]?.amount,
  );
  const [before, after] = [occurrences[at - 1], occurrences[at]];
  if (before === undefined || after === undefined) return null;
  return { day: dayOfNumber(after.day), before: before.amount, after: after.amount };
}
