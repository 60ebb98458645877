import type { SharedAccounts } from './shared-accounts.ts';
import type { Authorisation, User, Users } from './users.ts';
import type { Webhooks } from './webhooks.ts';

/** What a move needs. */
export type MoveParts = {
  readonly users: Users;
  readonly accounts: SharedAccounts;
  readonly webhooks: Webhooks;
};

/** Moves a login to the official connection of its bank, and tells of every account that has another id now. */
export function moveToOfficial(
  { users, accounts, webhooks }: MoveParts,
  user: User,
  login: Authorisation,
): Authorisation {
  const before = accounts.under(user, login);
  const next = users.moveToOfficial(user, login);
  for (const { id, account } of before) {
    webhooks.notify(user, 'ACCOUNT', {
      webhook_code: 'MIGRATE',
      previous_item_id: id,
      new_item_id: account.idAt(next.generation),
    });
  }
  return next;
}
