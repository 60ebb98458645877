import { BankAccount, type Town } from './bank-account.ts';
import type { Banks } from './banks.ts';
import { personaOf } from './personas/catalog.ts';

/** Everybody's accounts at the simulated banks. People move in when they first sign in. */
export class World {
  readonly #town: Town;
  readonly #banks: Banks;
  readonly #accounts = new Map<string, readonly BankAccount[]>();

  constructor(town: Town, banks: Banks) {
    this.#town = town;
    this.#banks = banks;
  }

  /** The keys of the banks where somebody has accounts; empty for nobody. */
  banksOf(customer: string): readonly string[] {
    return personaOf(customer)?.banks.map(({ bank }) => bank) ?? [];
  }

  /** The accounts of somebody at a bank. */
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
