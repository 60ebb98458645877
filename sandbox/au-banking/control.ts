import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { People } from '../shared/simulator.ts';
import type { SentWebhook } from '../shared/webhook-sender.ts';
import type { Bank } from './bank.ts';
import type { AccountState, BankAccount, Customer } from './bank-account.ts';
import type { Consent, Consents } from './consents.ts';
import type { EndUser, EndUsers } from './end-users.ts';
import { type InstitutionStatus, type Institutions, SANDBOX_INSTITUTION } from './institutions.ts';
import { amendmentFrom, type NewTransaction, type PostedChange, rowFrom } from './new-row.ts';
import type { Notifications, VendorEvent } from './notifications.ts';
import { personaOf } from './personas/catalog.ts';
import type { SeenRow } from './rows/row.ts';
import { AU_BANKING_WIRE } from './wire.ts';

type CustomerSummary = {
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

type ConsentSummary = Pick<
  Consent,
  'arrangementId' | 'endUserId' | 'institutionId' | 'customer' | 'accountIds'
> & {
  readonly active: boolean;
};

type NewCustomer = {
  /** Default: the sandbox bank. */
  readonly institution?: string;
  /** The log-in to create, or `rows:N`. */
  readonly customer: string;
  readonly name?: string;
  /** The persona whose accounts and habits the new customer gets; needed unless the log-in is `rows:N`. */
  readonly like?: string;
};

type PendingRow = {
  readonly id: string;
  readonly amount: string;
  readonly description: string;
  readonly dated: boolean;
};

/** What a person or a test may do to the simulated banks. Methods throw {@link ControlError} on bad input. */
export class AuBankingControl extends SimulatorControl implements People {
  readonly #bank: Bank;
  readonly #users: EndUsers;
  readonly #consents: Consents;
  readonly #institutions: Institutions;
  readonly #notifications: Notifications;
  readonly #now: () => number;
  readonly #changed: () => void;

  constructor(
    parts: {
      bank: Bank;
      users: EndUsers;
      consents: Consents;
      institutions: Institutions;
      notifications: Notifications;
      faults: Faults;
      log: RequestLog;
    },
    now: () => number,
    changed: () => void,
  ) {
    super(parts.faults, parts.log, { wire: AU_BANKING_WIRE, now });
    this.#bank = parts.bank;
    this.#users = parts.users;
    this.#consents = parts.consents;
    this.#institutions = parts.institutions;
    this.#notifications = parts.notifications;
    this.#now = now;
    this.#changed = changed;
  }

  /** Customers used so far. */
  customers(): readonly CustomerSummary[] {
    return this.#bank.customers().map((customer) => this.#summary(customer));
  }

  /** The log-ins that a bank offers; `rows:N` also works at persona banks. Empty for an unknown bank. */
  logIns(institution: string): readonly string[] {
    if (!this.#institutions.get(institution)) return [];
    const offered = this.#bank.offered(institution).map(({ customer }) => customer);
    return this.#bank.acceptsAnyRowCount(institution) ? [...offered, 'rows:N'] : offered;
  }

  /** Whether a bank knows the log-in. */
  knows(institution: string, customer: string): boolean {
    return this.#bank.find(institution, customer) !== null;
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
    const ids = made.map((row) => account.book.append(row));
    this.#notifications.rowsChanged(accountId);
    return ids;
  }

  pendingRows(accountId: string): readonly PendingRow[] {
    return this.#held(accountId)
      .filter((row) => row.status === 'PENDING')
      .map(({ fiskilId, facts, effective }) => ({
        id: fiskilId,
        amount: facts.amount,
        description: facts.description,
        dated: effective !== null,
      }));
  }

  /** Posts a pending row now, with a new id. */
  settle(fiskilId: string): void {
    this.#pending((account, now) => account.book.settle(fiskilId, now));
  }

  /** Makes a pending row vanish. */
  drop(fiskilId: string): void {
    this.#pending((account, now) => account.book.drop(fiskilId, now));
  }

  /** Changes a pending row in place; its id does not change. */
  change(fiskilId: string, change: { readonly amount?: string; readonly description?: string }): void {
    if (change.amount !== undefined) rowFrom({ amount: change.amount, description: '' }, '', 'AUD', 0);
    this.#pending((account, now) => account.book.change(fiskilId, now, change));
  }

  /** Changes a posted row of a statement in memory in place; its id does not change. */
  amend(fiskilId: string, change: PostedChange): void {
    const amendment = amendmentFrom(change);
    this.#posted((account) => account.book.amend(fiskilId, amendment));
  }

  /** Withdraws a posted row of a statement in memory, like a bank that makes a correction; `restore` brings it back. */
  withdraw(fiskilId: string): void {
    this.#posted((account) => account.book.withdraw(fiskilId, true));
  }

  restore(fiskilId: string): void {
    this.#posted((account) => account.book.withdraw(fiskilId, false));
  }

  /** Everyone the vendor knows, oldest first. */
  endUsers(): readonly EndUser[] {
    return this.#users.all();
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

  /** Sends one notification about a consent, whatever happened, and returns its message id. */
  notify(event: VendorEvent, arrangementId: string): string {
    return this.#notifications.send(event, arrangementId);
  }

  /** The latest attempts at notifications, oldest first. */
  notifications(): readonly SentWebhook[] {
    return this.#notifications.sender?.sent() ?? [];
  }

  /** Resolves once no notification is in flight. */
  async notificationsSent(): Promise<void> {
    await this.#notifications.sender?.idle();
  }

  setInstitutionStatus(id: string, status: InstitutionStatus): void {
    const institution = this.#institutions.get(id);
    if (!institution) throw new ControlError('There is no such institution.');
    institution.status = status;
  }

  setAccountState(accountId: string, state: AccountState): void {
    this.#account(accountId).state = state;
  }

  /** How many rows the bank now has, of one account or of every account used so far. */
  rowsAtBank(accountId?: string, options: { readonly includePending?: boolean } = {}): number {
    const accounts = accountId === undefined ? this.#bank.accounts() : [this.#account(accountId)];
    return accounts.reduce((sum, account) => sum + this.#count(account, options.includePending ?? true), 0);
  }

  /** Accounts that people agreed to share, and the rows that the banks now have of them. */
  shared(): { readonly accounts: number; readonly rows: number } {
    const shared = this.consents().flatMap(({ active, accountIds }) => (active ? accountIds : []));
    const rows = shared.reduce((sum, accountId) => sum + this.rowsAtBank(accountId), 0);
    return { accounts: shared.length, rows };
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
    const changed = this.#bank.accounts().find((account) => act(account, now));
    if (!changed) throw new ControlError('No pending row has that id now.');
    this.#notifications.rowsChanged(changed.accountId);
  }

  #posted(act: (account: BankAccount) => boolean): void {
    const changed = this.#bank.accounts().find(act);
    if (!changed) throw new ControlError('No posted row of a held statement has that id.');
    this.#notifications.rowsChanged(changed.accountId);
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
