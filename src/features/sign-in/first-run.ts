import type { Clock } from '../../platform/clock.ts';
import {
  findAccountRecordByEmail,
  oldestAccountRecord,
  updateAccountRecord,
} from '../../storage/account-records.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { lockOneTimeLinks } from '../../storage/one-time-links.ts';
import { hasUsers } from '../../storage/users.ts';
import { normalisedEmail, PLACEHOLDER_EMAIL } from '../../vocabulary/email.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { isTimeZone } from '../../vocabulary/moments.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import type { AccountRecords } from '../access/account-records.ts';
import { OneTimeLinks } from './one-time-links.ts';
import type { Passwords } from './passwords.ts';
import { addMember, addUser, requireEmailAddress } from './person.ts';
import type { Visit } from './session-cookie.ts';
import type { NewlySignedIn, SignIn } from './sign-in.ts';

const HOUR_MS = 3_600_000;

export interface FirstRunDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly accountRecords: AccountRecords;
  readonly passwords: Passwords;
  readonly signIn: SignIn;
}

/** The first person of an installation, who needs no invitation (docs/sign-in.md#first-person). */
export class FirstRun {
  readonly #deps: FirstRunDependencies;
  readonly #links: OneTimeLinks;
  #anyone = false;

  constructor(deps: FirstRunDependencies) {
    this.#deps = deps;
    this.#links = new OneTimeLinks(['first_run'], {
      ...deps,
      lastsMs: deps.limits.first_run_hours * HOUR_MS,
    });
  }

  /** The secret of a link for the first person; null once there is one. */
  async issue(): Promise<string | null> {
    const { db } = this.#deps;
    return (await hasUsers(db)) ? null : this.#links.issue(db, 'first_run', null);
  }

  /**
   * Whether no one can sign in yet. Asked by every visitor without a session, so a person once seen is remembered: if
   * all are deleted later, only the next start makes a link.
   */
  async isAwaited(): Promise<boolean> {
    this.#anyone ||= await hasUsers(this.#deps.db);
    return !this.#anyone;
  }

  /** Raises `resource_missing` unless the link can be used. */
  async find(secret: string): Promise<void> {
    await this.#links.find(secret);
    if (await hasUsers(this.#deps.db)) throw missing('link');
  }

  /**
   * Creates the first person, as owner of the oldest account record, or of a new one if there is none. One with the
   * placeholder address gets theirs, and the zone they chose. Of several links, only one works, once. Raises `resource_missing`,
   * `parameter_invalid` and `too_many_auth_attempts`.
   */
  async complete(
    secret: string,
    chosen: { readonly email: string; readonly password: string; readonly timezone: string | null },
    visit: Visit,
  ): Promise<NewlySignedIn> {
    const { clock, passwords, signIn } = this.#deps;
    await this.find(secret);
    const email = requireEmailAddress(chosen.email);
    const { timezone } = chosen;
    if (timezone !== null && !isTimeZone(timezone)) {
      throw invalidParameter('timezone', 'This is not an IANA zone name.');
    }
    const hash = await passwords.hashOf(chosen.password, email, visit.address);
    const signed = await signIn.joining(visit, 'first_run', async (trx) => {
      // If several links are used at once, the others wait here, and then find that there is a person.
      await lockOneTimeLinks(trx, 'first_run');
      await this.#links.use(trx, secret);
      const owner = await this.#firstAccountRecord(trx, { email, ...(timezone !== null && { timezone }) });
      if (await hasUsers(trx)) throw missing('link');
      const user = await addUser(trx, clock, { email, hash, operator: true });
      await addMember(trx, clock, owner, user.id, 'owner');
      return { user, owner };
    });
    if (signed === 'refused') throw missing('user');
    return signed;
  }

  async #firstAccountRecord(
    trx: Trx,
    chosen: { readonly email: string; readonly timezone?: string },
  ): Promise<OwnerId> {
    const oldest = await oldestAccountRecord(trx);
    if (oldest === null) return (await this.#deps.accountRecords.createWithin(trx, chosen)).id;
    // Pages name the account record by this address, and its owner would not know it as theirs.
    const other = await findAccountRecordByEmail(trx, normalisedEmail(chosen.email));
    if (oldest.email === PLACEHOLDER_EMAIL && other === null) {
      await updateAccountRecord(trx, oldest.id, chosen, new Date(this.#deps.clock.now()));
    }
    return oldest.id;
  }
}
