import { browserName } from '../../platform/browser-names.ts';
import type { Clock } from '../../platform/clock.ts';
import { newOpaqueSecret, opaqueSecretHash } from '../../platform/random-text.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { findMembership, noteChosen } from '../../storage/memberships.ts';
import type { Notices } from '../../storage/notices.ts';
import { lockUser, type User as Person } from '../../storage/users.ts';
import {
  deleteWebSessions,
  insertWebSession,
  moveWebSession,
  type WebSession,
  webSessionIdsOf,
  webSessionsOf,
} from '../../storage/web-sessions.ts';
import type { AuditDetail } from '../../vocabulary/audit-kinds.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { missing } from '../../vocabulary/service-error.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { SessionAuthenticator, SignedIn } from './session-authenticator.ts';
import { type CookieNames, sessionSecretIn, type Visit } from './session-cookie.ts';

const DAY_MS = 86_400_000;

type User = RowId<'user'>;
type SessionId = RowId<'web_session'>;

/** A session that has just begun. `secret` exists only here: it goes into the cookie. */
export interface BegunSession {
  readonly id: SessionId;
  readonly secret: string;
  /** How long the browser keeps the cookie. */
  readonly seconds: number;
}

/** A person who has proved who they are, and the account record that their session works with. */
export interface Entrant {
  readonly user: Person;
  readonly owner: OwnerId;
}

/** Rolls back the transaction of a sign-in that is refused after all. */
class NotLetIn extends Error {}

async function undone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotLetIn) return null;
    throw error;
  }
}

export interface WebSessionsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly notices: Notices;
  readonly cookies: CookieNames;
  readonly authenticator: SessionAuthenticator;
  readonly auditLog: AuditLog;
}

/** The browsers in which people are signed in (docs/sign-in.md#sessions). */
export class WebSessions {
  readonly #deps: WebSessionsDependencies;

  constructor(deps: WebSessionsDependencies) {
    this.#deps = deps;
  }

  /** Who is signed in with the session of a `Cookie` header; null for no one. Does not count as an attempt. */
  async find(cookie: string | undefined): Promise<SignedIn | null> {
    const { cookies, authenticator } = this.#deps;
    const secret = sessionSecretIn(cookie, cookies);
    return secret === null ? null : authenticator.find(secret);
  }

  /**
   * Ends the session in a cookie from before the service moved to https, if there is one: it may have been intercepted
   * over plain http.
   */
  async endFormer(cookie: string | undefined): Promise<void> {
    const { cookies, authenticator } = this.#deps;
    const secret = cookies.former === null ? null : sessionSecretIn(cookie, cookies.former);
    const found = secret === null ? null : await authenticator.find(secret);
    if (found !== null) await this.end(found.caller.user, [found.session]);
  }

