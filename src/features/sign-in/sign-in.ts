import type { Clock } from '../../platform/clock.ts';
import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { findMembership, lastChosenMembership } from '../../storage/memberships.ts';
import { findUser, findUserByEmail, replacePasswordHash, type User } from '../../storage/users.ts';
import type { AuditDetail } from '../../vocabulary/audit-kinds.ts';
import { EMAIL_MOST_CHARACTERS, isEmailAddress, normalisedEmail } from '../../vocabulary/email.ts';
import { isRowId, type OwnerId } from '../../vocabulary/ids.ts';
import { type AuditLog, byPerson } from '../audit/audit-log.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
import { PASSWORD_MOST_CHARACTERS, type PasswordChecks } from './passwords.ts';
import type { SecondFactors, SecondProof } from './second-factors.ts';
import type { DeviceTokens, Visit } from './session-cookie.ts';
import type { BegunSession, Entrant, WebSessions } from './web-sessions.ts';

/** A person who has just signed in; both values go into cookies. */
export interface NewlySignedIn {
  readonly session: BegunSession;
  readonly device: string;
}

/** The password is right and a second factor is needed: what the page that asks for its code sends back. */
export interface CodeNeeded {
  readonly step: string;
}

/**
 * Why the sign-in failed. `refused` does not say whether there is such a person; `not_member` is for someone who does
 * not share the account record that they were to sign in to.
 */
export type SignInRefusal = 'refused' | 'no_membership' | 'not_member';

export interface SignInDependencies {
  readonly db: Db;
  readonly attempts: SignInAttempts;
  readonly passwordChecks: PasswordChecks;
  readonly webSessions: WebSessions;
  readonly deviceTokens: DeviceTokens;
  readonly auditLog: AuditLog;
  readonly secondFactors: SecondFactors;
  readonly steps: SignInSteps;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly onNewDevice: NewDeviceHook;
}

/** Called after a person has signed in with a browser that did not prove that they had done so there before. */
export type NewDeviceHook = (owner: OwnerId, user: User['id'], session: BegunSession['id']) => Promise<void>;

/** Signs people in (docs/sign-in.md). */
export class SignIn {
  readonly #deps: SignInDependencies;

  constructor(deps: SignInDependencies) {
    this.#deps = deps;
  }

  /**
   * With e-mail address and password, to the account record `into`, or else as `as` decides. An unknown address and a wrong password have the same result, and take equally
   * long. Raises `too_many_auth_attempts`.
   */
  async withPassword(
    credentials: { readonly email: string; readonly password: string },
    visit: Visit,
    into: OwnerId | null = null,
  ): Promise<NewlySignedIn | CodeNeeded | SignInRefusal> {
    const user = await this.prove(credentials, visit);
    if (user === null) return 'refused';
    return (await this.codeNeeded(user, null)) ?? this.as(user, visit, 'password', into);
  }

  /** What is required besides the password; null for a person without a second factor. */
  async codeNeeded(user: User, invitation: string | null): Promise<CodeNeeded | null> {
    const { clock, secondFactors, steps } = this.#deps;
    if (!(await secondFactors.isOn(user.id))) return null;
    return { step: steps.issue({ user, invitation }, clock.now()) };
  }

  /**
   * The person who has given the password and now a code of their second factor, and which kind of code; after
   * `wrong_code` the step is still open, and null means that it has ended. Raises `too_many_auth_attempts`.
   */
  async withCode(
    step: string,
    code: string,
    visit: Visit,
  ): Promise<(SignInStep & { readonly how: SecondProof }) | 'wrong_code' | null> {
    const { clock, secondFactors, steps } = this.#deps;
    const found = await steps.open(step, clock.now());
    if (found === null) return null;
    const how = await secondFactors.prove(found.user.id, code, visit);
    if (how !== null) return { ...found, how };
    this.refused(found.user.id, visit, 'second_factor');
    return 'wrong_code';
  }

  /** Whose e-mail address and password these are, or null; like `withPassword`, but without signing the person in. */
  async prove(
    { email, password }: { readonly email: string; readonly password: string },
    visit: Visit,
  ): Promise<User | null> {
    const { db, attempts, passwordChecks, deviceTokens } = this.#deps;
    const { address, cookie } = visit;
    const name = normalisedEmail(email).slice(0, EMAIL_MOST_CHARACTERS);
    await attempts.arrive({ address, email: name, device: deviceTokens.deviceOf(cookie, name) });
    // An invalid address never reaches the database, which accepts no NUL, and takes as long.
    const user = isEmailAddress(name) ? await findUserByEmail(db, name) : null;
    const known = user?.password_hash ?? null;
    // No password is longer, and the length must not determine how long the response takes.
    const possible = password.length <= PASSWORD_MOST_CHARACTERS;
    const tried = possible ? password : '';
    const { matches, outdated } = await passwordChecks.verify(tried, possible ? known : null, address);
    if (!matches || user === null || known === null) {
      if (user !== null) this.refused(user.id, visit, 'password');
      return null;
    }
    if (!outdated) return user;
    const after = await passwordChecks.hash(tried, address);
    await replacePasswordHash(db, user.id, { before: known, after });
    return { ...user, password_hash: after };
  }

