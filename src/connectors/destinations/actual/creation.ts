import type { AccountMapping } from '../../../vocabulary/account-mappings.ts';
import type { AccountType } from '../../../vocabulary/account-types.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import type { DeliveryAccount } from '../delivery-rows.ts';
import type { CreatedTarget, CreationRequest, DestinationAccess } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { Budget } from './budget.ts';
import type { PersonsAccess } from './resources.ts';
import { idFor } from './rows.ts';
import type { Cell } from './sync-messages.ts';

/** Which accounts are part of the budget; the others are off budget. */
const OFF_BUDGET: Readonly<Record<AccountType, boolean>> = {
  transaction: false,
  savings: false,
  'credit-card': false,
  loan: true,
  investment: true,
  'term-deposit': true,
  other: true,
};

/**
 * An account of the budget for each of the bank accounts, named after it, with a balance of zero. Its id is derived
 * from the key and the bank account, so that what an earlier attempt created is found, and creating it twice creates
 * one.
 */
export async function createAccounts(
  persons: PersonsAccess,
  access: DestinationAccess,
  { key, target, accounts }: CreationRequest,
  signal: AbortSignal,
): Promise<CreatedTarget> {
  const id = target?.budget_id;
  if (id === undefined) {
    throw new DestinationFailure('run_failed', 'A budget is made in Actual: make one there and choose it.', {
      outcome: 'refused',
      retryable: false,
    });
  }
  return persons.withBudget(
    access,
    id,
    async (budget) => {
      const cells: Cell[] = [];
      const mappings = accounts.map((account) => mappingOf(budget, key, account, cells));
      await budget.send(cells, signal);
      return { target: { budget_id: id }, mappings };
    },
    signal,
  );
}

function mappingOf(budget: Budget, key: string, account: DeliveryAccount, cells: Cell[]): AccountMapping {
  const of = `${key} ${publicId('account', account.id)}`;
  const [id, payee] = [idFor('account', of), idFor('transfer payee', of)];
  const name = `${account.name} (${account.institution})`;
  if (budget.database.first('SELECT 1 FROM accounts WHERE id = ? AND tombstone = 0', id) === null) {
    cells.push(
      { dataset: 'accounts', row: id, column: 'name', value: name },
      { dataset: 'accounts', row: id, column: 'offbudget', value: OFF_BUDGET[account.type] ? 1 : 0 },
      { dataset: 'accounts', row: id, column: 'closed', value: 0 },
      { dataset: 'accounts', row: id, column: 'sort_order', value: lastPlace(budget) + cells.length + 1 },
      { dataset: 'accounts', row: id, column: 'tombstone', value: 0 },
      // Every account has its own payee, which is used to enter transfers to it.
      { dataset: 'payees', row: payee, column: 'name', value: '' },
      { dataset: 'payees', row: payee, column: 'transfer_acct', value: id },
      { dataset: 'payee_mapping', row: payee, column: 'targetId', value: payee },
    );
  }
  return { account: account.id, destination_account: id, destination_account_name: name };
}

function lastPlace({ database }: Budget): number {
  return Number(database.first('SELECT max(sort_order) AS last FROM accounts')?.last ?? 0);
}
