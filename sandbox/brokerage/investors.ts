import type { Activity } from './activity.ts';
import { ComputedHistory, EVERYTHING, HeldHistory, type History } from './history.ts';
import { digitsOf, uuidOf } from './identity.ts';
import { personaOf } from './personas/catalog.ts';
import { WORLD } from './personas/instruments.ts';
import type { AccountPlan, Habit, Persona, Position } from './personas/plan.ts';

const DAY_MS = 86_400_000;

export type AccountStatus = 'open' | 'closed' | 'archived' | 'unavailable' | 'gone';

/** An account at a broker, no matter who connects it. */
export class InvestorAccount {
  readonly plan: AccountPlan;
  /** The broker's own id of it, which is kept when the connection is made again. */
  readonly institutionId: string;
  readonly number: string;
  status: AccountStatus = 'open';
  positions: readonly Position[];
  readonly #rows: Activity[];
  readonly #computed: History | null;
  /** How often the vendor has read the statement again. */
  #readings = 0;

  constructor(name: string, plan: AccountPlan, startedAt: number) {
    this.plan = plan;
    this.institutionId = digitsOf(9, 'institution account', name);
    this.number = `Q${digitsOf(9, 'number', name)}`;
    this.positions = plan.positions;
    this.#rows = [...rowsOfHabits(name, plan.habits, startedAt)];
    const today = startedAt - (startedAt % DAY_MS);
    const computed = plan.computedRows ?? 0;
    this.#computed =
      computed === 0
        ? null
        : new ComputedHistory(computed, today, (index, day) => computedRow(name, index, day));
  }

  history(now: number): History {
    if (this.#computed !== null) return this.#computed;
    const seen = this.#rows.filter(({ tradeDate }) => Date.parse(tradeDate) <= now);
    if (this.#readings === 0) return new HeldHistory(seen);
    return new HeldHistory(seen.map((row) => ({ ...row, id: uuidOf('reading', this.#readings, row.id) })));
  }

  append(rows: readonly Activity[]): void {
    this.#rows.push(...rows);
  }

  /** Removes the newest rows, like a broker that makes a correction. */
  withdraw(count: number, now: number): void {
    const newest = new HeldHistory(this.#rows.filter(({ tradeDate }) => Date.parse(tradeDate) <= now));
    const ids = new Set(newest.page(EVERYTHING, 0, count).map(({ id }) => id));
    const kept = this.#rows.filter(({ id }) => !ids.has(id));
    this.#rows.splice(0, this.#rows.length, ...kept);
  }

  /** The vendor reads the statement again: every row gets a new id. */
  reread(): void {
    this.#readings += 1;
  }
}

/** A person with a login at a broker. */
export type Investor = {
  readonly broker: string;
  readonly persona: Persona;
  readonly accounts: readonly InvestorAccount[];
};

/** Everyone at the brokers. Created on first use. */
export class Investors {
  readonly #startedAt: number;
  readonly #personas: readonly Persona[];
  readonly #investors = new Map<string, Investor>();

  constructor(startedAt: number, personas: readonly Persona[]) {
    this.#startedAt = startedAt;
    this.#personas = personas;
  }

  /** The people that a broker offers on its sign-in page. */
  offered(): readonly Persona[] {
    return this.#personas;
  }

  find(broker: string, customer: string): Investor | null {
    const key = JSON.stringify([broker, customer]);
    const known = this.#investors.get(key);
    if (known !== undefined) return known;
    const persona = personaOf(customer, this.#personas);
    if (persona === null) return null;
    const accounts = persona.accounts.map(
      (plan) => new InvestorAccount(`${key} ${plan.key}`, plan, this.#startedAt),
    );
    const investor = { broker, persona, accounts };
    this.#investors.set(key, investor);
    return investor;
  }
}

function computedRow(account: string, index: number, day: string): Activity {
  return {
    id: uuidOf('computed', account, index),
    tradeDate: `${day}T00:00:00Z`,
    settlementDate: null,
    type: index % 2 === 0 ? 'BUY' : 'SELL',
    instrument: WORLD,
    quote: null,
    currency: 'USD',
    units: index % 2 === 0 ? '1' : '-1',
    price: `${100 + (index % 50)}.${String(index % 100).padStart(2, '0')}`,
    amount: null,
    fee: null,
    description: `Trade ${index}`,
  };
}

const MONTHS_BACK = 14;
const MONTHS_AHEAD = 12;

/**
 * What a habit produces around a day. It depends only on the calendar, so a row is the same whenever the sandbox is
 * started.
 */
function rowsOfHabits(account: string, habits: readonly Habit[], startedAt: number): readonly Activity[] {
  const start = new Date(startedAt);
  const now = start.getUTCFullYear() * 12 + start.getUTCMonth();
  const rows: Activity[] = [];
  for (let month = now - MONTHS_BACK; month <= now + MONTHS_AHEAD; month++) {
    for (const [at, habit] of habits.entries()) {
      for (let time = 1; time <= (habit.times ?? 1); time++)
        rows.push(rowOf(account, habit, { month, at, time }));
    }
  }
  return rows;
}

function rowOf(
  account: string,
  habit: Habit,
  { month, at, time }: { readonly month: number; readonly at: number; readonly time: number },
): Activity {
  const date = `${Math.floor(month / 12)}-${two((month % 12) + 1)}-${two(habit.day)}`;
  const cents =
    habit.priceCents === undefined ? null : habit.priceCents + (habit.riseCents ?? 0) * (month % 240);
  return {
    id: uuidOf('activity', account, date, at, time),
    tradeDate: `${date}T${habit.time ?? '00:00:00'}Z`,
    settlementDate: `${daysAfter(date, 2)}T00:00:00Z`,
    type: habit.type,
    instrument: habit.instrument ?? null,
    quote: habit.quote ?? null,
    currency: habit.currency,
    units: habit.units ?? null,
    price: cents === null ? null : `${Math.floor(cents / 100)}.${two(cents % 100)}`,
    amount: habit.amount ?? null,
    fee: habit.fee ?? null,
    description: habit.description,
  };
}

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
