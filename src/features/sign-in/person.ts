import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Trx } from '../../storage/database.ts';
import { insertMembership } from '../../storage/memberships.ts';
import { insertUser, type User } from '../../storage/users.ts';
import { isEmailAddress, normalisedEmail } from '../../vocabulary/email.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { MemberRole } from '../../vocabulary/member-roles.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';

/** Raises `parameter_invalid` for a text that is not an e-mail address. */
export function requireEmailAddress(text: string): string {
  const email = text.trim();
  if (!isEmailAddress(email)) throw invalidParameter('email', 'This is not an e-mail address.');
  return email;
}

interface NewPerson {
  readonly email: string;
  readonly hash: string;
  /** Whether they are an operator of the installation (docs/operator.md). */
  readonly operator?: boolean;
}

/** A new person with this address and password hash. Raises `parameter_invalid` if the address is already in use. */
export async function addUser(
  trx: Trx,
  clock: Clock,
  { email, hash, operator = false }: NewPerson,
): Promise<User> {
  const now = new Date(clock.now());
  const user: User = {
    id: rowId('user', newRowId(clock)),
    email,
    email_normalised: normalisedEmail(email),
    password_hash: hash,
    operator,
    created: now,
    updated: now,
  };
  if (await insertUser(trx, user)) return user;
  throw new ServiceError('parameter_invalid', {
    param: 'email',
    message: 'A person signs in with this e-mail address already; accept by signing in.',
  });
}

/** Makes the person a member of the account record; an existing member keeps their role. */
export async function addMember(
  trx: Trx,
  clock: Clock,
  owner: OwnerId,
  user: RowId<'user'>,
  role: MemberRole,
): Promise<void> {
  const now = new Date(clock.now());
  await insertMembership(trx, { account_record: owner, user_id: user, role, created: now, updated: now });
}
