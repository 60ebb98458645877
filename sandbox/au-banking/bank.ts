import { sumDecimals } from '../shared/decimal.ts';
import { type AccountState, type BankAccount, type Customer, declaredTerms } from './bank-account.ts';
import type { BankDataset, DatasetAccount } from './dataset/bank-dataset.ts';
import { PERSONAS, personaOf } from './personas/catalog.ts';
import type { Persona } from './personas/plan.ts';
import { settleIn, type Town } from './personas/settle-in.ts';
import { RowBook } from './rows/row-book.ts';

/** Every customer of every simulated bank. Personas are created on first use. */
export class Bank {
  readonly #town: Town;
  readonly #customers = new Map<string, Customer>();
  /** Banks whose customers come only from a data file. */
  readonly #filed = new Set<string>();

  constructor(town: Town, dataset: BankDataset | undefined) {
    this.#town = town;
    for (const holder of dataset?.holders ?? []) {
      this.#filed.add(holder.id);
      for (const { customer, name, accounts } of holder.customers) {
        this.add({
          institutionId: holder.id,
          customer,
          name,
          summary: `${accounts.length} account${accounts.length === 1 ? '' : 's'} from the data file`,
          accounts: accounts.map((account) => filedAccount(holder.id, customer, account)),
        });
      }
    }
  }

  /** Adds a customer. Throws if the log-in is taken at that bank. */
  add(customer: Customer): Customer {
    const key = `${customer.institutionId}/${customer.customer}`;
    if (this.#customers.has(key)) throw new Error(`The log-in ${customer.customer} is taken at this bank.`);
    this.#customers.set(key, customer);
    return customer;
  }

  /** A customer by log-in; personas and `rows:N` are created on first use. */
  find(institutionId: string, customer: string): Customer | null {
    const known = this.#customers.get(`${institutionId}/${customer}`);
    if (known || this.#filed.has(institutionId)) return known ?? null;
    const persona = personaOf(customer);
    return persona && this.moveIn(institutionId, persona);
  }

  /** Creates a new person with the habits of a persona, but their own accounts and numbers. */
  moveIn(institutionId: string, persona: Persona): Customer {
    return this.add(settleIn(this.#town, institutionId, persona));
  }

  /** The customers that a bank's log-in page offers: existing ones and, at persona banks, all personas. */
  offered(institutionId: string): readonly Pick<Customer, 'customer' | 'name' | 'summary'>[] {
    const present = [...this.#customers.values()].filter((entry) => entry.institutionId === institutionId);
    if (this.#filed.has(institutionId)) return present;
    const known = new Set(PERSONAS.map((persona) => persona.customer));
    return [...PERSONAS, ...present.filter((entry) => !known.has(entry.customer))];
  }

  acceptsAnyRowCount(institutionId: string): boolean {
    return !this.#filed.has(institutionId);
  }

  customers(): readonly Customer[] {
    return [...this.#customers.values()];
  }

  accounts(): readonly BankAccount[] {
    return this.customers().flatMap((customer) => customer.accounts);
  }

  account(accountId: string): BankAccount | null {
    return this.accounts().find((account) => account.accountId === accountId) ?? null;
  }

  setAccountState(accountId: string, state: AccountState): boolean {
    const account = this.account(accountId);
    if (account) account.state = state;
    return account !== null;
  }
}

function filedAccount(institutionId: string, customer: string, filed: DatasetAccount): BankAccount {
  const book = new RowBook(`${institutionId}/${customer}/${filed.accountId}`, filed.rows);
  const posted = filed.rows.filter((row) => row.pending === null).map((row) => row.facts.amount);
  return {
    accountId: filed.accountId,
    institutionId,
    currency: filed.currency,
    detail: filed.detail,
    terms: {
      ...(filed.balance ? declaredTerms(filed.balance, sumDecimals(posted)) : declaredTerms(null, '0.00')),
      creditLimit: filed.balance?.creditLimit ?? null,
      amortisedLimit: filed.balance?.amortisedLimit ?? null,
      purses: filed.balance?.purses ?? null,
    },
    book,
    computed: null,
    state: filed.closed ? 'CLOSED' : 'OPEN',
  };
}
