import type { Clock } from '../../platform/clock.ts';
import { looksLikeOpaqueSecret, opaqueSecretHash } from '../../platform/random-text.ts';
import { findOpenAccountRecord, lockAccountRecord } from '../../storage/account-records.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { acceptInvitation, findInvitationByHash, type Invitation } from '../../storage/invitations.ts';
import { membersOf } from '../../storage/memberships.ts';
import type { AuditDetail } from '../../vocabulary/audit-kinds.ts';
import { type OwnerId, publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { type AuditLog, byPerson, type Origin } from '../audit/audit-log.ts';
import { manages } from './members.ts';
import { invitationStatus } from './one-time-links.ts';
import type { AuthenticationResponse } from './passkey-ceremonies.ts';
import type { Passkeys } from './passkeys.ts';
import type { Passwords } from './passwords.ts';
import { addMember, addUser } from './person.ts';
import type { SignedIn } from './session-authenticator.ts';
import type { Visit } from './session-cookie.ts';
import type { CodeNeeded, NewlySignedIn, SignIn } from './sign-in.ts';
import type { WebSessions } from './web-sessions.ts';

export interface AcceptancesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly passwords: Passwords;
  readonly passkeys: Passkeys;
  readonly signIn: SignIn;
  readonly webSessions: WebSessions;
  readonly auditLog: AuditLog;
}

/** What a person sees of an invitation before accepting it. */
export interface ShownInvitation {
  readonly invitation: Invitation;
  /** The owner of the account record. */
  /** What its owner calls it; null if it has no name. */
  readonly accountName: string | null;
  readonly accountEmail: string;
}

/** How people join an account record by an invitation (docs/sign-in.md#members). */
export class Acceptances {
  readonly #deps: AcceptancesDependencies;

  constructor(deps: AcceptancesDependencies) {
    this.#deps = deps;
  }

  /** Raises `resource_missing` unless it can be accepted. */
  async find(secret: string): Promise<ShownInvitation> {
    const { db, clock } = this.#deps;
    const invitation = await invitationOf(db, secret);
    if (invitationStatus(invitation, clock.now()) !== 'open') throw missing('invitation');
    const record = await findOpenAccountRecord(db, invitation.account_record);
    if (record === null) throw missing('invitation');
    return { invitation, accountName: record.name, accountEmail: record.email };
  }

  /** By a person who is signed in, whose session then works with the account record. Raises `resource_missing`. */
  async signedIn(secret: string, signedIn: SignedIn, from: Origin): Promise<void> {
    const { db, webSessions } = this.#deps;
    const { user } = signedIn.caller;
    const owner = await db.transaction().execute(async (trx) => {
      const locked = await this.#lock(trx, secret);
      await this.#join(trx, secret, locked, user, from);
      return locked;
    });
    await webSessions.moveTo(signedIn, owner);
  }

  /**
   * By a new person with the invited address. Raises `resource_missing`, `parameter_invalid`, also if a person with
   * this address exists, and `too_many_auth_attempts`.
   */
  async newcomer(secret: string, password: string, visit: Visit): Promise<NewlySignedIn> {
    const { clock, passwords, signIn } = this.#deps;
    const { invitation } = await this.find(secret);
    const hash = await passwords.hashOf(password, invitation.email_normalised, visit.address);
    const signed = await signIn.joining(visit, 'invitation', async (trx) => {
      const owner = await this.#lock(trx, secret);
      const user = await addUser(trx, clock, { email: invitation.email, hash });
      await this.#join(trx, secret, owner, user.id, visit);
      return { user, owner };
    });
    if (signed === 'refused') throw missing('user');
    return signed;
  }

  /**
   * By a person who signs in here already, with their password: also by one who currently shares no account record and
   * so could not sign in first. Raises `resource_missing`, `parameter_invalid` and `too_many_auth_attempts`.
   */
  async withPassword(
    secret: string,
    credentials: { readonly email: string; readonly password: string },
    visit: Visit,
  ): Promise<NewlySignedIn | CodeNeeded | 'refused'> {
    const { signIn } = this.#deps;
    await this.find(secret);
    const user = await signIn.prove(credentials, visit);
    if (user === null) return 'refused';
    return (await signIn.codeNeeded(user, secret)) ?? this.asKnown(secret, user, visit, 'password');
  }

  /** The same with a passkey. */
  async withPasskey(
    secret: string,
    response: AuthenticationResponse,
    visit: Visit,
  ): Promise<NewlySignedIn | 'refused'> {
    await this.find(secret);
    const user = await this.#deps.passkeys.prove(response, visit);
    return user === null ? 'refused' : this.asKnown(secret, user, visit, 'passkey');
  }

  /** By a person who has proved who they are. Raises as `withPassword`. */
  asKnown(
    secret: string,
    user: Parameters<SignIn['as']>[0],
    visit: Visit,
    how: AuditDetail,
  ): Promise<NewlySignedIn | 'refused'> {
    return this.#deps.signIn.joining(visit, how, async (trx) => {
      const owner = await this.#lock(trx, secret);
      await this.#join(trx, secret, owner, user.id, visit);
      return { user, owner };
    });
  }

  /** Locks the account record before anything else, as inviting does, so that the two cannot deadlock. */
  async #lock(trx: Trx, secret: string): Promise<OwnerId> {
    const { account_record: owner } = await invitationOf(trx, secret);
    if ((await lockAccountRecord(trx, owner)) === null) throw missing('invitation');
    return owner;
  }

  async #join(trx: Trx, secret: string, owner: OwnerId, user: RowId<'user'>, from: Origin): Promise<void> {
    const { clock, limits, auditLog } = this.#deps;
    const hash = opaqueSecretHash(secret);
    const invitation = await acceptInvitation(trx, hash, user, new Date(clock.now()));
    if (invitation === null) throw missing('invitation');
    const { invited_by: by, role } = invitation;
    const members = await membersOf(trx, owner);
    if (by !== null && !manages(members, by)) throw missing('invitation');
    if (members.length >= limits.members && !members.some((member) => member.user_id === user)) {
      throw invalidParameter('email', `The account record has ${limits.members} members; remove one first.`);
    }
    await addMember(trx, clock, owner, user, role);
    await auditLog.record(trx, owner, {
      kind: 'member.joined',
      by: byPerson(user),
      from,
      target: publicId('user', user),
    });
  }
}

/** In any state. Raises `resource_missing`. */
async function invitationOf(db: Db, secret: string): Promise<Invitation> {
  const invitation = looksLikeOpaqueSecret(secret)
    ? await findInvitationByHash(db, opaqueSecretHash(secret))
    : null;
  if (invitation === null) throw missing('invitation');
  return invitation;
}