  /** Records that a sign-in with the person's address or passkey was refused. */
  refused(user: User['id'], from: Visit, detail: AuditDetail): void {
    this.#deps.auditLog.recordLater(user, { kind: 'session.refused', detail, by: byPerson(user), from });
  }

  /**
   * For a person who has proved who they are, unless their password has changed since `user` was read. Without `into`,
   * the session works with the account record of the browser's previous session, if that is the person's, or else with
   * the one they chose last.
   */
  async as(
    user: User,
    visit: Visit,
    how: AuditDetail,
    into: OwnerId | null = null,
  ): Promise<NewlySignedIn | SignInRefusal> {
    const { db, webSessions } = this.#deps;
    if (into !== null) {
      if ((await findMembership(db, into, user.id)) === null) return 'not_member';
      return this.joining(visit, how, async () => ({ user, owner: into }));
    }
    const earlier = await webSessions.find(visit.cookie);
    const kept = earlier?.caller.user === user.id ? earlier.caller.accountRecord.id : null;
    const owner = kept ?? (await lastChosenMembership(db, user.id))?.account_record;
    if (owner === undefined) return 'no_membership';
    return this.joining(visit, how, async () => ({ user, owner }));
  }

  /**
   * The same for a person whom `join` returns and makes a member of the account record, in the transaction of the
   * session.
   */
  async joining(
    visit: Visit,
    how: AuditDetail,
    join: (trx: Trx) => Promise<Entrant>,
  ): Promise<NewlySignedIn | 'refused'> {
    const { webSessions, deviceTokens, onNewDevice, log } = this.#deps;
    const begun = await webSessions.begin(visit, how, join);
    if (begun === null) return 'refused';
    const { session, user, owner } = begun;
    // The first browser of a person is no news to them.
    const isFirst = how === 'invitation' || how === 'first_run';
    if (!isFirst && deviceTokens.deviceOf(visit.cookie, user.email_normalised) === null) {
      await onNewDevice(owner, user.id, session.id).catch((error: unknown) =>
        log.warn('Failed to notify a person of a new browser.', {}, error),
      );
    }
    return { session, device: deviceTokens.withProof(visit.cookie, user.email_normalised) };
  }
}

const STEP_MS = 10 * 60_000;
/** `1.<user>.<end, epoch seconds>.<secret of an invitation, or nothing>.<MAC, base64url>`; the first part is the version. */
const STEP = /^1\.([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{0,64})\.([\w-]{43})$/;

/** A person who has given their password but not yet their second factor. */
export interface SignInStep {
  readonly user: User;
  /** The secret of the invitation that they are accepting; null for a plain sign-in. */
  readonly invitation: string | null;
}

/**
 * Proof that a browser has given the password of a person who has a second factor. It is not stored, expires after ten
 * minutes or when the password changes, and is not enough to sign in.
 */
export class SignInSteps {
  readonly #db: Db;
  readonly #key: () => Buffer;

  constructor(deps: { readonly db: Db; readonly keyring: Pick<Keyring, 'derive'> }) {
    this.#db = deps.db;
    this.#key = () => deps.keyring.derive('sign-in-steps');
  }

  /** `now`: epoch milliseconds. */
  issue({ user, invitation }: SignInStep, now: number): string {
    const end = String(Math.floor((now + STEP_MS) / 1000));
    const mac = this.#mac(user, end, invitation ?? '').toString('base64url');
    return `1.${user.id}.${end}.${invitation ?? ''}.${mac}`;
  }

  /** Null for one that has expired or was not issued here for the person's current password. */
  async open(text: string, now: number): Promise<SignInStep | null> {
    const [, id = '', end = '', invitation = '', mac = ''] = STEP.exec(text) ?? [];
    if (!isRowId('user', id) || Number(end) * 1000 <= now) return null;
    const user = await findUser(this.#db, id);
    if (user === null) return null;
    if (!sameBytes(Buffer.from(mac, 'base64url'), this.#mac(user, end, invitation))) return null;
    return { user, invitation: invitation === '' ? null : invitation };
  }

  #mac({ id, password_hash: password }: User, end: string, invitation: string): Buffer {
    return keyedMac(this.#key(), id, password, end, invitation);
  }
}
