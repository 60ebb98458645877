import type { PendingRow } from '../shared/bank-controls.ts';
import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import { digest } from '../shared/random.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { People } from '../shared/simulator.ts';
import type { AccountState } from './bank-account.ts';
import { type Bank, type BankStatus, type Banks, connectionId } from './banks.ts';
import { type NewTransaction, rowFrom } from './new-row.ts';
import type { NotificationEvent, NotificationSender, SigningKey } from './notification-sender.ts';
import { PERSONAS, personaOf } from './personas/catalog.ts';
import { type MoveParts, moveToOfficial, type SharedAccount } from './shared-accounts.ts';
import type { Authorisation, User } from './users.ts';
import { NZ_BANKING_WIRE } from './wire.ts';

type AccountSummary = {
  readonly accountId: string;
  readonly authorisationId: string;
  readonly name: string;
  readonly type: string;
  readonly rows: number;
};

type UserSummary = {
  readonly userId: string;
  readonly customer: string;
  readonly authorisations: readonly {
    readonly authorisationId: string;
    readonly connection: string;
    readonly active: boolean;
  }[];
  readonly accounts: readonly AccountSummary[];
};

type Parts = MoveParts & {
  readonly banks: Banks;
  readonly sender: NotificationSender;
  readonly key: SigningKey;
  readonly faults: Faults;
  readonly log: RequestLog;
};

/** What a person or a test may do to the simulated banks. Methods throw {@link ControlError} on bad input. */
export class NzBankingControl extends SimulatorControl implements People {
  readonly #parts: Parts;
  readonly #now: () => number;
  readonly #changed: () => void;

  constructor(parts: Parts, now: () => number, changed: () => void) {
    super(parts.faults, parts.log, { wire: NZ_BANKING_WIRE, now });
    this.#parts = parts;
    this.#now = now;
    this.#changed = changed;
  }

