import { centsText } from '../../shared/decimal.ts';
import type { JsonObject } from '../../shared/json.ts';
import { type NonEmpty, type Random, seededRandom, seedOf } from '../../shared/random.ts';
import type { Day } from './calendar.ts';
import type { CategoryKey } from './categories.ts';
import type { Merchant } from './merchants.ts';
import type { Row } from './row.ts';

const HOUR_MS = 3_600_000;
const PENDING_HOURS = [20, 68] as const;

/** Something that happens to an account on a day. Cents are signed, negative = out. */
export type Movement = {
  readonly cents: number;
  readonly type: string;
  readonly description: string;
  readonly merchant?: string;
  readonly category?: CategoryKey;
  readonly meta?: JsonObject;
  /** A card purchase is pending for a while; rows that the bank books itself are settled at once. */
  readonly card?: boolean;
};

/** What an account does on a day. Must depend only on its arguments. */
export type Habit = (day: Day, random: Random) => readonly Movement[];

/** Each day has its own seed, so the same date has the same rows whenever the sandbox is started. */
export function rowsOf(scope: string, seed: number, days: readonly Day[], habit: Habit): readonly Row[] {
  return days.flatMap((day) => {
    const random = seededRandom(seedOf(seed, scope, day.iso));
    return habit(day, random).map((movement, ordinal) =>
      rowOf(`${day.iso}.${ordinal}`, day, movement, random),
    );
  });
}

function rowOf(key: string, day: Day, movement: Movement, random: Random): Row {
  const { cents, type, description, merchant, category, meta, card = false } = movement;
  const at = day.midnight + random.int(7, 20) * HOUR_MS;
  return {
    key,
    date: day.midnight,
    pendingFrom: card ? at : null,
    settles: card ? at + random.int(...PENDING_HOURS) * HOUR_MS : at,
    vanishes: card && random.chance(0.03),
    amount: centsText(cents),
    description,
    type,
    merchant: merchant ?? null,
    category: category ?? null,
    meta: meta ?? null,
  };
}

/** A card purchase; `unit` is 100 for currencies without cents, so that amounts stay whole. */
export function purchase(from: NonEmpty<Merchant>, random: Random, type: string, unit = 1): Movement {
  const merchant = random.pick(from);
  return {
    cents: -random.int(merchant.from, merchant.to) * unit,
    type,
    description: merchant.statement,
    merchant: merchant.name,
    category: merchant.category,
    meta: { card_suffix: String(random.int(1000, 9999)) },
    card: true,
  };
}
