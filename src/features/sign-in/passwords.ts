import type { Clock } from '../../platform/clock.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { findUser, lockUser, setPasswordHash } from '../../storage/users.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { type AuditLog, byCaller, type Origin } from '../audit/audit-log.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
import type { PasswordChecks } from './password-checks.ts';
import { requireUsablePassword } from './password-rules.ts';
import type { SignedIn } from './session-authenticator.ts';
import type { WebSessions } from './web-sessions.ts';

export interface PasswordsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly attempts: SignInAttempts;
  readonly passwordChecks: PasswordChecks;
  readonly webSessions: WebSessions;
  readonly auditLog: AuditLog;
}

/** Setting and changing passwords; nothing but their argon2id hashes is stored. */
export class Passwords {
  readonly #deps: PasswordsDependencies;

  constructor(deps: PasswordsDependencies) {
    this.#deps = deps;
  }

  /**
   * The hash of a password that somebody chose. Raises `parameter_invalid` for one that is too short, too long or the
   * person's own address, and `too_many_auth_attempts`.
   */
  async hashOf(chosen: string, email: string, address: string): Promise<string> {
    requireUsablePassword(chosen, email);
    return this.#deps.passwordChecks.hash(chosen, address);
  }

  /**
   * Changes the person's password and ends all their sessions but this one. Raises `parameter_invalid` for a wrong
   * `current` and as `hashOf` does, and `too_many_auth_attempts`.
   */
  async change(
    { caller, session }: SignedIn,
    { current, chosen }: { readonly current: string; readonly chosen: string },
    from: Origin,
  ): Promise<void> {
    const { db, attempts, passwordChecks, auditLog } = this.#deps;
    const { user } = caller;
    const { address } = from;
    const person = await findUser(db, user);
    if (person === null) throw missing('user');
    const { email_normalised: email, password_hash: before } = person;
    requireUsablePassword(chosen, email);
    // Who has found a browser signed in must not guess on, and spends of nobody else's budget.
    await attempts.arrive({ address, email, device: session });
    const { matches } = await passwordChecks.verify(current, before, address);
    if (!matches) throw invalidParameter('current', 'The current password is wrong.');
    const after = await passwordChecks.hash(chosen, address);
    await this.#set(user, after, session, before, (trx) =>
      auditLog.recordOfPerson(trx, user, { kind: 'password.changed', by: byCaller(caller), from }),
    );
  }

  /** Within a transaction: sets the hash and ends the person's sessions, whose ids it answers for `deliver`. */
  async setWithin(
    trx: Trx,
    user: RowId<'user'>,
    hash: string,
    kept: RowId<'web_session'> | null,
  ): Promise<RowId<'web_session'>[]> {
    const { clock, webSessions } = this.#deps;
    await setPasswordHash(trx, user, hash, new Date(clock.now()));
    return webSessions.endAllWithin(trx, user, kept);
  }

  async #set(
    user: RowId<'user'>,
    hash: string,
    kept: RowId<'web_session'>,
    before: string,
    record: (trx: Trx) => Promise<void>,
  ): Promise<void> {
    const { db, webSessions } = this.#deps;
    const ended = await db.transaction().execute(async (trx) => {
      const locked = await lockUser(trx, user);
      if (locked === null || locked.password_hash !== before) {
        throw new ServiceError('parameter_invalid', {
          param: 'current',
          message: 'The password has changed meanwhile; sign in with the new one.',
        });
      }
      await record(trx);
      return this.setWithin(trx, user, hash, kept);
    });
    webSessions.deliver(ended);
  }
}