  /**
   * Signs in the person, who proved who they are by `how`, with a new secret. The browser's previous session ends, so
   * that someone who planted it does not share the new one; so does the least recently used session if there are too
   * many. `who` names the person in the same transaction. Returns null and changes nothing if the password has changed
   * since the person was read, so that someone with the old one does not get in after the change, or if they are not a
   * member of the account record.
   */
  async begin(
    visit: Visit,
    how: AuditDetail,
    who: (trx: Trx) => Promise<Entrant>,
  ): Promise<{ readonly session: BegunSession; readonly user: Person; readonly owner: OwnerId } | null> {
    const { db, clock, limits, auditLog } = this.#deps;
    const earlier = await this.find(visit.cookie);
    const now = clock.now();
    const secret = newOpaqueSecret();
    const id = rowId('web_session', newRowId(clock));
    const begun = await undone(
      db.transaction().execute(async (trx) => {
        const { user, owner } = await who(trx);
        const locked = await lockUser(trx, user.id);
        if (locked === null || locked.password_hash !== user.password_hash) throw new NotLetIn();
        if ((await findMembership(trx, owner, user.id)) === null) throw new NotLetIn();
        const ended =
          earlier === null ? [] : await this.#endWithin(trx, earlier.caller.user, [earlier.session]);
        const others = await webSessionsOf(trx, user.id);
        const surplus = others.slice(limits.sessions_per_user - 1).map((other) => other.id);
        await noteChosen(trx, owner, user.id, new Date(now));
        await insertWebSession(trx, {
          id,
          secret_hash: opaqueSecretHash(secret),
          user_id: user.id,
          account_record: owner,
          created: new Date(now),
          last_seen_at: new Date(now),
          browser: browserName(visit.userAgent),
          expires_at: new Date(now + limits.session_days * DAY_MS),
        });
        await auditLog.record(trx, owner, {
          kind: 'session.started',
          detail: how,
          by: { kind: 'session', id, user: user.id },
          from: visit,
        });
        return { user, owner, ended: [...ended, ...(await this.#endWithin(trx, user.id, surplus))] };
      }),
    );
    if (begun === null) return null;
    this.deliver(begun.ended);
    await this.endFormer(visit.cookie);
    return {
      user: begun.user,
      owner: begun.owner,
      session: { id, secret, seconds: limits.session_days * (DAY_MS / 1000) },
    };
  }

  /** The person's active sessions, most recently used first. */
  async list(user: User): Promise<WebSession[]> {
    const { db, clock, limits } = this.#deps;
    const now = clock.now();
    const idleSince = now - limits.session_idle_days * DAY_MS;
    const all = await webSessionsOf(db, user);
    return all.filter((one) => one.expires_at.getTime() > now && one.last_seen_at.getTime() > idleSince);
  }

  /** Ends those of the sessions that belong to the person, at once and in every process. */
  async end(user: User, sessions: readonly SessionId[]): Promise<void> {
    await this.#committing((trx) => this.#endWithin(trx, user, sessions));
  }

  /** Ends every session of the person but `kept`. */
  async endAll(user: User, kept: SessionId | null): Promise<void> {
    await this.#committing(async (trx) => {
      await lockUser(trx, user);
      return this.endAllWithin(trx, user, kept);
    });
  }

  /**
   * The same within a transaction of the caller, which has locked the person and delivers the notices for the returned
   * ids once it is committed.
   */
  async endAllWithin(trx: Trx, user: User, kept: SessionId | null, owner?: OwnerId): Promise<SessionId[]> {
    const ids = await webSessionIdsOf(trx, user, owner);
    return this.#endWithin(
      trx,
      user,
      ids.filter((id) => id !== kept),
    );
  }

  /** Tells every process that these sessions have changed. */
  async changed(trx: Trx, user: User, owner: OwnerId): Promise<SessionId[]> {
    const ids = await webSessionIdsOf(trx, user, owner);
    await this.#publish(trx, ids);
    return ids;
  }

  deliver(sessions: readonly SessionId[]): void {
    for (const id of sessions) this.#deps.notices.deliver({ kind: 'web_session', id });
  }

  /** Switches the session to another account record of its person. Raises `resource_missing` for any other. */
  async moveTo({ caller: { user }, session }: SignedIn, owner: OwnerId): Promise<void> {
    await this.#committing(async (trx) => {
      await lockUser(trx, user);
      if ((await findMembership(trx, owner, user)) === null) throw missing('account record');
      await moveWebSession(trx, user, session, owner);
      await noteChosen(trx, owner, user, new Date(this.#deps.clock.now()));
      await this.#publish(trx, [session]);
      return [session];
    });
  }

  async #committing(work: (trx: Trx) => Promise<SessionId[]>): Promise<void> {
    this.deliver(await this.#deps.db.transaction().execute(work));
  }

  async #endWithin(trx: Trx, user: User, sessions: readonly SessionId[]): Promise<SessionId[]> {
    const ended = await deleteWebSessions(trx, user, sessions);
    await this.#publish(trx, ended);
    return ended;
  }

  async #publish(trx: Trx, sessions: readonly SessionId[]): Promise<void> {
    for (const id of sessions) await this.#deps.notices.publish(trx, { kind: 'web_session', id });
  }
}
