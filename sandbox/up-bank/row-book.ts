import { dayNumber } from './days.ts';
import { type Movement, movement } from './movement.ts';
import { comesFirst, type Place, placeOf, type Rows, totalOf } from './rows.ts';

/** What happens on a day, by its number. */
export type DayPlan = (day: number) => readonly Movement[];

/** Movements in memory: those of a person's days up to now, and what was entered by hand. */
export class RowBook implements Rows {
  readonly #plan: DayPlan;
  #nextDay: number;
  /** Newest first. */
  #movements: Movement[] = [];

  /** @param firstDay number of the day on which the account was opened */
  constructor(plan: DayPlan, firstDay: number) {
    this.#plan = plan;
    this.#nextDay = firstDay;
  }

  *newestFirst(now: number, after: Place | null): Generator<Movement> {
    this.#live(now);
    for (const one of this.#movements) {
      if (one.createdAt > now) continue;
      if (after === null || comesFirst(after, placeOf(one))) yield one;
    }
  }

  total(now: number): ReturnType<Rows['total']> {
    return totalOf(this.newestFirst(now, null), now);
  }

  enter(one: Movement, now: number): void {
    this.#live(now);
    this.#movements.push(one);
    this.#sort();
  }

  find(id: string, now: number): Movement | null {
    this.#live(now);
    return this.#movements.find((one) => one.id === id && one.createdAt <= now) ?? null;
  }

  /** Replaces a movement, or removes it; false if there is none. */
  replace(id: string, now: number, change: Partial<Movement> | null): boolean {
    const found = this.find(id, now);
    if (found === null) return false;
    this.#movements = this.#movements.filter((one) => one !== found);
    if (change !== null) this.#movements.push(movement({ ...found, ...change }));
    this.#sort();
    return true;
  }

  #live(now: number): void {
    const today = dayNumber(now);
    if (this.#nextDay > today) return;
    for (; this.#nextDay <= today; this.#nextDay++)
      for (const one of this.#plan(this.#nextDay)) this.#movements.push(one);
    this.#sort();
  }

  #sort(): void {
    this.#movements.sort((a, b) => (comesFirst(placeOf(a), placeOf(b)) ? -1 : 1));
  }
}
