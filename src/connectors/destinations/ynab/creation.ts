import { createHash } from 'node:crypto';
import type { AccountMapping } from '../../../vocabulary/account-mappings.ts';
import type { AccountType } from '../../../vocabulary/account-types.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import type { DeliveryAccount } from '../delivery-rows.ts';
import type { CreatedTarget, CreationRequest } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { YnabApi } from './client.ts';

/** The kinds of account that YNAB lets an application create. */
const TYPES: Readonly<Record<AccountType, string>> = {
  transaction: 'checking',
  savings: 'savings',
  'credit-card': 'creditCard',
  loan: 'otherLiability',
  investment: 'otherAsset',
  'term-deposit': 'otherAsset',
  other: 'otherAsset',
};

/**
 * An account of the plan for each of the bank accounts, named after it. YNAB has nowhere to put a key but the name, so
 * the name ends in a mark of key and account: what an earlier attempt created is found by it, and a person's own
 * account of the same name is never mistaken for it.
 */
export async function createAccounts(
  api: YnabApi,
  { key, again, target, accounts }: CreationRequest,
  signal: AbortSignal,
): Promise<CreatedTarget> {
  const plan = target?.budget_id;
  if (plan === undefined) {
    throw new DestinationFailure(
      'run_failed',
      'YNAB lets no application make a plan: make one there and choose it.',
      {
        outcome: 'refused',
        retryable: false,
      },
    );
  }
  const existing = again && accounts.length > 0 ? await api.accounts(plan, signal) : [];
  const mappings: AccountMapping[] = [];
  let made = false;
  for (const account of accounts) {
    const mark = markOf(key, account);
    const found = existing.find(({ name, closed, deleted }) => name.endsWith(mark) && !closed && !deleted);
    try {
      const one =
        found ??
        (await api.createAccount(plan, { name: nameOf(account, mark), type: TYPES[account.type] }, signal));
      mappings.push({ account: account.id, destination_account: one.id, destination_account_name: one.name });
      made ||= found === undefined;
    } catch (error) {
      throw made && error instanceof DestinationFailure ? partlyDone(error) : error;
    }
  }
  return { target: { budget_id: plan }, mappings };
}

function markOf(key: string, { id }: DeliveryAccount): string {
  return ` #${createHash('sha256')
    .update(`${key} ${publicId('account', id)}`)
    .digest('hex')
    .slice(0, 6)}`;
}

function nameOf({ name, institution }: DeliveryAccount, mark: string): string {
  return `${name} (${institution})${mark}`;
}

/** Some accounts were created: the next attempt has to look for them. */
function partlyDone(failure: DestinationFailure): DestinationFailure {
  const { code, message, retryable } = failure;
  return new DestinationFailure(code, message, { outcome: 'unknown', retryable, cause: failure });
}
