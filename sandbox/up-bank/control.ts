import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { People } from '../shared/simulator.ts';
import type { Bank } from './bank.ts';
import type { UpAccount } from './customer.ts';
import { idOf, type Movement } from './movement.ts';
import { centsOf, movementOf, type NewTransaction } from './new-row.ts';
import { PERSONAS } from './personas/catalog.ts';
import type { Holder } from './state.ts';
import type { Webhooks } from './webhooks.ts';
import { UP_BANK_WIRE } from './wire.ts';

/** The only bank, as named by the adapter. */
const INSTITUTION = 'up';

interface CustomerSummary {
  readonly customer: string;
  readonly name: string;
  readonly accounts: readonly {
    readonly accountId: string;
    readonly name: string;
    readonly closed: boolean;
    readonly rows: number;
  }[];
}

interface HeldRow {
  readonly id: string;
  /** A plain decimal. */
  readonly amount: string;
  readonly description: string;
}

/** What a person or a test may do to the simulated bank. Methods throw {@link ControlError} on bad input. */
export class UpBankControl extends SimulatorControl implements People {
  readonly #bank: Bank;
  readonly #holder: Holder;
  readonly #webhooks: Webhooks;
  readonly #webhookSecret: string;
  readonly #now: () => number;
  readonly #changed: () => void;
  #entered = 0;

  constructor(
    parts: {
      readonly bank: Bank;
      readonly holder: Holder;
      readonly webhooks: Webhooks;
      readonly webhookSecret: string;
      readonly faults: Faults;
      readonly log: RequestLog;
    },
    now: () => number,
    changed: () => void,
  ) {
    super(parts.faults, parts.log, { wire: UP_BANK_WIRE, now });
    this.#bank = parts.bank;
    this.#holder = parts.holder;
    this.#webhooks = parts.webhooks;
    this.#webhookSecret = parts.webhookSecret;
    this.#now = now;
    this.#changed = changed;
  }

  /** Whether the bank answers; if not, every call is a 503. */
  setOutage(institution: string, out: boolean): void {
    if (institution !== INSTITUTION) throw new ControlError('There is no such institution.');
    this.#bank.outage = out;
  }

  /** Whose token it is, and whether it works. */
  holder(): { readonly customer: string; readonly revoked: boolean } {
    return { customer: this.#holder.logIn, revoked: this.#holder.revoked };
  }

  /** Makes the token another person's, like an operator who sets another one. */
  choose(logIn: string): boolean {
    const known = this.#holder.give(logIn);
    if (known) this.#changed();
    return known;
  }

  /** As if the person had revoked the token in the app. */
  revokeToken(): void {
    this.#holder.revoke();
    this.#changed();
  }

  /** As if the person had made a new one. */
  renewToken(): void {
    this.#holder.revoke(false);
    this.#changed();
  }

  logIns(institution: string): readonly string[] {
    return institution === INSTITUTION ? [...PERSONAS.map(({ logIn }) => logIn), 'rows:N'] : [];
  }

  knows(institution: string, logIn: string): boolean {
    return institution === INSTITUTION && this.#bank.find(logIn) !== null;
  }

  /** Customers used so far. */
  customers(): readonly CustomerSummary[] {
    return this.#bank.customers().map(({ logIn, name, accounts }) => ({
      customer: logIn,
      name,
      accounts: accounts.map((account) => ({
        accountId: account.id,
        name: account.facts.name,
        closed: account.closed,
        rows: this.#rows(account),
      })),
    }));
  }

  /** Enters rows and returns their ids in the same order. All or none. */
  appendTransactions(accountId: string, rows: readonly NewTransaction[]): readonly string[] {
    const account = this.#account(accountId);
    const now = this.#now();
    const made = rows.map((row) => movementOf(row, idOf(accountId, 'entered', this.#entered++), now));
    for (const one of made) {
      account.book.enter(one, now);
      this.#webhooks.tell('TRANSACTION_CREATED', one.id);
    }
    return made.map(({ id }) => id);
  }

  heldRows(accountId: string): readonly HeldRow[] {
    const now = this.#now();
    return [...this.#account(accountId).newestFirst(now, null)]
      .filter(({ settlesAt }) => settlesAt > now)
      .map(({ id, cents, description }) => ({ id, amount: (cents / 100).toFixed(2), description }));
  }

  /** Settles a held row now; its id does not change. */
  settle(id: string): void {
    const now = this.#now();
    this.#held(id, { settlesAt: now });
    this.#webhooks.tell('TRANSACTION_SETTLED', id);
  }

  /** Makes a held row vanish. */
  drop(id: string): void {
    this.#held(id, null);
    this.#webhooks.tell('TRANSACTION_DELETED', id);
  }

  /** Changes a held row in place. */
  change(id: string, change: { readonly amount?: string; readonly description?: string }): void {
    const { amount, description } = change;
    this.#held(id, {
      ...(amount === undefined ? {} : { cents: centsOf(amount) }),
      ...(description === undefined ? {} : { description }),
    });
  }

  setAccountClosed(accountId: string, closed: boolean): void {
    this.#account(accountId).closed = closed;
  }

  /** Rows that the bank now has; a round-up counts as a row in addition to its purchase. */
  rowsAtBank(accountId: string, options: { readonly includePending?: boolean } = {}): number {
    return this.#rows(this.#account(accountId), options.includePending ?? true);
  }

  shared(): { readonly accounts: number; readonly rows: number } {
    const sharer = this.#holder.shares ? this.#bank.find(this.#holder.logIn) : null;
    const accounts = (sharer?.accounts ?? []).filter(({ closed }) => !closed);
    return {
      accounts: accounts.length,
      rows: accounts.reduce((sum, account) => sum + this.#rows(account), 0),
    };
  }

  /** Registers a webhook with the secret key that the adapter in the sandbox has. Returns its id. */
  registerWebhook(url: string): string {
    return this.#webhooks.register(url, null, this.#webhookSecret).id;
  }

  /** Resolves once no notification is in flight. */
  webhooksSent(): Promise<void> {
    return this.#webhooks.idle();
  }

  #rows(account: UpAccount, includeHeld = true): number {
    const { posted, held } = account.standing(this.#now());
    return posted + (includeHeld ? held : 0);
  }

  #held(id: string, change: Partial<Movement> | null): void {
    const now = this.#now();
    const account = this.#bank
      .customers()
      .flatMap(({ accounts }) => accounts)
      .find(({ book }) => (book.find(id, now)?.settlesAt ?? 0) > now);
    if (account === undefined) throw new ControlError('No held row has that id now.');
    account.book.replace(id, now, change);
  }

  #account(id: string): UpAccount {
    const account = this.#bank.account(id);
    if (account === null)
      throw new ControlError('There is no such account; its owner has not been asked for yet.');
    return account;
  }
}
