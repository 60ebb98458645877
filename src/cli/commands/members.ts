import { Type } from 'typebox';
import { BY_OPERATOR } from '../../features/audit/audit-log.ts';
import { findUserByEmail } from '../../storage/users.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { MEMBER_ROLE_NAMES } from '../../vocabulary/member-roles.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { command } from '../command.ts';
import { pairs, table } from '../table.ts';
import { accountRecordId } from './account.ts';

const strict = { additionalProperties: false };
const RoleName = Type.Union(MEMBER_ROLE_NAMES.map((name) => Type.Literal(name)));
const LinkResult = Type.Object({ email: Type.String(), url: Type.String(), expires_at: Type.String() });
const MEMBER = { email: Type.String(), role: Type.String(), user: Type.String(), since: Type.String() };

/** `account reset-password`: a link that sets a new password, for a service that sends no mail. */
export const accountResetPassword = command({
  name: 'account reset-password',
  args: Type.Object({ email: Type.String() }, strict),
  result: LinkResult,
  run: async ({ app: { signIn, clock, config } }, { email }) => {
    const { user, secret } = await signIn.passwordResets.issue(email);
    const ends = clock.now() + config.limits.password_reset_minutes * 60_000;
    return {
      email: user.email,
      url: signIn.linkAddresses.passwordReset(secret),
      expires_at: new Date(ends).toISOString(),
    };
  },
  show: ({ email, url, expires_at }) =>
    `The person who opens this address sets a new password for ${email}, once, until ${expires_at}. Their passkeys, sessions and connected apps end with it:\n  ${url}`,
});

/** `account invite`: a link by which somebody comes to share an account record. */
export const accountInvite = command({
  name: 'account invite',
  args: Type.Object({ account: Type.String(), email: Type.String(), role: RoleName }, strict),
  result: LinkResult,
  run: async ({ app: { signIn } }, { account, email, role }) => {
    const { invitation, secret } = await signIn.invitations.create(accountRecordId(account), {
      email,
      role,
      by: null,
    });
    return {
      email: invitation.email,
      url: signIn.linkAddresses.invitation(secret),
      expires_at: invitation.expires_at.toISOString(),
    };
  },
  show: ({ email, url, expires_at }) =>
    `The person who opens this address shares the account record, once, until ${expires_at}. Give it to ${email}:\n  ${url}`,
});

/** `account members`: who shares an account record, in the order they joined. */
export const accountMembers = command({
  name: 'account members',
  args: Type.Object({ account: Type.String() }, strict),
  result: Type.Object({ members: Type.Array(Type.Object(MEMBER)) }),
  run: async ({ app: { services, signIn } }, { account }) => {
    const { id } = await services.accountRecords.find(accountRecordId(account));
    const members = await signIn.members.list(id);
    return {
      members: members.map((member) => ({
        email: member.email,
        role: member.role,
        user: publicId('user', member.user_id),
        since: member.created.toISOString(),
      })),
    };
  },
  show: ({ members }) =>
    members.length === 0
      ? 'Nobody shares it yet. Invite somebody: tributary account invite --account acc_… --email … --role owner'
      : table(
          [{ title: 'EMAIL' }, { title: 'ROLE' }, { title: 'USER' }, { title: 'SINCE' }],
          members.map((one) => [one.email, one.role, one.user, one.since]),
        ),
});

/** `account remove-second-factor`: for a person who has lost their authenticator app and their recovery codes. */
export const accountRemoveSecondFactor = command({
  name: 'account remove-second-factor',
  args: Type.Object({ email: Type.String() }, strict),
  result: Type.Object({ email: Type.String() }),
  run: async ({ app: { database, signIn } }, { email }) => {
    const user = await findUserByEmail(database.db, normalisedEmail(email));
    if (user === null) throw missing('user');
    await signIn.secondFactors.disable(user.id, BY_OPERATOR, null);
    return { email: user.email };
  },
  show: ({ email }) => `The second factor of ${email} is off; their password alone signs them in.`,
});

/** `account remove-member`: their sessions with this account record end at once. */
export const accountRemoveMember = command({
  name: 'account remove-member',
  args: Type.Object({ account: Type.String(), email: Type.String() }, strict),
  result: Type.Object({ email: Type.String(), account: Type.String() }),
  run: async ({ app: { signIn } }, { account, email }) => {
    const owner = accountRecordId(account);
    const name = normalisedEmail(email);
    const member = (await signIn.members.list(owner)).find((one) => normalisedEmail(one.email) === name);
    if (member === undefined) throw missing('member');
    const target = publicId('user', member.user_id);
    await signIn.auditLog.recording(
      owner,
      () => signIn.members.remove(owner, member.user_id),
      () => ({ kind: 'member.removed', by: BY_OPERATOR, from: null, target }),
    );
    return { email: member.email, account };
  },
  show: ({ email, account }) =>
    pairs([
      ['Removed', email],
      ['From', account],
    ]),
});
