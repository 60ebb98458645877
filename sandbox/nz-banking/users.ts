import { randomBytes } from 'node:crypto';
import { digest } from '../shared/random.ts';

const DAY_MS = 86_400_000;
/** How long a full app has to wait between two refreshes of a login. */
export const REST_MS = 15 * 60_000;
/** How much history an official connection covers. */
const HISTORY_MS = 730 * DAY_MS;

/** A person's login at a bank. */
export type Authorisation = {
  readonly id: string;
  /** Key of the bank. */
  readonly bank: string;
  readonly official: boolean;
  /** How often the accounts have moved: their ids depend on it. */
  readonly generation: number;
  readonly since: number;
  /** False once the login was lost. */
  active: boolean;
  /** Epoch ms of the last fetch from the bank. */
  refreshedAt: number;
};

/** A person who shares banks with the app. */
export type User = {
  readonly id: string;
  /** Their log-in. */
  readonly customer: string;
  readonly grantedAt: number;
  /** Null once it was revoked. */
  token: string | null;
  authorisations: Authorisation[];
};

/** The vendor's users, with the one token that each gave the app. */
export class Users {
  readonly #now: () => number;
  #users: User[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  all(): readonly User[] {
    return this.#users;
  }

  /** Restores the users of an earlier run. */
  restore(users: readonly User[]): void {
    this.#users = [...users];
  }

  ofCustomer(customer: string): User | null {
    return this.#users.find((user) => user.customer === customer) ?? null;
  }

  ofToken(token: string): User | null {
    return this.#users.find((user) => user.token === token) ?? null;
  }

  ofAuthorisation(id: string): User | null {
    return this.#users.find((user) => user.authorisations.some((one) => one.id === id)) ?? null;
  }

  /** Who signed in, with the token they have given or a new one. */
  signedIn(customer: string): User {
    const known = this.ofCustomer(customer);
    if (known !== null) {
      known.token ??= newToken();
      return known;
    }
    const user: User = {
      id: `user_${digest('user', customer).slice(0, 25)}`,
      customer,
      grantedAt: this.#now(),
      token: newToken(),
      authorisations: [],
    };
    this.#users.push(user);
    return user;
  }

  /** Shares a bank, or restores a login that was lost. */
  authorise(user: User, bank: string): Authorisation {
    const held = user.authorisations.find((one) => one.bank === bank);
    if (held !== undefined) {
      held.active = true;
      held.refreshedAt = this.#now();
      return held;
    }
    return this.#add(user, bank, false, 0);
  }

  /** Moves a login to the official connection of its bank: a new one replaces it, with new ids of accounts. */
  moveToOfficial(user: User, held: Authorisation): Authorisation {
    this.end(user, held.id);
    return this.#add(user, held.bank, true, held.generation + 1);
  }

  /** Ends a login; false if the user has none with that id. */
  end(user: User, id: string): boolean {
    const before = user.authorisations.length;
    user.authorisations = user.authorisations.filter((one) => one.id !== id);
    return user.authorisations.length < before;
  }

  /** Revokes the token, and with it every login. */
  revoke(user: User): void {
    user.token = null;
    user.authorisations = [];
  }

  #add(user: User, bank: string, official: boolean, generation: number): Authorisation {
    const now = this.#now();
    const made: Authorisation = {
      id: `auth_${randomBytes(12).toString('hex')}`,
      bank,
      official,
      generation,
      since: now,
      active: true,
      refreshedAt: now,
    };
    user.authorisations.push(made);
    return made;
  }
}

/** Up to when the vendor has the bank's data: it fetches every day, and on request. */
export function viewAt(authorisation: Authorisation, now: number): number {
  if (!authorisation.active) return authorisation.refreshedAt;
  const days = Math.floor((now - authorisation.refreshedAt) / DAY_MS);
  return authorisation.refreshedAt + Math.max(0, days) * DAY_MS;
}

/** The earliest time that may be requested; null if the bank sets none. */
export function floorOf({ official, since }: Authorisation): number | null {
  return official ? since - HISTORY_MS : null;
}

function newToken(): string {
  return `user_token_${randomBytes(16).toString('hex')}`;
}
