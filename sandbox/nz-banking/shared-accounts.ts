import { BankAccount, type Town } from './bank-account.ts';
import type { Bank, Banks } from './banks.ts';
import { personaOf } from './personas/catalog.ts';
import { type Authorisation, type User, type Users, viewAt } from './users.ts';
import type { Webhooks } from './webhooks.ts';

/** An account as currently shared by one user. */
export type SharedAccount = {
  readonly id: string;
  readonly user: User;
  readonly authorisation: Authorisation;
  readonly bank: Bank;
  readonly account: BankAccount;
  /** Epoch ms up to which the vendor has fetched the bank's data. */
  readonly seenAt: number;
};

/** What people share: the accounts behind their logins. */
export class SharedAccounts {
  readonly #users: Users;
  readonly #banks: Banks;
  readonly #world: World;
  readonly #now: () => number;
  readonly #firstSyncMs: number;

  constructor(users: Users, banks: Banks, world: World, now: () => number, firstSyncMs: number) {
    this.#users = users;
    this.#banks = banks;
    this.#world = world;
    this.#now = now;
    this.#firstSyncMs = firstSyncMs;
  }

  /** Everything that a user shares. */
  of(user: User): readonly SharedAccount[] {
    return user.authorisations.flatMap((authorisation) => this.under(user, authorisation));
  }

  /** The accounts of one login. */
  under(user: User, authorisation: Authorisation): readonly SharedAccount[] {
    const bank = this.#banks.get(authorisation.bank);
    if (bank === null) return [];
    return this.#world
      .accounts(user.customer, authorisation.bank)
      .filter(({ state }) => state === 'OPEN')
      .map((account) => ({
        id: account.idAt(authorisation.generation),
        user,
        authorisation,
        bank,
        account,
        seenAt: viewAt(authorisation, this.#now()),
      }));
  }

  /** An account that is shared, by the vendor's id. */
  find(id: string): SharedAccount | null {
    return this.all().find((one) => one.id === id) ?? null;
  }

  all(): readonly SharedAccount[] {
    return this.#users.all().flatMap((user) => this.of(user));
  }

  /** Whether the vendor has copied the account's rows at least once. */
  isCopied({ authorisation }: SharedAccount): boolean {
    return this.#now() >= authorisation.since + this.#firstSyncMs;
  }
}

/** Everyone's accounts at the simulated banks. People are created when they first sign in. */
export class World {
  readonly #town: Town;
  readonly #banks: Banks;
  readonly #accounts = new Map<string, readonly BankAccount[]>();

  constructor(town: Town, banks: Banks) {
    this.#town = town;
    this.#banks = banks;
  }

  /** The keys of the banks where a person has accounts; empty for an unknown person. */
  banksOf(customer: string): readonly string[] {
    return personaOf(customer)?.banks.map(({ bank }) => bank) ?? [];
  }

  /** The accounts of a person at a bank. */
  accounts(customer: string, bank: string): readonly BankAccount[] {
    const key = `${customer}/${bank}`;
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const plans = personaOf(customer)?.banks.find((plan) => plan.bank === bank)?.accounts ?? [];
    const bankNumber = this.#banks.get(bank)?.number ?? '00';
    const made = plans.map((plan) => new BankAccount(this.#town, { customer, bank, bankNumber }, plan));
    this.#accounts.set(key, made);
    return made;
  }
}

/** What a move needs. */
export type MoveParts = {
  readonly users: Users;
  readonly accounts: SharedAccounts;
  readonly webhooks: Webhooks;
};

/** Moves a login to the official connection of its bank, and sends a notification about every account with a new id. */
export function moveToOfficial(
  { users, accounts, webhooks }: MoveParts,
  user: User,
  login: Authorisation,
): Authorisation {
  const before = accounts.under(user, login);
  const next = users.moveToOfficial(user, login);
  for (const { id, account } of before) {
    webhooks.notify(user, 'ACCOUNT', {
      webhook_code: 'MIGRATE',
      previous_item_id: id,
      new_item_id: account.idAt(next.generation),
    });
  }
  return next;
}
