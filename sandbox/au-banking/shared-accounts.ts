import type { Bank } from './bank.ts';
import type { BankAccount } from './bank-account.ts';
import type { Consent, Consents } from './consents.ts';

/** An account as shared by one consent. */
export type SharedAccount = { readonly consent: Consent; readonly account: BankAccount };

/** When the vendor's first, asynchronous copy of a new consent is available. Milliseconds of sandbox time. */
export type SyncDelays = { readonly first: number; readonly history: number };

/** What an end user currently shares: active consents, first sync done, account still at the bank. */
export class SharedAccounts {
  readonly #bank: Bank;
  readonly #consents: Consents;
  readonly #delays: SyncDelays;
  readonly #now: () => number;

  constructor(bank: Bank, consents: Consents, delays: SyncDelays, now: () => number) {
    this.#bank = bank;
    this.#consents = consents;
    this.#delays = delays;
    this.#now = now;
  }

  of(endUserId: string, permission: string): readonly SharedAccount[] {
    const now = this.#now();
    return this.#consents
      .activeOf(endUserId)
      .filter((consent) => consent.permissions.includes(permission))
      .filter((consent) => now >= consent.createdAt + this.#delays.first)
      .flatMap((consent) => this.#accounts(consent).map((account) => ({ consent, account })));
  }

  /** When the recent data of a consent is available, and when all of it is. Epoch ms. */
  readyAt(consent: Consent): { readonly first: number; readonly history: number } {
    const first = consent.createdAt + this.#delays.first;
    return { first, history: first + this.#delays.history };
  }

  /** During the first sync only recent rows are available: the earliest instant shown, or null for all. */
  historyFrom(consent: Consent): number | null {
    return this.#now() < this.readyAt(consent).history ? consent.createdAt - 90 * 86_400_000 : null;
  }

  #accounts(consent: Consent): readonly BankAccount[] {
    const accounts = this.#bank.find(consent.institutionId, consent.customer)?.accounts ?? [];
    return accounts.filter(
      (account) => account.state !== 'GONE' && consent.accountIds.includes(account.accountId),
    );
  }
}
