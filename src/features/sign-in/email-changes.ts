import type { Clock } from '../../platform/clock.ts';
import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { deleteUnusedLinks } from '../../storage/one-time-links.ts';
import { findUser, findUserByEmail, lockUser, setEmail, type User } from '../../storage/users.ts';
import { EMAIL_MOST_CHARACTERS, normalisedEmail } from '../../vocabulary/email.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { type AuditLog, byCaller, type Origin } from '../audit/audit-log.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
import type { Letters } from './letters.ts';
import type { PasswordChecks } from './passwords.ts';
import { requireEmailAddress } from './person.ts';
import type { SignedIn } from './session-authenticator.ts';
import type { WebSessions } from './web-sessions.ts';

/** `1.<end, epoch seconds>.<address, base64url>.<MAC, base64url>`; the first part is the version. */
const PROOF = /^1\.(\d{1,12})\.([\w-]{1,1400})\.([\w-]{43})$/;

/**
 * Proof that the person reads the mail of the address they want to sign in with (docs/sign-in.md#e-mail-address). It is
 * not stored. It is bound to the person's password and address at the time of the request, so changing either, or using
 * it, makes it invalid, and so does replacing the encryption key.
 */
class EmailProofs {
  readonly #key: () => Buffer;

  constructor(keyring: Pick<Keyring, 'derive'>) {
    this.#key = () => keyring.derive('email-changes');
  }

  /** What is mailed to the new address. `until`: epoch milliseconds. */
  issue(person: User, email: string, until: number): string {
    const end = String(Math.floor(until / 1000));
    const mac = this.#mac(person, email, end).toString('base64url');
    return `1.${end}.${Buffer.from(email).toString('base64url')}.${mac}`;
  }

  /** The address that the person may now use; null for a proof that is used, expired or another person's. */
  addressIn(proof: string, person: User, now: number): string | null {
    const [, end = '', encoded = '', mac = ''] = PROOF.exec(proof) ?? [];
    if (end === '' || Number(end) * 1000 <= now) return null;
    const email = Buffer.from(encoded, 'base64url').toString();
    if (email.length > EMAIL_MOST_CHARACTERS) return null;
    return sameBytes(Buffer.from(mac, 'base64url'), this.#mac(person, email, end)) ? email : null;
  }

  #mac({ id, email, password_hash: password }: User, wanted: string, end: string): Buffer {
    return keyedMac(this.#key(), id, email, password ?? '', wanted, end);
  }
}

const MINUTE_MS = 60_000;

export interface EmailChangesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly limits: Pick<Limits, 'password_reset_minutes'>;
  readonly keyring: Pick<Keyring, 'derive'>;
  readonly attempts: SignInAttempts;
  readonly passwordChecks: PasswordChecks;
  readonly webSessions: WebSessions;
  readonly letters: Letters;
  readonly auditLog: AuditLog;
}

/** Changes the address with which a person signs in, and to which links for a new password go. */
export class EmailChanges {
  readonly #deps: EmailChangesDependencies;
  readonly #proofs: EmailProofs;

  constructor(deps: EmailChangesDependencies) {
    this.#deps = deps;
    this.#proofs = new EmailProofs(deps.keyring);
  }

  /** Whether an address has to be proved, so that mistyping it does not hand the data to its owner. */
  get mailed(): boolean {
    return this.#deps.letters.configured;
  }

  /**
   * Changes the address or, if this service sends mail, mails a link to it that does. Raises `parameter_invalid` for a
   * wrong `current`, an invalid address, one that is in use and a mail that cannot be sent, and
   * `too_many_auth_attempts`.
   */
  async ask(
    signedIn: SignedIn,
    { current, email: text }: { readonly current: string; readonly email: string },
    from: Origin,
  ): Promise<'changed' | 'mailed'> {
    const { db, attempts, passwordChecks } = this.#deps;
    const { caller, session } = signedIn;
    const { address } = from;
    const email = requireEmailAddress(text);
    const person = await findUser(db, caller.user);
    if (person === null) throw missing('user');
    await attempts.arrive({ address, email: person.email_normalised, device: session });
    const { matches } = await passwordChecks.verify(current, person.password_hash, address);
    if (!matches) throw invalidParameter('current', 'The current password is wrong.');
    if (this.mailed) {
      await this.#mail(person, email);
      return 'mailed';
    }
    await this.#change(person, signedIn, from, (locked) => {
      if (locked.password_hash !== person.password_hash) {
        throw invalidParameter('current', 'The password has changed meanwhile; sign in with the new one.');
      }
      return email;
    });
    return 'changed';
  }

  /** The address that the mailed link proves for the signed-in person; null if it proves none. */
  async proved({ caller: { user } }: SignedIn, proof: string): Promise<string | null> {
    const person = await findUser(this.#deps.db, user);
    return person === null ? null : this.#proofs.addressIn(proof, person, this.#deps.clock.now());
  }

  /** Changes the address to the proved one. Raises `parameter_invalid` if there is none or it is now in use. */
  async confirm(signedIn: SignedIn, proof: string, from: Origin): Promise<void> {
    const { db, clock } = this.#deps;
    const person = await findUser(db, signedIn.caller.user);
    if (person === null) throw missing('user');
    await this.#change(person, signedIn, from, (locked) => {
      const email = this.#proofs.addressIn(proof, locked, clock.now());
      if (email === null) throw invalidParameter('token', 'This link does not work any more.');
      return email;
    });
  }

  async #mail(person: User, email: string): Promise<void> {
    const { db, attempts, clock, letters, limits, log } = this.#deps;
    const normalised = normalisedEmail(email);
    const holder = await findUserByEmail(db, normalised);
    if (holder !== null && holder.id !== person.id) throw taken();
    await attempts.invitationMail(normalised);
    const until = clock.now() + limits.password_reset_minutes * MINUTE_MS;
    try {
      await letters.confirmEmail(email, this.#proofs.issue(person, email, until));
    } catch (error) {
      log.warn('Failed to mail a link that confirms an email address.', {}, error);
      throw invalidParameter('email', 'No mail could be sent to this address. Nothing was changed.');
    }
  }

  /** The person's other sessions end, links mailed to the old address stop working, and the old address is notified. */
  async #change(
    { id, email: before }: User,
    { caller, session }: SignedIn,
    from: Origin,
    wanted: (locked: User) => string,
  ): Promise<void> {
    const { db, clock, webSessions, auditLog } = this.#deps;
    const ended = await db.transaction().execute(async (trx) => {
      const locked = await lockUser(trx, id);
      if (locked === null) throw missing('user');
      const email = wanted(locked);
      const now = new Date(clock.now());
      if (!(await setEmail(trx, id, { email, normalised: normalisedEmail(email) }, now))) throw taken();
      await deleteUnusedLinks(trx, id);
      await auditLog.recordOfPerson(trx, id, { kind: 'email.changed', by: byCaller(caller), from });
      return webSessions.endAllWithin(trx, id, session);
    });
    webSessions.deliver(ended);
    this.#tell(before);
  }

  #tell(before: string): void {
    const { letters, log } = this.#deps;
    letters
      .emailChanged(before)
      .catch((error: unknown) => log.warn('Failed to mail a change of email address.', {}, error));
  }
}

function taken(): Error {
  return invalidParameter('email', 'A person signs in with this e-mail address already.');
}
