import { ComputedRows } from './computed-rows.ts';
import { type Customer, customerId, UpAccount } from './customer.ts';
import { dayNumber, onDay } from './days.ts';
import { PERSONAS, type Persona, ROWS_ACCOUNT, rowCountOf } from './personas/catalog.ts';
import { type Booked, dayOf } from './personas/spending.ts';
import { RowBook } from './row-book.ts';

/** How long a person has been with the bank. */
const HISTORY_DAYS = 420;
/** The newest of computed rows has settled. */
const COMPUTED_AGE_DAYS = 5;

/** Every customer of the simulated bank. They are created on first use. */
export class Bank {
  readonly #seed: number;
  readonly #startedAt: number;
  readonly #customers = new Map<string, Customer>();
  /** Whether it currently refuses all calls. */
  outage = false;

  /** @param startedAt epoch ms; people have been customers since long before */
  constructor(seed: number, startedAt: number) {
    this.#seed = seed;
    this.#startedAt = startedAt;
  }

  /** The customer of a log-in, or null. */
  find(logIn: string): Customer | null {
    const known = this.#customers.get(logIn);
    if (known !== undefined) return known;
    const persona = PERSONAS.find((one) => one.logIn === logIn);
    const count = rowCountOf(logIn);
    const made =
      persona !== undefined ? this.#living(persona) : count === null ? null : this.#computed(logIn, count);
    if (made !== null) this.#customers.set(logIn, made);
    return made;
  }

  /** Customers used so far. */
  customers(): readonly Customer[] {
    return [...this.#customers.values()];
  }

  account(id: string): UpAccount | null {
    return (
      this.customers()
        .flatMap(({ accounts }) => accounts)
        .find((one) => one.id === id) ?? null
    );
  }

  #living({ logIn, name, accounts, wallet }: Persona): Customer {
    const owner = `${this.#seed}/${logIn}`;
    const firstDay = dayNumber(this.#startedAt) - HISTORY_DAYS;
    const life = wallet(owner);
    const lived = new Map<number, readonly Booked[]>();
    const booked = (day: number): readonly Booked[] => {
      const known = lived.get(day) ?? (life === null ? [] : dayOf(life, day));
      lived.set(day, known);
      return known;
    };
    return {
      id: customerId(owner),
      logIn,
      name,
      accounts: accounts.map((facts) => {
        const opened: UpAccount = new UpAccount(
          owner,
          { ...facts, openedAt: onDay(firstDay, 0) },
          new RowBook(
            (day) =>
              booked(day).flatMap(({ account, movement }) => (account === opened.id ? [movement] : [])),
            firstDay,
          ),
        );
        return opened;
      }),
    };
  }

  #computed(logIn: string, count: number): Customer {
    const owner = `${this.#seed}/${logIn}`;
    const today = dayNumber(this.#startedAt);
    const rows = new ComputedRows(owner, count, onDay(today - COMPUTED_AGE_DAYS, 720));
    const facts = { ...ROWS_ACCOUNT, openedAt: onDay(today - 3 * HISTORY_DAYS, 0) };
    return {
      id: customerId(owner),
      logIn,
      name: 'Max',
      accounts: [new UpAccount(owner, facts, new RowBook(() => [], today), rows)],
    };
  }
}
