import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../shared/json.ts';
import { isRecord } from '../shared/json.ts';
import { digest } from '../shared/random.ts';
import type { KeptState } from '../shared/state-file.ts';
import { accountJson, type BankAccount, type World } from './accounts.ts';
import type { Bank, Banks } from './banks.ts';
import { coded } from './errors.ts';

const CODE_MS = 300_000;
const VISIT_MS = 3_600_000;

export type SessionStatus = 'AUTHORIZED' | 'EXPIRED' | 'CLOSED' | 'REVOKED';

/** One visit to the bank's page. */
export type Visit = {
  readonly id: string;
  readonly bank: Bank;
  readonly redirectUrl: string;
  readonly state: string;
  readonly psuType: string;
  /** How the person signs in. */
  readonly method: string;
  /** Epoch ms until which the session will last. */
  readonly validUntil: number;
  readonly until: number;
  used: boolean;
};

/** A person's consent at a bank. */
export type Session = {
  readonly id: string;
  /** Id of the bank. */
  readonly bank: string;
  readonly customer: string;
  readonly psuType: string;
  readonly method: string;
  readonly created: number;
  readonly validUntil: number;
  /** Keys of the accounts that the person shares. */
  readonly shared: readonly string[];
  status: SessionStatus;
  /** The bank wants the person to act before it answers. */
  blocked: boolean;
};

/** An account as one session names it. */
export type SharedAccount = {
  readonly uid: string;
  readonly session: Session;
  readonly account: BankAccount;
};

/** Visits, codes that work once, and sessions. */
export class Sessions {
  readonly #banks: Banks;
  readonly #world: World;
  readonly #now: () => number;
  readonly #visits = new Map<string, Visit>();
  readonly #codes = new Map<string, { readonly session: Session; readonly until: number; used: boolean }>();
  #sessions: Session[] = [];

  constructor(banks: Banks, world: World, now: () => number) {
    this.#banks = banks;
    this.#world = world;
    this.#now = now;
  }

  begin(visit: Omit<Visit, 'id' | 'until' | 'used'>): Visit {
    const begun = { ...visit, id: randomUUID(), until: this.#now() + VISIT_MS, used: false };
    this.#visits.set(begun.id, begun);
    return begun;
  }

  /** The visit, as long as it can continue. */
  open(id: string): Visit | null {
    const visit = this.#visits.get(id);
    return visit === undefined || visit.used || visit.until <= this.#now() ? null : visit;
  }

  /** Ends a visit; returns where to send the person. */
  end(
    visit: Visit,
    outcome: { readonly customer: string; readonly shared: readonly string[] } | { readonly error: string },
  ): URL {
    visit.used = true;
    const back = new URL(visit.redirectUrl);
    back.searchParams.set('state', visit.state);
    if ('error' in outcome) {
      back.searchParams.set('error', outcome.error);
      return back;
    }
    const code = randomUUID();
    const { bank, psuType, method, validUntil } = visit;
    const session: Session = {
      id: randomUUID(),
      bank: bank.id,
      psuType,
      method,
      created: this.#now(),
      validUntil,
      status: 'AUTHORIZED',
      blocked: false,
      ...outcome,
    };
    this.#codes.set(code, { session, until: this.#now() + CODE_MS, used: false });
    back.searchParams.set('code', code);
    return back;
  }

  /** The session of a code. */
  redeem(code: string): Session {
    const found = this.#codes.get(code);
    if (found === undefined)
      throw coded(422, 'WRONG_AUTHORIZATION_CODE', 'Wrong authorization code provided');
    if (found.used) throw coded(422, 'ALREADY_AUTHORIZED', 'Session is already authorized');
    if (found.until <= this.#now())
      throw coded(422, 'EXPIRED_AUTHORIZATION_CODE', 'Authorization code is expired');
    found.used = true;
    this.#sessions.push(found.session);
    return found.session;
  }

  all(): readonly Session[] {
    return this.#sessions;
  }

  find(id: string): Session | null {
    return this.#sessions.find((one) => one.id === id) ?? null;
  }

  statusOf({ status, validUntil }: Session): SessionStatus {
    return status === 'AUTHORIZED' && validUntil <= this.#now() ? 'EXPIRED' : status;
  }

  /** The accounts of a session. */
  accountsOf(session: Session): readonly SharedAccount[] {
    const bank = this.#banks.get(session.bank);
    if (bank === null) return [];
    return this.#world
      .of(session.customer, bank)
      .filter(({ plan }) => session.shared.includes(plan.key))
      .map((account) => ({ uid: uidOf(session, account), session, account }));
  }

  /** Of a uid, whatever became of its session. */
  account(uid: string): SharedAccount | null {
    for (const session of this.#sessions) {
      const found = this.accountsOf(session).find((one) => one.uid === uid);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** An account that can be read. */
  readable(uid: string): SharedAccount {
    const found = this.account(uid);
    if (found === null) throw coded(404, 'ACCOUNT_DOES_NOT_EXIST', 'No account found matching provided id');
    const status = this.statusOf(found.session);
    if (status !== 'AUTHORIZED') throw coded(401, `${status}_SESSION`, `Session is ${status.toLowerCase()}`);
    if (found.session.blocked)
      throw coded(403, 'ASPSP_PSU_ACTION_REQUIRED', 'PSU action is required to proceed');
    if (found.account.state === 'GONE')
      throw coded(
        404,
        'ASPSP_ACCOUNT_NOT_ACCESSIBLE',
        'The PSU does not have access to the requested account',
      );
    return found;
  }

  /** What `POST /sessions` answers. */
  json(session: Session): JsonObject {
    return {
      session_id: session.id,
      accounts: this.accountsOf(session).map(({ account, uid }) => accountJson(account, uid)),
      ...this.#common(session),
    };
  }

  /** What `GET /sessions/{id}` answers. */
  statusJson(session: Session): JsonObject {
    const open = this.accountsOf(session).filter(({ account }) => account.state === 'OPEN');
    return {
      status: this.statusOf(session),
      accounts: open.map(({ uid }) => uid),
      accounts_data: open.map(({ uid, account: { hash } }) => ({
        uid,
        identification_hash: hash,
        identification_hashes: [hash],
      })),
      ...this.#common(session),
      psu_id_hash: digest('psu', session.id),
      created: new Date(session.created).toISOString(),
      authorized: new Date(session.created).toISOString(),
    };
  }

  #common({ bank, psuType, validUntil }: Session): JsonObject {
    const [country = '', ...name] = bank.split(':');
    return {
      aspsp: { name: name.join(':'), country },
      psu_type: psuType,
      access: { balances: true, transactions: true, valid_until: new Date(validUntil).toISOString() },
    };
  }

  /** What survives a restart. */
  get kept(): KeptState {
    return {
      read: () => ({ sessions: this.#sessions }),
      restore: ({ sessions }) => {
        if (!Array.isArray(sessions)) return false;
        this.#sessions = sessions.filter(isSession);
        return true;
      },
    };
  }
}

/** Another one in every session. */
function uidOf(session: Session, { scope }: BankAccount): string {
  const hex = digest('uid', session.id, scope);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function isSession(value: unknown): value is Session {
  return (
    isRecord(value) &&
    [value.id, value.bank, value.customer, value.psuType, value.status].every(
      (one) => typeof one === 'string',
    ) &&
    [value.created, value.validUntil].every((one) => typeof one === 'number') &&
    typeof value.blocked === 'boolean' &&
    Array.isArray(value.shared)
  );
}
