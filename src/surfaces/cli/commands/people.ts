import { Type } from 'typebox';
import { publicId } from '../../../vocabulary/ids.ts';
import { MEMBER_ROLE_NAMES } from '../../../vocabulary/member-roles.ts';
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
  run: async ({ app: { operator } }, { email }) => shownLink(await operator.people.resetPassword(email)),
  show: ({ email, url, expires_at }) =>
    `The person who opens this address sets a new password for ${email}, once, until ${expires_at}. Their passkeys, sessions and connected apps end with it:\n  ${url}`,
});

/** `account invite`: a link by which a person joins an account record. */
export const accountInvite = command({
  name: 'account invite',
  args: Type.Object({ account: Type.String(), email: Type.String(), role: RoleName }, strict),
  result: LinkResult,
  run: async ({ app: { operator } }, { account, email, role }) =>
    shownLink(await operator.people.invite(accountRecordId(account), email, role)),
  show: ({ email, url, expires_at }) =>
    `The person who opens this address shares the account record, once, until ${expires_at}. Give it to ${email}:\n  ${url}`,
});

/** `account members`: who shares an account record, in the order they joined. */
export const accountMembers = command({
  name: 'account members',
  args: Type.Object({ account: Type.String() }, strict),
  result: Type.Object({ members: Type.Array(Type.Object(MEMBER)) }),
  run: async ({ app: { operator } }, { account }) => {
    const members = await operator.people.members(accountRecordId(account));
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
      ? 'It has no members yet. Invite someone: tributary account invite --account acc_… --email … --role owner'
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
  run: async ({ app: { operator } }, { email }) => ({
    email: (await operator.people.removeSecondFactor(email)).email,
  }),
  show: ({ email }) => `The second factor of ${email} is off; their password alone signs them in.`,
});

/** `account remove-member`: their sessions with this account record end at once. */
export const accountRemoveMember = command({
  name: 'account remove-member',
  args: Type.Object({ account: Type.String(), email: Type.String() }, strict),
  result: Type.Object({ email: Type.String(), account: Type.String() }),
  run: async ({ app: { operator } }, { account, email }) => ({
    email: (await operator.people.removeMember(accountRecordId(account), email)).email,
    account,
  }),
  show: ({ email, account }) =>
    pairs([
      ['Removed', email],
      ['From', account],
    ]),
});

/** `account operator`: makes a person an operator of the installation; without an address, lists the operators. */
export const accountOperator = command({
  name: 'account operator',
  args: Type.Object({ email: Type.Optional(Type.String()), remove: Type.Optional(Type.Boolean()) }, strict),
  result: Type.Object({ operators: Type.Array(Type.Object({ email: Type.String() })) }),
  run: async ({ app: { operator } }, { email, remove = false }) => {
    if (email !== undefined) await operator.people.setOperator(email, !remove);
    return { operators: (await operator.people.operators()).map((user) => ({ email: user.email })) };
  },
  show: ({ operators }) =>
    operators.length === 0
      ? 'There is no operator. Make someone one: tributary account operator --email …'
      : table(
          [{ title: 'OPERATORS' }],
          operators.map(({ email }) => [email]),
        ),
});

function shownLink({ email, url, ends }: { email: string; url: string; ends: Date }) {
  return { email, url, expires_at: ends.toISOString() };
}
