import type { Clock } from '../../platform/clock.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { revokeInvitationsBy } from '../../storage/invitations.ts';
import {
  deleteMembership,
  type Member,
  membershipsOf,
  membersOf,
  setRole,
} from '../../storage/memberships.ts';
import type { Notices } from '../../storage/notices.ts';
import { findUser, lockUser } from '../../storage/users.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { MEMBER_ROLES, type MemberRole } from '../../vocabulary/member-roles.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { SessionCaller } from '../access/caller.ts';
import type { WebSessions } from './web-sessions.ts';

type User = RowId<'user'>;

/** A person who signs in. */
export interface ShownPerson {
  readonly email: string;
  /** Whether they are an operator of the installation (docs/operator.md). */
  readonly operator: boolean;
  /** Those they share, in the order they joined. */
  readonly accountRecords: readonly OwnerId[];
}

/** Raises `insufficient_scope` for a member whose role may not manage members. */
export function requireManager({ role }: SessionCaller): void {
  if (MEMBER_ROLES[role].manages) return;
  throw new ServiceError('insufficient_scope', {
    message: 'Only an owner of the account record may do this.',
  });
}

/** Whether the person is a member and may manage members. */
export function manages(members: readonly Member[], user: User): boolean {
  return members.some((member) => member.user_id === user && MEMBER_ROLES[member.role].manages);
}

/** The members of an account record (docs/sign-in.md#members). At least one is an owner. */
export class Members {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;
  readonly #webSessions: WebSessions;

  constructor(deps: {
    readonly db: Db;
    readonly clock: Clock;
    readonly notices: Notices;
    readonly webSessions: WebSessions;
  }) {
    this.#notices = deps.notices;
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#webSessions = deps.webSessions;
  }

  /** What the pages show a person about themselves. Raises `resource_missing`. */
  async person(id: User): Promise<ShownPerson> {
    const [user, memberships] = await Promise.all([findUser(this.#db, id), membershipsOf(this.#db, id)]);
    if (user === null) throw missing('user');
    return {
      email: user.email,
      operator: user.operator,
      accountRecords: memberships.map((membership) => membership.account_record),
    };
  }

  /** In the order they joined. */
  list(owner: OwnerId): Promise<Member[]> {
    return membersOf(this.#db, owner);
  }

  /**
   * Takes effect at once for the member's sessions, and for their invitations if they may no longer manage members.
   * Raises `resource_missing`, and `parameter_invalid` for the last owner.
   */
  async changeRole(owner: OwnerId, user: User, role: MemberRole): Promise<void> {
    await this.#changing(owner, user, role === 'owner', async (trx) => {
      const now = new Date(this.#clock.now());
      await setRole(trx, owner, user, role, now);
      if (!MEMBER_ROLES[role].manages) await revokeInvitationsBy(trx, owner, user, now);
      return this.#webSessions.changed(trx, user, owner);
    });
  }

  /**
   * Their sessions with this account record and their invitations end at once; the person and their other memberships
   * stay. Raises `resource_missing`, and `parameter_invalid` for the last owner.
   */
  async remove(owner: OwnerId, user: User): Promise<void> {
    await this.#changing(owner, user, false, async (trx) => {
      const ended = await this.#webSessions.endAllWithin(trx, user, null, owner);
      await deleteMembership(trx, owner, user);
      await revokeInvitationsBy(trx, owner, user, new Date(this.#clock.now()));
      return ended;
    });
  }

  async #changing(
    owner: OwnerId,
    user: User,
    staysOwner: boolean,
    work: (trx: Trx) => Promise<RowId<'web_session'>[]>,
  ): Promise<void> {
    // The scopes of the member's apps have changed with it (docs/oauth.md#members).
    const notice = { kind: 'account_record', id: owner } as const;
    const sessions = await this.#db.transaction().execute(async (trx) => {
      await lockAccountRecord(trx, owner);
      // The person cannot sign in meanwhile: a session that begins unseen would outlast this.
      await lockUser(trx, user);
      const members = await membersOf(trx, owner);
      const changing = members.find((member) => member.user_id === user);
      if (changing === undefined) throw missing('member');
      const owners = members.filter((member) => member.role === 'owner' && member.user_id !== user);
      if (changing.role === 'owner' && owners.length === 0 && !staysOwner) {
        throw new ServiceError('parameter_invalid', {
          param: 'role',
          message: 'This is the last owner of the account record; make someone else an owner first.',
        });
      }
      await this.#notices.publish(trx, notice);
      return work(trx);
    });
    this.#webSessions.deliver(sessions);
    this.#notices.deliver(notice);
  }
}
