import type { Clock } from '../../platform/clock.ts';
import { opaqueSecretHash } from '../../platform/random-text.ts';
import { findOpenAccountRecord } from '../../storage/account-records.ts';
import type { Db } from '../../storage/database.ts';
import { findMembership } from '../../storage/memberships.ts';
import type { Notices } from '../../storage/notices.ts';
import { findWebSessionByHash, touchWebSessions } from '../../storage/web-sessions.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { MEMBER_ROLES, type MemberRole } from '../../vocabulary/member-roles.ts';
import { impliedScopes } from '../../vocabulary/scopes.ts';
import {
  type Authenticator,
  type CredentialHeaders,
  LastUses,
  type Refusal,
  RememberedCallers,
} from '../access/authentication.ts';
import type { SessionCaller } from '../access/caller.ts';
import { type CookieNames, sessionSecretIn } from './session-cookie.ts';

const DAY_MS = 86_400_000;
/** How often the last use of a session is recorded; more precision is not needed. */
const NOTE_MS = 30_000;

/** A session as it is cached between requests. */
interface KnownSession extends Pick<SessionCaller, 'accountRecord'> {
  readonly id: RowId<'web_session'>;
  readonly caller: SessionCaller;
  /** When the person signed in, epoch milliseconds. */
  readonly began: number;
  readonly expires: number;
  /** When it was last used, as far as this process knows. */
  seen: number;
}

/** A session of a signed-in person. */
export interface SignedIn {
  readonly caller: SessionCaller;
  readonly session: RowId<'web_session'>;
  readonly began: number;
}

/**
 * Authenticates sessions by their cookie. One that has ended, or whose person is no longer a member, is refused at once
 * in every process.
 */
export class SessionAuthenticator implements Authenticator {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #cookies: CookieNames;
  readonly #sessions: RememberedCallers<KnownSession>;
  readonly #uses: LastUses<RowId<'web_session'>>;

  readonly rates = 'sessions';
  readonly messages = {
    api_key_missing: 'You are not signed in, or your session has ended; sign in again.',
  };

  constructor(deps: {
    readonly db: Db;
    readonly clock: Clock;
    readonly limits: Limits;
    readonly notices: Notices;
    readonly cookies: CookieNames;
  }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#limits = deps.limits;
    this.#cookies = deps.cookies;
    this.#sessions = new RememberedCallers(deps.notices, 'web_session');
    this.#uses = new LastUses((seen) => touchWebSessions(deps.db, seen));
  }

  /** If a request has an `Authorization` header, only that credential counts. */
  credentialIn({ authorization, cookie }: CredentialHeaders): string | null {
    if (authorization !== undefined && authorization !== '') return null;
    return cookie === undefined ? null : sessionSecretIn(cookie, this.#cookies);
  }

  identify(secret: string): SessionCaller | Refusal | Promise<SessionCaller | Refusal> {
    const found = this.find(secret);
    const answer = (signedIn: SignedIn | null) => signedIn?.caller ?? 'api_key_missing';
    return found instanceof Promise ? found.then(answer) : answer(found);
  }

  /** Who is signed in with the secret of a cookie, or null. A promise only if a lookup is needed. */
  find(secret: string): SignedIn | null | Promise<SignedIn | null> {
    const hash = opaqueSecretHash(secret);
    const digest = hash.toString('base64');
    const known = this.#sessions.recall(digest);
    // Another process may have seen it since.
    if (known !== null && !this.#isIdle(known)) return this.#admit(known);
    return this.#sessions
      .find(digest, () => this.#look(hash))
      .then((session) => (session === null || this.#isIdle(session) ? null : this.#admit(session)));
  }

  /**
   * The same person in the same session, with what they may do in another account record that they share: for a
   * decision about that one, which leaves the session where it is. Null for one that they do not share, and for one
   * that is being deleted.
   */
  async inRecord(signedIn: SignedIn, owner: OwnerId): Promise<SignedIn | null> {
    const { caller } = signedIn;
    const [accountRecord, membership] = await Promise.all([
      findOpenAccountRecord(this.#db, owner),
      findMembership(this.#db, owner, caller.user),
    ]);
    if (accountRecord === null || membership === null) return null;
    return { ...signedIn, caller: { ...caller, accountRecord, ...inRole(membership.role) } };
  }

  /** Writes `last_seen_at` of the sessions used since the last call. */
  flushLastUsed(): Promise<void> {
    return this.#uses.flush();
  }

  #admit(session: KnownSession): SignedIn | null {
    const now = this.#clock.now();
    if (session.expires <= now) return null;
    if (now - session.seen >= NOTE_MS) {
      session.seen = now;
      this.#uses.note(session.id, now);
    }
    return { caller: session.caller, session: session.id, began: session.began };
  }

  #isIdle({ seen }: KnownSession): boolean {
    return this.#clock.now() - seen >= this.#limits.session_idle_days * DAY_MS;
  }

  async #look(hash: Buffer): Promise<KnownSession | null> {
    const session = await findWebSessionByHash(this.#db, hash);
    if (session === null) return null;
    const [accountRecord, membership] = await Promise.all([
      findOpenAccountRecord(this.#db, session.account_record),
      findMembership(this.#db, session.account_record, session.user_id),
    ]);
    if (accountRecord === null || membership === null) return null;
    const { role } = membership;
    return {
      id: session.id,
      accountRecord,
      caller: {
        kind: 'session',
        id: session.id,
        accountRecord,
        user: session.user_id,
        ...inRole(role),
        began: session.created.getTime(),
      },
      began: session.created.getTime(),
      expires: session.expires_at.getTime(),
      seen: session.last_seen_at.getTime(),
    };
  }
}

function inRole(role: MemberRole): Pick<SessionCaller, 'role' | 'scopes'> {
  return { role, scopes: impliedScopes(MEMBER_ROLES[role].scopes) };
}
