import { ControlError } from '../shared/control.ts';
import { isDecimal } from '../shared/decimal.ts';
import { digest, type NonEmpty, seededRandom, seedOf } from '../shared/random.ts';
import { type AccountPlan, type Organisation, type Persona, personaOf } from './personas.ts';

const DAY_MS = 86_400_000;
const NOON_MS = DAY_MS / 2;
/** How far back the bridge has copied. */
const HISTORY_DAYS = 200;
/** The same for log-ins with a given number of rows, whose newest are old enough to have been posted. */
const ROWS_DAYS = 400;
const ROWS_AGE_DAYS = 5;
/** From a purchase to its posting. */
const HOLD_DAYS = 2;

const SHOPS: NonEmpty<readonly [payee: string, from: number, to: number]> = [
  ['Corner Grocery', 1_850, 14_200],
  ['Second Cup Coffee', 450, 1_890],
  ['Metro Transit', 275, 1_100],
  ['Noodle Lane', 1_490, 4_260],
  ['Northside Fuel', 3_000, 8_500],
];

/** One transaction. Money is in cents, negative if it leaves the account. Times are epoch ms. */
export interface Movement {
  readonly id: string;
  readonly madeAt: number;
  /** Until then it is pending. */
  readonly postsAt: number;
  readonly cents: number;
  readonly description: string;
  readonly payee: string;
  readonly memo: string;
}

/** An account as the bridge has it. */
export class BridgeAccount {
  readonly id: string;
  readonly plan: AccountPlan;
  closed = false;
  /** Whether the bridge could not read it last time. */
  failed = false;
  readonly #owner: string;
  readonly #rows: number | null;
  readonly #startedAt: number;
  #nextDay: number;
  /** Oldest first. */
  #movements: Movement[] = [];

  constructor(owner: string, plan: AccountPlan, rows: number | null, startedAt: number) {
    this.#owner = owner;
    this.plan = plan;
    this.#rows = rows;
    this.#startedAt = startedAt;
    this.id = `ACT-${digest(owner, plan.organisation.key, plan.key).slice(0, 24)}`;
    this.#nextDay = dayOf(startedAt) - HISTORY_DAYS;
    if (rows !== null) this.#movements = this.#computed(rows);
  }

  /** Everything until now, oldest first. */
  movements(now: number): readonly Movement[] {
    this.#live(now);
    return this.#movements.filter(({ madeAt }) => madeAt <= now);
  }

  /** In cents. */
  balance(now: number): { readonly current: number; readonly available: number } {
    const rows = this.movements(now);
    const sum = (some: readonly Movement[]) => some.reduce((total, { cents }) => total + cents, 0);
    const posted = sum(rows.filter(({ postsAt }) => postsAt <= now));
    const current = this.plan.openingCents + posted;
    return { current, available: this.plan.openingCents + sum(rows) };
  }

  enter(movement: Movement, now: number): void {
    this.#live(now);
    this.#movements.push(movement);
  }

  /** Posts a pending row now; null removes it. False if there is none. */
  settle(id: string, now: number, posts: boolean): boolean {
    const found = this.movements(now).find((one) => one.id === id && one.postsAt > now);
    if (found === undefined) return false;
    this.#movements = this.#movements.filter((one) => one !== found);
    if (posts) this.#movements.push({ ...found, postsAt: now });
    return true;
  }

