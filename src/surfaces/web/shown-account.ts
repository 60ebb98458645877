import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { MEMBER_ROLES } from '../../vocabulary/member-roles.ts';
import type { PlanLimits } from '../../vocabulary/plans.ts';
import type { WebOptions } from './web-options.ts';

/** Everything that `/settings` shows to one person. */
export interface ShownAccount {
  readonly email: string;
  readonly signedIn: SignedIn;
  /** Whether a new e-mail address has to be proved by a mailed link. */
  readonly mailed: boolean;
  /** Whether they may change what all members share. */
  readonly manages: boolean;
  /** The account records that the person shares, each with who it is of. */
  readonly accounts: readonly { readonly id: RowId<'account_record'>; readonly email: string }[];
  readonly used: PlanLimits;
  /** Epoch ms. */
  readonly now: number;
}

export async function shownAccount(
  { members, accountRecords, emailChanges, clock }: WebOptions,
  signedIn: SignedIn,
): Promise<ShownAccount> {
  const { user, role, accountRecord } = signedIn.caller;
  const [person, used] = await Promise.all([members.person(user), accountRecords.usage(accountRecord.id)]);
  const accounts = await Promise.all(
    person.accountRecords.map(async (id) => ({ id, email: (await accountRecords.find(id)).email })),
  );
  const { manages } = MEMBER_ROLES[role];
  const { mailed } = emailChanges;
  return { email: person.email, signedIn, mailed, manages, accounts, used, now: clock.now() };
}