  /** Everyone who shares something, with their logins and accounts. */
  users(): readonly UserSummary[] {
    return this.#parts.users.all().map((user) => ({
      userId: user.id,
      customer: user.customer,
      authorisations: user.authorisations.map(({ id, bank, official, active }) => ({
        authorisationId: id,
        connection: connectionId(bank, official),
        active,
      })),
      accounts: this.#parts.accounts.of(user).map((shared) => ({
        accountId: shared.id,
        authorisationId: shared.authorisation.id,
        name: shared.account.plan.name,
        type: shared.account.plan.type,
        rows: this.#count(shared).settled + this.#count(shared).pending,
      })),
    }));
  }

  /** The log-ins; those of a bank are those of the vendor. */
  logIns(): readonly string[] {
    return [...PERSONAS.map(({ customer }) => customer), 'rows:N'];
  }

  knows(_institution: string, customer: string): boolean {
    return personaOf(customer) !== null;
  }

  /**
   * Enters rows, and makes the vendor fetch them and send notifications; returns their ids in the same order. All or
   * none.
   */
  appendTransactions(accountId: string, rows: readonly NewTransaction[]): readonly string[] {
    const shared = this.#account(accountId);
    const { account, authorisation } = shared;
    const now = this.#now();
    const made = rows.map((row, index) => rowFrom(row, `added-${account.book.length + index}`, now));
    for (const row of made) account.book.append(row);
    this.#fetch(shared);
    const settled = made
      .filter(({ pendingFrom }) => pendingFrom === null)
      .map(({ key }) => account.rowIdAt(authorisation.generation, key));
    this.#tell(shared, 'DEFAULT_UPDATE', {
      new_transactions: settled.length,
      new_transaction_ids: settled,
    });
    return made.map(({ key, pendingFrom }) =>
      pendingFrom === null ? account.rowIdAt(authorisation.generation, key) : pendingId(account.scope, key),
    );
  }

  /** The vendor gives pending rows no ids; these are the simulator's. */
  pendingRows(accountId: string): readonly PendingRow[] {
    const { account, seenAt } = this.#account(accountId);
    return account.book.pendingAt(seenAt).map(({ key, amount, description }) => ({
      id: pendingId(account.scope, key),
      amount,
      description,
    }));
  }

  /** Settles a pending row now. */
  settle(id: string): void {
    this.#moveOn(id, false);
  }

  /** Makes a pending row vanish. */
  drop(id: string): void {
    this.#moveOn(id, true);
  }

  /** Withdraws a settled row, like a bank that makes a correction; `restore` brings it back. */
  withdraw(transactionId: string): void {
    const shared = this.#rowChanged(transactionId, true);
    this.#tell(shared, 'DELETE', { removed_transactions: [transactionId] });
  }

  restore(transactionId: string): void {
    const shared = this.#rowChanged(transactionId, false);
    this.#tell(shared, 'DEFAULT_UPDATE', { new_transactions: 1, new_transaction_ids: [transactionId] });
  }

  /** As if the person had stopped sharing the bank at the vendor. */
  revokeAuthorisation(id: string): void {
    const { user, login } = this.#login(id);
    const { users, accounts, webhooks } = this.#parts;
    const ids = accounts.under(user, login).map((account) => account.id);
    users.end(user, id);
    webhooks.accountsChanged(ids, user, 'DELETE');
    this.#changed();
  }

  /** As if the person had removed the application at the vendor. */
  revokeUser(userId: string): void {
    const { users, webhooks } = this.#parts;
    const user = users.all().find(({ id }) => id === userId);
    if (user === undefined) throw new ControlError('There is no such user.');
    users.revoke(user);
    webhooks.tokenDeleted(user);
    this.#changed();
  }

  /** Breaks the login at the bank, or makes it work again. */
  setLogin(id: string, active: boolean): void {
    const { user, login } = this.#login(id);
    const { accounts, webhooks } = this.#parts;
    login.active = active;
    if (active) login.refreshedAt = this.#now();
    for (const { id: account } of accounts.under(user, login))
      webhooks.notify(user, 'ACCOUNT', {
        webhook_code: 'UPDATE',
        item_id: account,
        updated_fields: ['status'],
      });
    this.#changed();
  }

  /** Moves a login to the official connection of its bank; returns the new login's id. */
  migrate(id: string): string {
    const { user, login } = this.#login(id);
    if (login.official) throw new ControlError('The login is of an official connection already.');
    const next = moveToOfficial(this.#parts, user, login);
    this.#changed();
    return next.id;
  }

  setInstitutionStatus(connection: string, status: BankStatus): void {
    this.#bank(connection).status = status;
  }

  /** Whether people who sign in at the bank are moved to its official connection. */
  setMigrating(connection: string, migrating: boolean): void {
    this.#bank(connection).migrating = migrating;
  }

  setAccountState(accountId: string, state: AccountState): void {
    const { user, account } = this.#account(accountId);
    account.state = state;
    if (state === 'GONE') this.#parts.webhooks.accountsChanged([accountId], user, 'DELETE');
  }

  /** Where notifications go; null for nowhere. */
  setWebhookTarget(url: string | null): void {
    this.#parts.sender.aim(url);
  }

  /** Notifications sent so far. */
  notifications(): readonly NotificationEvent[] {
    return this.#parts.sender.events();
  }

  /** Makes the vendor sign with a new key from now on. */
  rotateKey(): void {
    this.#parts.key.rotate();
  }

  /** The signature of a body that the vendor would send now. */
  signed(body: string | Buffer): string {
    return this.#parts.key.sign(body);
  }

  /** How many rows of an account the vendor has right now. */
  rowsOf(accountId: string): { readonly settled: number; readonly pending: number } {
    return this.#count(this.#account(accountId));
  }

  shared(): { readonly accounts: number; readonly rows: number } {
    const all = this.#parts.accounts.all();
    const rows = all.reduce((sum, one) => sum + this.#count(one).settled + this.#count(one).pending, 0);
    return { accounts: all.length, rows };
  }

  #count({ account, seenAt }: SharedAccount): { readonly settled: number; readonly pending: number } {
    return account.countAt(seenAt);
  }

  #moveOn(id: string, vanishes: boolean): void {
    for (const shared of this.#parts.accounts.all()) {
      const { account, seenAt } = shared;
      const row = account.book.pendingAt(seenAt).find(({ key }) => pendingId(account.scope, key) === id);
      if (row === undefined) continue;
      const now = this.#now();
      account.book.settle(row.key, now, vanishes);
      this.#fetch(shared);
      const ids = vanishes ? [] : [account.rowIdAt(shared.authorisation.generation, row.key)];
      this.#tell(shared, 'DEFAULT_UPDATE', { new_transactions: ids.length, new_transaction_ids: ids });
      return;
    }
    throw new ControlError('No pending row has that id now.');
  }

  #rowChanged(transactionId: string, withdrawn: boolean): SharedAccount {
    for (const shared of this.#parts.accounts.all()) {
      const { account, authorisation } = shared;
      const key = account.book
        .keys()
        .find((one) => account.rowIdAt(authorisation.generation, one) === transactionId);
      if (key === undefined) continue;
      account.book.withdraw(key, withdrawn);
      return shared;
    }
    throw new ControlError('No settled row of a held statement has that id.');
  }

  #fetch({ authorisation }: SharedAccount): void {
    authorisation.refreshedAt = Math.max(authorisation.refreshedAt, this.#now());
    this.#changed();
  }

  #tell(
    { user, id }: SharedAccount,
    code: string,
    more: Readonly<Record<string, number | readonly string[]>>,
  ): void {
    this.#parts.webhooks.notify(user, 'TRANSACTION', { webhook_code: code, item_id: id, ...more });
  }

  #account(id: string): SharedAccount {
    const found = this.#parts.accounts.find(id);
    if (found === null) throw new ControlError('No one shares an account with that id.');
    return found;
  }

  #login(id: string): { readonly user: User; readonly login: Authorisation } {
    const user = this.#parts.users.ofAuthorisation(id);
    const login = user?.authorisations.find((one) => one.id === id);
    if (user === null || login === undefined) throw new ControlError('There is no such authorisation.');
    return { user, login };
  }

  #bank(connection: string): Bank {
    const bank = this.#parts.banks.ofConnection(connection);
    if (bank === null) throw new ControlError('There is no such institution.');
    return bank;
  }
}

function pendingId(scope: string, key: string): string {
  return `pending_${digest('pending', scope, key).slice(0, 20)}`;
}
