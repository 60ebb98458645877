import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import { digest } from '../shared/random.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { People } from '../shared/simulator.ts';
import type { ServerSettings } from './account-sets.ts';
import { type Bank, type BridgeAccount, movementOf, type NewTransaction } from './bank.ts';
import { PERSONAS } from './personas.ts';
import { QUIRKS } from './quirks.ts';
import type { Quota } from './quota.ts';
import { setupToken } from './routes.ts';
import type { Tokens } from './state.ts';
import { SIMPLEFIN_WIRE } from './wire.ts';

/** The institution that the adapter names before a link. */
const INSTITUTION = 'simplefin';

interface UserSummary {
  readonly customer: string;
  readonly name: string;
  readonly accounts: readonly {
    readonly accountId: string;
    readonly name: string;
    readonly organisation: string;
    readonly closed: boolean;
    readonly rows: number;
  }[];
}

interface PendingRow {
  readonly id: string;
  /** A plain decimal. */
  readonly amount: string;
  readonly description: string;
}

interface ControlParts {
  readonly bank: Bank;
  readonly tokens: Tokens;
  readonly settings: ServerSettings;
  readonly quota: Quota;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly now: () => number;
  readonly base: () => string;
  readonly changed: () => void;
}

/** What a person or a test may do to the simulated server. Methods throw {@link ControlError} on bad input. */
export class SimplefinControl extends SimulatorControl implements People {
  readonly #parts: ControlParts;
  #entered = 0;

  constructor(parts: ControlParts) {
    super(parts.faults, parts.log, { wire: SIMPLEFIN_WIRE, quirks: QUIRKS, now: parts.now });
    this.#parts = parts;
  }

  /** A setup token of the user, as the page makes it. */
  createToken(logIn: string): string {
    const { bank, tokens, base, changed } = this.#parts;
    if (bank.find(logIn) === null) throw new ControlError('There is no such log-in.');
    const token = setupToken(base(), tokens.create(logIn));
    changed();
    return token;
  }

  /** As if the user had disabled every access. */
  disableAccess(logIn: string): void {
    this.#parts.tokens.disable({ logIn });
    this.#parts.changed();
  }

  /** Whether an organisation, by its key, wants its customers to sign in again. */
  setLoginLost(organisation: string, lost: boolean): void {
    const { lostLogins } = this.#parts.bank;
    if (lost) lostLogins.add(organisation);
    else lostLogins.delete(organisation);
  }

  /** Whether the server could not read an account. */
  setAccountFailed(accountId: string, failed: boolean): void {
    this.#parts.bank.account(accountId).failed = failed;
  }

  setAccountClosed(accountId: string, closed: boolean): void {
    this.#parts.bank.account(accountId).closed = closed;
  }

  /** The newest version of the protocol that the server has. */
  setVersion(version: 1 | 2): void {
    this.#parts.settings.version = version;
  }

  /** How often each access may be used in a day; null for no limit. */
  setQuota(amount: number | null): void {
    this.#parts.quota.set(amount);
  }

  logIns(institution: string): readonly string[] {
    return institution === INSTITUTION ? [...PERSONAS.map(({ logIn }) => logIn), 'rows:N'] : [];
  }

  knows(institution: string, logIn: string): boolean {
    return institution === INSTITUTION && this.#parts.bank.find(logIn) !== null;
  }

  /** Users so far. */
  customers(): readonly UserSummary[] {
    return this.#parts.bank.users().map(({ logIn, name, accounts }) => ({
      customer: logIn,
      name,
      accounts: accounts.map((account) => ({
        accountId: account.id,
        name: account.plan.name,
        organisation: account.plan.organisation.key,
        closed: account.closed,
        rows: this.#rows(account),
      })),
    }));
  }

  /** Enters rows and returns their ids in the same order. All or none. */
  appendTransactions(accountId: string, rows: readonly NewTransaction[]): readonly string[] {
    const account = this.#parts.bank.account(accountId);
    const now = this.#parts.now();
    const made = rows.map((row) =>
      movementOf(row, `TRN-${digest(accountId, 'entered', this.#entered++).slice(0, 24)}`, now),
    );
    for (const one of made) account.enter(one, now);
    return made.map(({ id }) => id);
  }

  pendingRows(accountId: string): readonly PendingRow[] {
    const now = this.#parts.now();
    return this.#parts.bank
      .account(accountId)
      .movements(now)
      .filter(({ postsAt }) => postsAt > now)
      .map(({ id, cents, description }) => ({ id, amount: (cents / 100).toFixed(2), description }));
  }

  /** Posts a pending row now, or makes it vanish. */
  settle(id: string, posts: boolean): void {
    const now = this.#parts.now();
    const accounts = this.#parts.bank.users().flatMap((user) => user.accounts);
    if (!accounts.some((account) => account.settle(id, now, posts)))
      throw new ControlError('No pending row has that id now.');
  }

  /** Rows that the server now has. */
  rowsAtBank(accountId: string, options: { readonly includePending?: boolean } = {}): number {
    return this.#rows(this.#parts.bank.account(accountId), options.includePending ?? true);
  }

  shared(): { readonly accounts: number; readonly rows: number } {
    const accounts = this.#parts.tokens
      .sharing()
      .flatMap((logIn) => this.#parts.bank.find(logIn)?.accounts ?? [])
      .filter(({ closed }) => !closed);
    return {
      accounts: accounts.length,
      rows: accounts.reduce((sum, account) => sum + this.#rows(account), 0),
    };
  }

  #rows(account: BridgeAccount, includePending = true): number {
    const now = this.#parts.now();
    return account.movements(now).filter(({ postsAt }) => includePending || postsAt <= now).length;
  }
}
