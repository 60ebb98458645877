import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { deleteUnusedLinks } from '../../storage/one-time-links.ts';
import { findUser, lockUser, setEmail } from '../../storage/users.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
import type { Letters } from './letters.ts';
import type { PasswordChecks } from './password-checks.ts';
import { requireEmailAddress } from './person.ts';
import type { SignedIn } from './session-authenticator.ts';
import type { WebSessions } from './web-sessions.ts';

export interface EmailChangesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly attempts: SignInAttempts;
  readonly passwordChecks: PasswordChecks;
  readonly webSessions: WebSessions;
  readonly letters: Letters;
}

/** Changes the address with which a person signs in, and to which links for a new password go. */
export class EmailChanges {
  readonly #deps: EmailChangesDependencies;

  constructor(deps: EmailChangesDependencies) {
    this.#deps = deps;
  }

  /**
   * The person's other sessions end, links that were mailed to the old address stop working, and the old address hears
   * of it. Raises `parameter_invalid` for a wrong `current`, for what is no address and for one that somebody has, and
   * `too_many_auth_attempts`.
   */
  async change(
    { caller: { user }, session }: SignedIn,
    { current, email: text }: { readonly current: string; readonly email: string },
    address: string,
  ): Promise<void> {
    const { db, attempts, clock, passwordChecks, webSessions } = this.#deps;
    const email = requireEmailAddress(text);
    const person = await findUser(db, user);
    if (person === null) throw missing('user');
    await attempts.arrive({ address, email: person.email_normalised, device: session });
    const { matches } = await passwordChecks.verify(current, person.password_hash, address);
    if (!matches) throw invalidParameter('current', 'The current password is wrong.');
    const ended = await db.transaction().execute(async (trx) => {
      const locked = await lockUser(trx, user);
      if (locked === null || locked.password_hash !== person.password_hash) {
        throw invalidParameter('current', 'The password has changed meanwhile; sign in with the new one.');
      }
      const now = new Date(clock.now());
      if (!(await setEmail(trx, user, { email, normalised: normalisedEmail(email) }, now))) {
        throw invalidParameter('email', 'Somebody signs in with this e-mail address already.');
      }
      await deleteUnusedLinks(trx, user);
      return webSessions.endAllWithin(trx, user, session);
    });
    webSessions.deliver(ended);
    this.#tell(person.email);
  }

  #tell(before: string): void {
    const { letters, log } = this.#deps;
    letters
      .emailChanged(before)
      .catch((error: unknown) => log.warn('A change of e-mail address was not mailed.', {}, error));
  }
}
