import { centsText } from '../shared/decimal.ts';
import { mix32, type NonEmpty, type Random, seededRandom, seedOf } from '../shared/random.ts';

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** How far back living accounts go. */
const HISTORY_DAYS = 420;
/** The spread of a computed statement: inside ninety days. */
const COMPUTED_DAYS = 80;
const PERIOD = 4096;

/** One movement. `key` is unique within its account and never changes. */
export type Row = {
  readonly key: string;
  /** `YYYY-MM-DD` on which it is booked. */
  readonly day: string;
  /** Epoch ms from which it is pending; null for one that is booked from the start. */
  readonly pendingFrom: number | null;
  /** Epoch ms at which it is booked or vanishes. */
  readonly settles: number;
  readonly vanishes: boolean;
  /** Signed decimal, negative = out. */
  readonly amount: string;
  /** The other side; null for what the bank itself books. */
  readonly party: string | null;
  readonly text: string;
  /** ISO 20022 family of the bank transaction code. */
  readonly code: string;
  readonly category: string | null;
};

/** Booked rows, newest first, read by index, so that a statement may be larger than memory. */
export type BookedRows = { readonly length: number; row(index: number): Row };

export type Movement = Pick<Row, 'party' | 'text' | 'code'> & {
  readonly cents: number;
  readonly category?: string;
};

/** What an account does on a day. Depends only on its arguments. */
export type Habit = (
  day: { readonly number: number; readonly date: number },
  random: Random,
) => readonly Movement[];

type Shop = { readonly name: string; readonly mcc: string; readonly from: number; readonly to: number };

const SHOPS: NonEmpty<Shop> = [
  { name: 'Marché du Coin', mcc: '5411', from: 800, to: 9900 },
  { name: 'Bäckerei Ähre', mcc: '5462', from: 180, to: 1450 },
  { name: 'Café Lumière', mcc: '5814', from: 350, to: 2200 },
  { name: 'Apotheek De Linde', mcc: '5912', from: 490, to: 5600 },
  { name: 'Tramvia Metropol', mcc: '4111', from: 240, to: 4900 },
  { name: 'Librería Tinta', mcc: '5942', from: 900, to: 6200 },
];

export function purchase(random: Random): Movement {
  const shop = random.pick(SHOPS);
  return {
    cents: -random.int(shop.from, shop.to),
    party: shop.name,
    text: `CARD ${random.int(1000, 9999)}`,
    code: 'CCRD',
    category: shop.mcc,
  };
}

/** The rows of a habit around a time. Each day has its own seed, so a date has the same rows whenever it is asked for. */
export function livedRows(scope: string, seed: number, startedAt: number, habit: Habit): readonly Row[] {
  const today = Math.floor(startedAt / DAY_MS);
  const rows: Row[] = [];
  for (let number = today - HISTORY_DAYS; number <= today + HISTORY_DAYS; number++) {
    const day = dayText(number);
    const random = seededRandom(seedOf(seed, scope, day));
    for (const [ordinal, movement] of habit({ number, date: Number(day.slice(8)) }, random).entries())
      rows.push(rowOf(`${day}-${ordinal}`, number, movement, random));
  }
  return rows;
}

function rowOf(key: string, number: number, { cents, category, ...said }: Movement, random: Random): Row {
  const byCard = said.code === 'CCRD';
  const at = number * DAY_MS + random.int(6, 20) * HOUR_MS;
  const settles = byCard ? at + random.int(18, 60) * HOUR_MS : at;
  return {
    key,
    // What is booked later has the day of its booking.
    day: dayText(Math.floor(settles / DAY_MS)),
    pendingFrom: byCard ? at : null,
    settles,
    vanishes: byCard && random.chance(0.03),
    amount: centsText(cents),
    ...said,
    category: category ?? null,
  };
}

/** A statement of any length whose rows are derived from their index, 0 being the newest. */
export class ComputedRows implements BookedRows {
  readonly length: number;
  /** Exact sum of all amounts. */
  readonly total: string;
  readonly #seed: number;
  readonly #newest: number;

  constructor(scope: string, length: number, startedAt: number) {
    this.length = length;
    this.#seed = seedOf('computed', scope);
    this.#newest = Math.floor(startedAt / DAY_MS) - 1;
    const cents = Array.from({ length: PERIOD }, (_, slot) => this.#cents(slot));
    const sum = (some: readonly number[]): number => some.reduce((all, one) => all + one, 0);
    this.total = centsText(Math.floor(length / PERIOD) * sum(cents) + sum(cents.slice(0, length % PERIOD)));
  }

  row(index: number): Row {
    const number = this.#newest - Math.floor((index * COMPUTED_DAYS) / this.length);
    const shop = SHOPS[mix32(this.#seed + index) % SHOPS.length] ?? SHOPS[0];
    return {
      key: `c${index}`,
      day: dayText(number),
      pendingFrom: null,
      settles: number * DAY_MS,
      vanishes: false,
      amount: centsText(this.#cents(index % PERIOD)),
      party: shop.name,
      text: `ORDER ${index}`,
      code: 'CCRD',
      category: shop.mcc,
    };
  }

  /** Purchases of 1.00 to 250.99; one row in sixteen is money in. */
  #cents(slot: number): number {
    const scatter = mix32(this.#seed ^ slot);
    const cents = 100 + (scatter % 25_000);
    return scatter >>> 28 === 0 ? cents : -cents;
  }
}

export function dayText(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

type Entry = { row: Row; withdrawn: boolean };

/** The rows of one account in memory. */
export class RowBook {
  readonly #entries = new Map<string, Entry>();
  #view: { readonly at: number; readonly booked: readonly Row[]; readonly pending: readonly Row[] } | null =
    null;

  constructor(rows: readonly Row[]) {
    for (const row of rows) this.append(row);
  }

  /** How many rows were ever entered. */
  get length(): number {
    return this.#entries.size;
  }

  append(row: Row): void {
    this.#entries.set(row.key, { row, withdrawn: false });
    this.#view = null;
  }

  bookedAt(at: number): BookedRows {
    const { booked } = this.#at(at);
    const row = (index: number): Row => booked[index] ?? unknownRow();
    return { length: booked.length, row };
  }

  pendingAt(at: number): readonly Row[] {
    return this.#at(at).pending;
  }

  /** Ends a pending row; false if no row with that key is pending then. */
  settle(key: string, at: number, vanishes: boolean): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || !isPending(entry.row, at)) return false;
    entry.row = { ...entry.row, settles: at, vanishes, day: dayText(Math.floor(at / DAY_MS)) };
    this.#view = null;
    return true;
  }

  /** Takes a booked row off the statement, or restores it; false if there is none with that key. */
  withdraw(key: string, withdrawn: boolean): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    entry.withdrawn = withdrawn;
    this.#view = null;
    return true;
  }

  #at(at: number) {
    if (this.#view?.at === at) return this.#view;
    const rows = [...this.#entries.values()]
      .filter(({ withdrawn }) => !withdrawn)
      .map(({ row }) => row)
      .reverse()
      .sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
    const booked = rows.filter((row) => row.settles <= at && !row.vanishes);
    const view = { at, booked, pending: rows.filter((row) => isPending(row, at)) };
    this.#view = view;
    return view;
  }
}

function isPending({ pendingFrom, settles }: Row, at: number): boolean {
  return pendingFrom !== null && pendingFrom <= at && at < settles;
}

function unknownRow(): never {
  throw new RangeError('no such row');
}
