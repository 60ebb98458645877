import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { revokeGrantsOfPerson } from '../../storage/oauth-grants.ts';
import { deleteSurplusLinks, deleteUnusedLinks } from '../../storage/one-time-links.ts';
import { deletePasskeysOf } from '../../storage/passkeys.ts';
import { findUser, findUserByEmail, lockUser, type User } from '../../storage/users.ts';
import { EMAIL_MOST_CHARACTERS, isEmailAddress, normalisedEmail } from '../../vocabulary/email.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { type AuditLog, BY_OPERATOR, byPerson } from '../audit/audit-log.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
import type { Letters } from './letters.ts';
import { OneTimeLinks } from './one-time-links.ts';
import type { Passwords } from './passwords.ts';
import type { DeviceTokens, Visit } from './session-cookie.ts';
import type { WebSessions } from './web-sessions.ts';

const MINUTE_MS = 60_000;
/** A person who asks several times can use any of the mails. */
const LINKS_AT_ONCE = 3;

export interface PasswordResetsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly attempts: SignInAttempts;
  readonly passwords: Passwords;
  readonly webSessions: WebSessions;
  readonly letters: Letters;
  readonly notices: Notices;
  readonly deviceTokens: DeviceTokens;
  readonly auditLog: AuditLog;
}

/** New passwords for people who have forgotten theirs (docs/sign-in.md#forgotten-passwords). */
export class PasswordResets {
  readonly #deps: PasswordResetsDependencies;
  readonly #links: OneTimeLinks;

  constructor(deps: PasswordResetsDependencies) {
    this.#deps = deps;
    const lastsMs = deps.limits.password_reset_minutes * MINUTE_MS;
    this.#links = new OneTimeLinks(['password_reset', 'operator_reset'], { ...deps, lastsMs });
  }

  /** Whether this service can send mail; without it the operator issues the links. */
  get mailed(): boolean {
    return this.#deps.letters.configured;
  }

  /**
   * Mails a link to the person with this address, if there is one. Everything that could reveal whether there is
   * happens after the response. Raises `too_many_auth_attempts`, for known and unknown addresses alike.
   */
  async request(email: string, visit: Visit): Promise<void> {
    const { address, cookie } = visit;
    const { attempts, deviceTokens, log } = this.#deps;
    const name = normalisedEmail(email).slice(0, EMAIL_MOST_CHARACTERS);
    await attempts.resetMail({ address, email: name, device: deviceTokens.deviceOf(cookie, name) });
    if (!this.mailed) return;
    setImmediate(() => {
      this.#mail(name, visit).catch((error: unknown) =>
        log.warn('Failed to mail a password reset.', {}, error),
      );
    });
  }

  /** For the operator: a link for the person with this address. Raises `resource_missing`. */
  async issue(email: string): Promise<{ readonly user: User; readonly secret: string }> {
    const { db, auditLog } = this.#deps;
    const user = await findUserByEmail(db, normalisedEmail(email));
    if (user === null) throw missing('user');
    const entry = { kind: 'password.reset_link_issued', by: BY_OPERATOR, from: null } as const;
    await auditLog.recordOfPerson(db, user.id, entry);
    return { user, secret: await this.#issue('operator_reset', user.id) };
  }

  /** Whose password the link sets. Raises `resource_missing` unless it can be used. */
  async find(secret: string): Promise<User> {
    const { user_id: id } = await this.#links.find(secret);
    const user = id === null ? null : await findUser(this.#deps.db, id);
    if (user === null) throw missing('link');
    return user;
  }

  /**
   * Sets the password and closes every other way in, because sessions, passkeys, browsers with notifications, connected
   * apps and other links may belong to someone who had taken over the e-mail address. Returns the proof for the browser's second cookie. Raises
   * `resource_missing`, `parameter_invalid` and `too_many_auth_attempts`.
   */
  async complete(secret: string, chosen: string, visit: Visit): Promise<string> {
    const { db, clock, notices, passwords, webSessions, deviceTokens, auditLog } = this.#deps;
    const { address, cookie } = visit;
    const { id, email_normalised: email } = await this.find(secret);
    const hash = await passwords.hashOf(chosen, email, address);
    const { ended, revoked } = await db.transaction().execute(async (trx) => {
      await lockUser(trx, id);
      await this.#links.use(trx, secret);
      await deleteUnusedLinks(trx, id);
      await deletePasskeysOf(trx, id);
      await auditLog.recordOfPerson(trx, id, { kind: 'password.reset', by: byPerson(id), from: visit });
      const grants = await revokeGrantsOfPerson(trx, id, new Date(clock.now()));
      const revoked = grants.map((grant) => ({ kind: 'oauth_grant', id: grant }) as const);
      for (const notice of revoked) await notices.publish(trx, notice);
      return { ended: await passwords.setWithin(trx, id, hash, null), revoked };
    });
    webSessions.deliver(ended);
    for (const notice of revoked) notices.deliver(notice);
    return deviceTokens.withProof(cookie, email);
  }

  async #mail(email: string, from: Visit): Promise<void> {
    const { db, letters, auditLog } = this.#deps;
    const user = isEmailAddress(email) ? await findUserByEmail(db, email) : null;
    if (user === null) return;
    const entry = { kind: 'password.reset_link_issued', by: byPerson(user.id), from } as const;
    await auditLog.recordOfPerson(db, user.id, entry);
    await letters.passwordReset(user.email, await this.#issue('password_reset', user.id));
  }

  /**
   * Earlier links stay valid, up to a limit: a stranger who asks again must not end the one that the person is waiting
   * for.
   */
  async #issue(kind: 'password_reset' | 'operator_reset', user: RowId<'user'>): Promise<string> {
    return this.#deps.db.transaction().execute(async (trx) => {
      await lockUser(trx, user);
      await deleteSurplusLinks(trx, { kind, user, kept: LINKS_AT_ONCE - 1 });
      return this.#links.issue(trx, kind, user);
    });
  }
}
