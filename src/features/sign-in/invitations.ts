import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { newOpaqueSecret, opaqueSecretHash } from '../../platform/random-text.ts';
import { newRowId } from '../../platform/row-id.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import type { Db, Trx } from '../../storage/database.ts';
import {
  deleteInvitationsTo,
  deleteSurplusInvitations,
  type Invitation,
  insertInvitation,
  openInvitationsOf,
  revokeInvitation,
} from '../../storage/invitations.ts';
import { membersOf } from '../../storage/memberships.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
import { type OwnerId, publicId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { MemberRole } from '../../vocabulary/member-roles.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { type AuditLog, BY_OPERATOR, byPerson, type Origin } from '../audit/audit-log.ts';
import type { SignInAttempts } from '../rate-limits/sign-in-attempts.ts';
import type { Letters } from './letters.ts';
import { manages } from './members.ts';
import { requireEmailAddress } from './person.ts';

const DAY_MS = 86_400_000;

export interface InvitationsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly letters: Letters;
  readonly attempts: SignInAttempts;
  readonly auditLog: AuditLog;
}

/** `by`: the member who invites; null for the operator. */
export interface NewInvitation {
  readonly email: string;
  readonly role: MemberRole;
  readonly by: RowId<'user'> | null;
  /** Where the request comes from. */
  readonly from?: Origin;
}

/** Invitations to share an account record (docs/sign-in.md#members). */
export class Invitations {
  readonly #deps: InvitationsDependencies;

  constructor(deps: InvitationsDependencies) {
    this.#deps = deps;
  }

  /** Whether invitations are mailed. Then only the person who reads that mail may see the link. */
  get mailed(): boolean {
    return this.#deps.letters.configured;
  }

  /**
   * Invites a person, also by mail if this service sends any; replaces an earlier invitation of the same address.
   * `secret` exists only in the result. Raises `parameter_invalid`, also if there are too many, `insufficient_scope` if
   * `by` may not manage members, `too_many_auth_attempts`, and `resource_missing` for an unknown account record.
   */
  async create(
    owner: OwnerId,
    { email, role, by, from }: NewInvitation,
  ): Promise<{ readonly invitation: Invitation; readonly secret: string }> {
    const { db, clock, limits, letters, attempts, log, auditLog } = this.#deps;
    const address = requireEmailAddress(email);
    await attempts.invite(owner);
    if (by !== null && this.mailed) await attempts.invitationMail(normalisedEmail(address));
    const now = clock.now();
    const secret = newOpaqueSecret();
    const invitation: Invitation = {
      id: rowId('invitation', newRowId(clock)),
      account_record: owner,
      email: address,
      email_normalised: normalisedEmail(address),
      role,
      token_hash: opaqueSecretHash(secret),
      expires_at: new Date(now + limits.invitation_days * DAY_MS),
      accepted_at: null,
      accepted_by: null,
      revoked_at: null,
      invited_by: by,
      created: new Date(now),
      updated: new Date(now),
    };
    await db.transaction().execute(async (trx) => {
      const record = await lockAccountRecord(trx, owner);
      if (record === null || record.removal_asked_at !== null) throw missing('account record');
      await this.#makeRoom(trx, invitation);
      await insertInvitation(trx, invitation);
      await auditLog.record(trx, owner, {
        kind: 'member.invited',
        by: by === null ? BY_OPERATOR : byPerson(by),
        from: from ?? null,
        target: publicId('invitation', invitation.id),
      });
    });
    letters.invitation(address, secret, role).catch((error: unknown) => {
      log.warn('Failed to mail an invitation.', {}, error);
    });
    return { invitation, secret };
  }

  /** Those that can still be accepted, newest first. */
  list(owner: OwnerId): Promise<Invitation[]> {
    return openInvitationsOf(this.#deps.db, owner, new Date(this.#deps.clock.now()));
  }

  /** Raises `resource_missing`. */
  async revoke(owner: OwnerId, id: RowId<'invitation'>): Promise<void> {
    const { db, clock } = this.#deps;
    const revoked = await revokeInvitation(db, owner, id, new Date(clock.now()));
    if (revoked === null) throw missing('invitation');
  }

  async #makeRoom(
    trx: Trx,
    { account_record: owner, email_normalised: email, invited_by: by }: Invitation,
  ): Promise<void> {
    const { clock, limits } = this.#deps;
    const now = new Date(clock.now());
    const members = await membersOf(trx, owner);
    // They may have lost the role since it was checked.
    if (by !== null && !manages(members, by)) throw new ServiceError('insufficient_scope');
    if (members.some((member) => normalisedEmail(member.email) === email)) {
      throw invalidParameter('email', 'This person is a member already.');
    }
    if (members.length >= limits.members) {
      throw invalidParameter('email', `The account record has ${limits.members} members; remove one first.`);
    }
    await deleteInvitationsTo(trx, owner, email);
    const open = await openInvitationsOf(trx, owner, now);
    if (open.length >= limits.open_invitations) {
      throw invalidParameter(
        'email',
        `There are ${limits.open_invitations} open invitations; revoke one first.`,
      );
    }
    await deleteSurplusInvitations(trx, owner, { now, kept: limits.open_invitations });
  }
}
