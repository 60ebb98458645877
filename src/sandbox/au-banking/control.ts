import type { Bank } from './bank.ts';
import type { AccountState, BankAccount, Customer } from './bank-account.ts';
import type { Consent, Consents } from './consents.ts';
import type { ArmedFault, FaultSpec, Faults } from './faults.ts';
import { type InstitutionStatus, type Institutions, SANDBOX_INSTITUTION } from './institutions.ts';
import { ControlError, type NewTransaction, rowFrom } from './new-row.ts';
import { personaOf } from './personas/catalog.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import type { SeenRow } from './rows/row.ts';

export type CustomerSummary = {
  readonly institution: string;
  readonly customer: string;
  readonly name: string;
  readonly accounts: readonly {
    readonly accountId: string;
    readonly name: string;
    readonly currency: string;
    readonly state: AccountState;
    readonly rows: number;
  }[];
};

export type ConsentSummary = Pick<
  Consent,
  'arrangementId' | 'endUserId' | 'institutionId' | 'customer' | 'accountIds'
> & {
  readonly active: boolean;
};

export type NewCustomer = {
  /** Default the sandbox bank. */
  readonly institution?: string;
  /** The log-in to create, or `rows:N`. */
  readonly customer: string;
  readonly name?: string;
  /** The persona whose accounts and habits the new customer gets; needed unless the log-in is `rows:N`. */
  readonly like?: string;
};

export type PendingRow = {
  readonly fiskilId: string;
  readonly amount: string;
  readonly description: string;
  readonly dated: boolean;
};

/** What a person or a test may do to the simulated banks. Methods throw {@link ControlError} on bad input. */
export class AuBankingControl {
  readonly #bank: Bank;
  readonly #consents: Consents;
  readonly #institutions: Institutions;
  readonly #faults: Faults;
  readonly #log: RequestLog;
  readonly #now: () => number;
  readonly #changed: () => void;

  constructor(
    parts: { bank: Bank; consents: Consents; institutions: Institutions; faults: Faults; log: RequestLog },
    now: () => number,
    changed: () => void,
  ) {
    this.#bank = parts.bank;
    this.#consents = parts.consents;
    this.#institutions = parts.institutions;
    this.#faults = parts.faults;
    this.#log = parts.log;
    this.#now = now;
    this.#changed = changed;
  }

  /** Customers somebody has asked for so far. */
  customers(): readonly CustomerSummary[] {
    return this.#bank.customers().map((customer) => this.#summary(customer));
  }

