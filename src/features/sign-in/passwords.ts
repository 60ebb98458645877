import type { Clock } from '../../platform/clock.ts';
import { FairSlots, SlotsFull } from '../../platform/fair-slots.ts';
import { clientNetwork } from '../../platform/network-addresses.ts';
import { hashPassword, type PasswordVerdict, verifyPassword } from '../../platform/password-hash.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { deletePushDevicesOf } from '../../storage/notification-settings.ts';
import { findUser, lockUser, setPasswordHash } from '../../storage/users.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { type AuditLog, byCaller, type Origin } from '../audit/audit-log.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
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

/** Setting and changing passwords; only their argon2id hashes are stored. */
export class Passwords {
  readonly #deps: PasswordsDependencies;

  constructor(deps: PasswordsDependencies) {
    this.#deps = deps;
  }

  /**
   * The hash of a new password. Raises `parameter_invalid` for one that is too short, too long or the person's own
   * address, and `too_many_auth_attempts`.
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
    // Anyone at a signed-in browser must not be able to keep guessing, and must not use up others' attempts.
    await attempts.arrive({ address, email, device: session });
    const { matches } = await passwordChecks.verify(current, before, address);
    if (!matches) throw invalidParameter('current', 'The current password is wrong.');
    const after = await passwordChecks.hash(chosen, address);
    await this.#set(user, after, session, before, (trx) =>
      auditLog.recordOfPerson(trx, user, { kind: 'password.changed', by: byCaller(caller), from }),
    );
  }

  /**
   * Within a transaction: sets the hash, removes the browsers that receive notifications, which outlast sessions and may
   * be those of someone who knew the old password, and ends the person's sessions, whose ids it returns for `deliver`.
   */
  async setWithin(
    trx: Trx,
    user: RowId<'user'>,
    hash: string,
    kept: RowId<'web_session'> | null,
  ): Promise<RowId<'web_session'>[]> {
    const { clock, webSessions } = this.#deps;
    await setPasswordHash(trx, user, hash, new Date(clock.now()));
    await deletePushDevicesOf(trx, user);
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

const RETRY_SECONDS = 5;

/**
 * Hashes passwords, a few at a time: each takes 19 MiB and a thread of the pool that file and DNS calls also need. The
 * queue is divided between client networks, so a flood from one leaves room for others.
 */
export class PasswordChecks {
  readonly #slots: FairSlots;

  constructor(limits: Pick<Limits, 'password_checks_at_once' | 'password_checks_waiting'>) {
    this.#slots = new FairSlots({
      slots: limits.password_checks_at_once,
      waiting: limits.password_checks_waiting,
      share: 1,
    });
  }

  /** A PHC string with the current parameters. Raises `too_many_auth_attempts`. */
  hash(password: string, address: string): Promise<string> {
    return this.#inTurn(address, () => hashPassword(password));
  }

  /**
   * `phc` is null if there is no such person, or they have no password; that takes as long. Raises
   * `too_many_auth_attempts`.
   */
  verify(password: string, phc: string | null, address: string): Promise<PasswordVerdict> {
    return this.#inTurn(address, () => verifyPassword(password, phc));
  }

  async #inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    const give = await this.#slots.take(clientNetwork(address)).catch((error: unknown) => {
      if (!(error instanceof SlotsFull)) throw error;
      throw new ServiceError('too_many_auth_attempts', {
        message: 'Too many people are signing in at this moment; try again in a few seconds.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    });
    try {
      return await work();
    } finally {
      give();
    }
  }
}

/**
 * With ten characters that are not the person's address, guessing at the rate that docs/sign-in.md allows is hopeless.
 */
export const PASSWORD_LEAST_CHARACTERS = 10;
/** Beyond this, the cost of hashing would depend on the length of the password. */
export const PASSWORD_MOST_CHARACTERS = 200;

/** Raises `parameter_invalid` for an unacceptable password. `email` is in its normalised form. */
function requireUsablePassword(chosen: string, email: string): void {
  if (chosen.length > PASSWORD_MOST_CHARACTERS) {
    throw invalidParameter(
      'password',
      `The password may have at most ${PASSWORD_MOST_CHARACTERS} characters.`,
    );
  }
  if (
    [...chosen].length < PASSWORD_LEAST_CHARACTERS ||
    new Set(chosen).size < PASSWORD_LEAST_CHARACTERS / 2
  ) {
    throw invalidParameter(
      'password',
      `The password must have at least ${PASSWORD_LEAST_CHARACTERS} characters, and not the same few again and again.`,
    );
  }
  if (chosen.trim().toLowerCase() === email) {
    throw invalidParameter('password', 'The password must not be the e-mail address.');
  }
}