  #live(now: number): void {
    if (this.#rows !== null) return;
    for (; this.#nextDay <= dayOf(now); this.#nextDay++)
      for (const one of this.#day(this.#nextDay)) this.#movements.push(one);
  }

  #day(day: number): readonly Movement[] {
    const random = seededRandom(seedOf(this.#owner, this.plan.key, day));
    const found: Movement[] = [];
    if (this.plan.income > 0 && new Date(day * DAY_MS).getUTCDate() === 1)
      found.push(this.#movement(day, 'income', this.plan.income, 'Prairie Payroll', 0));
    if (random.chance(this.plan.activity)) {
      const [payee, from, to] = random.pick(SHOPS);
      found.push(this.#movement(day, 'shop', -random.int(from, to), payee, HOLD_DAYS));
    }
    return found;
  }

  #movement(day: number, what: string, cents: number, payee: string, holdDays: number): Movement {
    return {
      id: `TRN-${digest(this.id, day, what).slice(0, 24)}`,
      madeAt: day * DAY_MS + NOON_MS,
      postsAt: (day + holdDays) * DAY_MS + NOON_MS,
      cents,
      description: `${payee.toUpperCase()} ${String(day % 9_000)}`,
      payee,
      memo: '',
    };
  }

  #computed(count: number): Movement[] {
    const newest = (dayOf(this.#startedAt) - ROWS_AGE_DAYS) * DAY_MS;
    const every = Math.floor((ROWS_DAYS * DAY_MS) / Math.max(1, count));
    return Array.from({ length: count }, (_, index) => {
      const at = newest - (count - index) * every;
      return {
        id: `TRN-${digest(this.id, 'computed', index).slice(0, 24)}`,
        madeAt: at,
        postsAt: at,
        cents: -(100 + ((index * 37) % 4_901)),
        description: `Purchase ${index}`,
        payee: `Purchase ${index}`,
        memo: '',
      };
    });
  }
}

/** A user of the bridge. */
export interface BridgeUser {
  readonly logIn: string;
  readonly name: string;
  readonly accounts: readonly BridgeAccount[];
}

/** A login of a user at an organisation, by which version 2 groups accounts. */
export function connectionId(user: BridgeUser, organisation: Organisation): string {
  return `CON-${digest(user.logIn, organisation.key).slice(0, 24)}`;
}

/** Every user of the bridge; they are created on first use. */
export class Bank {
  readonly #seed: number;
  readonly #startedAt: number;
  readonly #users = new Map<string, BridgeUser>();
  /** Organisations that want their customers to sign in again, by key. */
  readonly lostLogins = new Set<string>();

  /** @param startedAt epoch ms */
  constructor(seed: number, startedAt: number) {
    this.#seed = seed;
    this.#startedAt = startedAt;
  }

  find(logIn: string): BridgeUser | null {
    const known = this.#users.get(logIn);
    if (known !== undefined) return known;
    const persona = personaOf(logIn);
    if (persona === null) return null;
    const made = this.#user(persona);
    this.#users.set(logIn, made);
    return made;
  }

  users(): readonly BridgeUser[] {
    return [...this.#users.values()];
  }

  /** By its id, also with the organisation in front as the service stores it. @throws ControlError */
  account(given: string): BridgeAccount {
    const id = given.slice(given.indexOf(':') + 1);
    const found = this.users()
      .flatMap(({ accounts }) => accounts)
      .find((one) => one.id === id);
    if (found === undefined) throw new ControlError('There is no such account.');
    return found;
  }

  #user({ logIn, name, accounts, rows }: Persona): BridgeUser {
    const owner = `${this.#seed}/${logIn}`;
    return {
      logIn,
      name,
      accounts: accounts.map(
        (plan, at) => new BridgeAccount(owner, plan, at === 0 ? rows : null, this.#startedAt),
      ),
    };
  }
}

/** A row entered by hand. */
export interface NewTransaction {
  /** Decimal text, negative for money out, with at most two decimals. */
  readonly amount: string;
  readonly description: string;
  /** Default POSTED; one that is PENDING stays so until it is settled by hand. */
  readonly status?: 'PENDING' | 'POSTED';
  /** RFC 3339; default now. */
  readonly createdAt?: string;
}

const NEVER = 8.64e15;

/** @throws ControlError on bad input */
export function movementOf(
  { amount, description, status, createdAt }: NewTransaction,
  id: string,
  now: number,
): Movement {
  const at = createdAt === undefined ? now : Date.parse(createdAt);
  if (!(at <= now)) throw new ControlError('createdAt must be a moment, and not one to come.');
  const [units = '', fraction = ''] = amount.split('.');
  const cents = Number(`${units}${fraction.padEnd(2, '0')}`);
  if (!isDecimal(amount) || fraction.length > 2 || !Number.isSafeInteger(cents))
    throw new ControlError('amount must be a decimal number with at most two decimals.');
  return {
    id,
    madeAt: at,
    postsAt: status === 'PENDING' ? NEVER : at,
    cents,
    description,
    payee: description,
    memo: '',
  };
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}
