import type { Db } from '../../storage/database.ts';
import type { Invitation } from '../../storage/invitations.ts';
import type { Member } from '../../storage/memberships.ts';
import { findUserByEmail, listOperators, setOperator, type User } from '../../storage/users.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
import { type OwnerId, publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { MemberRole } from '../../vocabulary/member-roles.ts';
import { missing } from '../../vocabulary/service-error.ts';
import type { AccountRecords } from '../access/account-records.ts';
import { type AuditLog, BY_OPERATOR } from '../audit/audit-log.ts';
import type { SignInFeatures } from '../sign-in/create-sign-in.ts';

export interface OperatorPeopleParts {
  readonly db: Db;
  readonly clock: { now(): number };
  readonly limits: Limits;
  readonly auditLog: AuditLog;
  readonly accountRecords: Pick<AccountRecords, 'find'>;
  readonly signIn: Pick<
    SignInFeatures,
    'invitations' | 'linkAddresses' | 'members' | 'passwordResets' | 'secondFactors'
  >;
}

/** A page that a person opens once. */
interface PersonalLink {
  readonly email: string;
  readonly url: string;
  readonly ends: Date;
}

/** People who sign in: their memberships, invitations and passwords, and which of them are operators. */
export class OperatorPeople {
  readonly #parts: OperatorPeopleParts;

  constructor(parts: OperatorPeopleParts) {
    this.#parts = parts;
  }

  /** A link that sets a new password, for a service that sends no mail. Raises `resource_missing`. */
  async resetPassword(email: string): Promise<PersonalLink> {
    const { signIn, clock, limits } = this.#parts;
    const { user, secret } = await signIn.passwordResets.issue(email);
    const ends = new Date(clock.now() + limits.password_reset_minutes * 60_000);
    return { email: user.email, url: signIn.linkAddresses.passwordReset(secret), ends };
  }

  /** A link by which a person joins an account record. Raises what an invitation raises. */
  async invite(owner: OwnerId, email: string, role: MemberRole): Promise<PersonalLink> {
    const { invitations, linkAddresses } = this.#parts.signIn;
    const made: { readonly invitation: Invitation; readonly secret: string } = await invitations.create(
      owner,
      { email, role, by: null },
    );
    const { invitation, secret } = made;
    return {
      email: invitation.email,
      url: linkAddresses.invitation(secret),
      ends: invitation.expires_at,
    };
  }

  /** Who shares an account record, in the order they joined. Raises `resource_missing`. */
  async members(owner: OwnerId): Promise<Member[]> {
    const { accountRecords, signIn } = this.#parts;
    const { id } = await accountRecords.find(owner);
    return signIn.members.list(id);
  }

  /** Their sessions with this account record end at once. Raises `resource_missing`. */
  async removeMember(owner: OwnerId, email: string): Promise<Member> {
    const { members } = this.#parts.signIn;
    const name = normalisedEmail(email);
    const member = (await members.list(owner)).find((one) => normalisedEmail(one.email) === name);
    if (member === undefined) throw missing('member');
    const target = publicId('user', member.user_id);
    await this.#parts.auditLog.recording(
      owner,
      () => members.remove(owner, member.user_id),
      () => ({ kind: 'member.removed', by: BY_OPERATOR, from: null, target }),
    );
    return member;
  }

  /** For a person who has lost their authenticator app and their recovery codes. Raises `resource_missing`. */
  async removeSecondFactor(email: string): Promise<User> {
    const user = await this.#person(email);
    await this.#parts.signIn.secondFactors.disable(user.id, BY_OPERATOR, null);
    return user;
  }

  /** The operators of the installation. */
  operators(): Promise<User[]> {
    return listOperators(this.#parts.db);
  }

  async isOperator(user: RowId<'user'>): Promise<boolean> {
    return (await this.#parts.signIn.members.person(user)).operator;
  }

  /** Makes a person an operator, or no longer one, from their next request on. Raises `resource_missing`. */
  async setOperator(email: string, operator: boolean): Promise<void> {
    const { db, clock, auditLog } = this.#parts;
    const user = await this.#person(email);
    const entry = {
      kind: operator ? 'operator.appointed' : 'operator.removed',
      by: BY_OPERATOR,
      from: null,
      target: publicId('user', user.id),
    } as const;
    await auditLog.atOnce(async () => {
      await setOperator(db, user.email_normalised, operator, new Date(clock.now()));
      await auditLog.recordOfPerson(db, user.id, entry);
    });
  }

  async #person(email: string): Promise<User> {
    const user = await findUserByEmail(this.#parts.db, normalisedEmail(email));
    if (user === null) throw missing('user');
    return user;
  }
}
