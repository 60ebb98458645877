import type { PendingRow } from '../shared/bank-controls.ts';
import { ControlError, SimulatorControl } from '../shared/control.ts';
import { isDecimal } from '../shared/decimal.ts';
import type { Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { People } from '../shared/simulator.ts';
import { type AccountState, type BankAccount, referenceOf } from './accounts.ts';
import type { Api } from './api.ts';
import type { Bank, Banks } from './banks.ts';
import { PERSONAS, personaOf } from './personas.ts';
import { isQuirk, QUIRKS, type Quirk } from './quirks.ts';
import { DAY_MS, dayText, type Row } from './rows.ts';
import type { Session, SessionStatus, Sessions } from './sessions.ts';
import { ENABLE_BANKING_WIRE } from './wire.ts';

/** A row to enter by hand. */
export type NewTransaction = {
  /** Signed decimal string, negative = money out. */
  readonly amount: string;
  /** The line of the statement. */
  readonly description: string;
  /** The other side. */
  readonly party?: string;
  /** Default POSTED. A pending row stays pending until it is settled or dropped. */
  readonly status?: 'PENDING' | 'POSTED';
  /** `YYYY-MM-DD`; default today. */
  readonly day?: string;
};

type AccountSummary = { readonly uid: string; readonly hash: string; readonly name: string };

type SessionSummary = {
  readonly sessionId: string;
  readonly bank: string;
  readonly customer: string;
  readonly psuType: string;
  readonly method: string;
  readonly status: SessionStatus;
  readonly accounts: readonly AccountSummary[];
};

type Parts = {
  readonly api: Api;
  readonly sessions: Sessions;
  readonly banks: Banks;
  readonly faults: Faults;
  readonly log: RequestLog;
};

/** What a person or a test may do to the simulated banks. Methods throw {@link ControlError} on bad input. */
export class EnableBankingControl extends SimulatorControl implements People {
  readonly #parts: Parts;
  readonly #now: () => number;
  readonly #changed: () => void;

  constructor(parts: Parts, now: () => number, changed: () => void) {
    const knowsBank = (id: string): boolean => parts.banks.get(id) !== null;
    super(parts.faults, parts.log, { wire: ENABLE_BANKING_WIRE, now, quirks: QUIRKS, knowsBank });
    this.#parts = parts;
    this.#now = now;
    this.#changed = changed;
  }

  /** Every session, with the accounts that it shares. */
  sessions(): readonly SessionSummary[] {
    const { sessions } = this.#parts;
    return sessions.all().map((session) => ({
      sessionId: session.id,
      bank: session.bank,
      customer: session.customer,
      psuType: session.psuType,
      method: session.method,
      status: sessions.statusOf(session),
      accounts: sessions
        .accountsOf(session)
        .map(({ uid, account }) => ({ uid, hash: account.hash, name: account.plan.name })),
    }));
  }

  logIns(): readonly string[] {
    return [...PERSONAS.map(({ customer }) => customer), 'rows:N'];
  }

  knows(_institution: string, customer: string): boolean {
    return personaOf(customer) !== null;
  }

  /** Enters rows; returns the bank's references of them in the same order. All or none. */
  appendTransactions(account: string, rows: readonly NewTransaction[]): readonly string[] {
    const found = this.#account(account);
    const made = rows.map((row, index) => this.#rowOf(row, `added-${found.book.length + index}`));
    for (const row of made) found.book.append(row);
    return made.map(({ key }) => referenceOf(found, key));
  }

  pendingRows(account: string): readonly PendingRow[] {
    const found = this.#account(account);
    return found.book
      .pendingAt(this.#now())
      .map(({ key, amount, text }) => ({ id: referenceOf(found, key), amount, description: text }));
  }

  /** Books a pending row now. */
  settle(reference: string): void {
    this.#moveOn(reference, false);
  }

  /** Makes a pending row vanish. */
  drop(reference: string): void {
    this.#moveOn(reference, true);
  }

  /** As if the person had withdrawn the consent at the bank. */
  revoke(sessionId: string): void {
    this.#session(sessionId).status = 'REVOKED';
    this.#changed();
  }

  /** Whether the bank wants the person to act before it answers again. */
  setBlocked(sessionId: string, blocked: boolean): void {
    this.#session(sessionId).blocked = blocked;
    this.#changed();
  }

  setAccountState(account: string, state: AccountState): void {
    this.#account(account).state = state;
  }

  /** Replaces what a bank usually does. */
  setQuirks(bank: string, quirks: readonly string[]): void {
    const unknown = quirks.find((quirk) => !isQuirk(quirk));
    if (unknown !== undefined)
      throw new ControlError(`${unknown} is none of ${Object.keys(QUIRKS).join(', ')}.`);
    this.#bank(bank).usual = new Set(quirks.filter((quirk): quirk is Quirk => isQuirk(quirk)));
  }

  setOutage(bank: string, outage: boolean): void {
    this.#bank(bank).outage = outage;
  }

  /** How often a day banks answer about an account while the person is away; null for any number of times. */
  setUnattended(amount: number | null): void {
    this.#parts.api.unattended = amount;
  }

  /** How many rows of an account its bank has right now. */
  rowsOf(account: string): { readonly booked: number; readonly pending: number } {
    return this.#account(account).countAt(this.#now());
  }

  shared(): { readonly accounts: number; readonly rows: number } {
    const { sessions } = this.#parts;
    const all = sessions
      .all()
      .filter((session) => sessions.statusOf(session) === 'AUTHORIZED')
      .flatMap((session) => sessions.accountsOf(session));
    const counts = all.map(({ account }) => account.countAt(this.#now()));
    return {
      accounts: all.length,
      rows: counts.reduce((sum, { booked, pending }) => sum + booked + pending, 0),
    };
  }

  #rowOf({ amount, description, party, status, day }: NewTransaction, key: string): Row {
    if (!isDecimal(amount)) throw new ControlError('amount must be a decimal string such as "-12.50".');
    const now = this.#now();
    if (day !== undefined && Number.isNaN(Date.parse(day))) throw new ControlError('day must be a day.');
    const pending = status === 'PENDING';
    return {
      key,
      day: day ?? dayText(Math.floor(now / DAY_MS)),
      pendingFrom: pending ? now : null,
      settles: pending ? Number.POSITIVE_INFINITY : now,
      vanishes: false,
      amount,
      party: party ?? null,
      text: description,
      code: 'RCDT',
      category: null,
    };
  }

  #moveOn(reference: string, vanishes: boolean): void {
    for (const { account } of this.#all()) {
      const row = account.book
        .pendingAt(this.#now())
        .find(({ key }) => referenceOf(account, key) === reference);
      if (row === undefined) continue;
      account.book.settle(row.key, this.#now(), vanishes);
      return;
    }
    throw new ControlError('No pending row has that reference now.');
  }

  #all() {
    const { sessions } = this.#parts;
    return sessions.all().flatMap((session) => sessions.accountsOf(session));
  }

  /** By the name that a session has for it, or by its hash and currency. */
  #account(id: string): BankAccount {
    const found = this.#all().find(
      ({ uid, account }) => uid === id || `${account.hash}:${account.currency.toLowerCase()}` === id,
    );
    if (found === undefined) throw new ControlError('No one shares an account with that id.');
    return found.account;
  }

  #session(id: string): Session {
    const session = this.#parts.sessions.find(id);
    if (session === null) throw new ControlError('There is no such session.');
    return session;
  }

  #bank(id: string): Bank {
    const bank = this.#parts.banks.get(id);
    if (bank === null) throw new ControlError('There is no such bank; name it like "FI:Kuura Bank".');
    return bank;
  }
}