  createCustomer(input: NewCustomer): CustomerSummary {
    const institution = input.institution ?? SANDBOX_INSTITUTION;
    if (!this.#institutions.get(institution)) throw new ControlError('There is no such institution.');
    const persona = personaOf(input.like ?? input.customer);
    if (!persona) throw new ControlError('like must name a persona, or customer must be rows:N.');
    const existing = input.like === undefined ? this.#bank.find(institution, input.customer) : null;
    if (existing) return this.#summary(existing);
    try {
      const { customer, name = persona.name } = input;
      return this.#summary(this.#bank.moveIn(institution, { ...persona, customer, name }));
    } catch (error) {
      throw new ControlError(error instanceof Error ? error.message : 'The customer could not be created.');
    }
  }

  /** Enters rows and returns their vendor ids in the same order. All or none. */
  appendTransactions(accountId: string, rows: readonly NewTransaction[]): readonly string[] {
    const account = this.#account(accountId);
    const now = this.#now();
    const first = account.book.length;
    const made = rows.map((row, index) => rowFrom(row, `added-${first + index}`, account.currency, now));
    return made.map((row) => account.book.append(row));
  }

  pendingRows(accountId: string): readonly PendingRow[] {
    return this.#held(accountId)
      .filter((row) => row.status === 'PENDING')
      .map(({ fiskilId, facts, effective }) => ({
        fiskilId,
        amount: facts.amount,
        description: facts.description,
        dated: effective !== null,
      }));
  }

  /** Posts a pending row now, under a new id. */
  settle(fiskilId: string): void {
    this.#pending((account, now) => account.book.settle(fiskilId, now));
  }

  /** Makes a pending row vanish. */
  drop(fiskilId: string): void {
    this.#pending((account, now) => account.book.drop(fiskilId, now));
  }

  /** Changes a pending row in place; its id stays. */
  change(fiskilId: string, change: { readonly amount?: string; readonly description?: string }): void {
    if (change.amount !== undefined) rowFrom({ amount: change.amount, description: '' }, '', 'AUD', 0);
    this.#pending((account, now) => account.book.change(fiskilId, now, change));
  }

  consents(): readonly ConsentSummary[] {
    return this.#consents.all().map((consent) => {
      const { arrangementId, endUserId, institutionId, customer, accountIds } = consent;
      return {
        arrangementId,
        endUserId,
        institutionId,
        customer,
        accountIds,
        active: this.#consents.isActive(consent),
      };
    });
  }

  /** As if the person had withdrawn it at the bank. */
  revokeConsent(arrangementId: string, reason = 'Revoked by the account holder at the institution'): void {
    if (!this.#consents.end(arrangementId, reason)) throw new ControlError('There is no such consent.');
    this.#changed();
  }

  expireConsent(arrangementId: string): void {
    if (!this.#consents.expire(arrangementId)) throw new ControlError('There is no such consent.');
    this.#changed();
  }

  setInstitutionStatus(id: string, status: InstitutionStatus): void {
    const institution = this.#institutions.get(id);
    if (!institution) throw new ControlError('There is no such institution.');
    institution.status = status;
  }

  setAccountState(accountId: string, state: AccountState): void {
    this.#account(accountId).state = state;
  }

  /** Arms a fault and returns its number. */
  addFault(spec: FaultSpec): number {
    return this.#faults.add(spec);
  }

  faults(): readonly ArmedFault[] {
    return this.#faults.list();
  }

  removeFault(id: number): void {
    if (!this.#faults.remove(id)) throw new ControlError('There is no such fault.');
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  requests(): readonly LoggedRequest[] {
    return this.#log.list();
  }

  clearRequests(): void {
    this.#log.clear();
  }

  /** How many rows the bank has right now, of one account or of every account touched so far. */
  rowsAtBank(accountId?: string, options: { readonly includePending?: boolean } = {}): number {
    const accounts = accountId === undefined ? this.#bank.accounts() : [this.#account(accountId)];
    return accounts.reduce((sum, account) => sum + this.#count(account, options.includePending ?? true), 0);
  }

  /** Forgets faults and the request log; data stays. */
  clear(): void {
    this.clearFaults();
    this.clearRequests();
  }

  #count(account: BankAccount, includePending: boolean): number {
    const held = account.book.at(this.#now()).filter((row) => includePending || row.status === 'POSTED');
    return held.length + (account.computed?.count ?? 0);
  }

  #held(accountId: string): readonly SeenRow[] {
    return this.#account(accountId).book.at(this.#now());
  }

  #pending(act: (account: BankAccount, now: number) => boolean): void {
    const now = this.#now();
    if (!this.#bank.accounts().some((account) => act(account, now))) {
      throw new ControlError('No pending row has that id now.');
    }
  }

  #account(accountId: string): BankAccount {
    const account = this.#bank.account(accountId);
    if (!account)
      throw new ControlError('There is no such account; its customer has not been created or asked for yet.');
    return account;
  }

  #summary(customer: Customer): CustomerSummary {
    return {
      institution: customer.institutionId,
      customer: customer.customer,
      name: customer.name,
      accounts: customer.accounts.map((account) => ({
        accountId: account.accountId,
        name: String(account.detail.display_name ?? ''),
        currency: account.currency,
        state: account.state,
        rows: this.#count(account, true),
      })),
    };
  }
}
