import type { BankAccount } from './bank-account.ts';
import type { Bank, Banks } from './banks.ts';
import { type Authorisation, type User, type Users, viewAt } from './users.ts';
import type { World } from './world.ts';

/** An account as one user shares it now. */
export type SharedAccount = {
  readonly id: string;
  readonly user: User;
  readonly authorisation: Authorisation;
  readonly bank: Bank;
  readonly account: BankAccount;
  /** Epoch ms up to which the vendor has seen the bank's data. */
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

  /** An account that somebody shares, by the vendor's id. */
  find(id: string): SharedAccount | null {
    return this.all().find((one) => one.id === id) ?? null;
  }

  all(): readonly SharedAccount[] {
    return this.#users.all().flatMap((user) => this.of(user));
  }

  /** Whether the vendor has copied the account's rows once. */
  isCopied({ authorisation }: SharedAccount): boolean {
    return this.#now() >= authorisation.since + this.#firstSyncMs;
  }
}
