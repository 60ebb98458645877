import { isNegative, negateDecimal } from '../shared/decimal.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Banks } from './banks.ts';
import type { SharedAccount, SharedAccounts } from './shared-accounts.ts';

const OWED: ReadonlySet<string> = new Set(['CREDITCARD', 'LOAN']);

/** One account as the vendor writes it. */
export function accountJson(shared: SharedAccount, accounts: SharedAccounts, banks: Banks): JsonObject {
  const { id, account, authorisation, bank, seenAt } = shared;
  const { plan, number } = account;
  const refreshed = new Date(seenAt).toISOString();
  return {
    _id: id,
    ...(authorisation.generation > 0 ? { _migrated: account.idAt(authorisation.generation - 1) } : {}),
    _authorisation: authorisation.id,
    _credentials: authorisation.id,
    connection: banks.info(bank, authorisation.official),
    name: plan.name,
    status: authorisation.active ? 'ACTIVE' : 'INACTIVE',
    formatted_account: plan.type === 'CREDITCARD' ? `4000-****-****-${number.slice(-7, -3)}` : number,
    type: plan.type,
    attributes: plan.silent === true ? [] : ['TRANSACTIONS', 'TRANSFER_TO', 'TRANSFER_FROM'],
    balance: balanceJson(shared),
    refreshed: {
      balance: refreshed,
      meta: refreshed,
      ...(plan.silent !== true && accounts.isCopied(shared) ? { transactions: refreshed } : {}),
    },
    meta: { holder: 'SANDBOX CUSTOMER' },
  };
}

function balanceJson({ account, bank, seenAt }: SharedAccount): JsonObject {
  const { plan, currency } = account;
  const balance = account.balanceAt(seenAt);
  const turned = bank.positiveDebt && OWED.has(plan.type);
  const limit = Number(plan.limit ?? 0);
  return {
    currency,
    current: Number(turned ? negateDecimal(balance) : balance),
    ...(plan.type === 'LOAN' ? {} : { available: Math.round((Number(balance) + limit) * 100) / 100 }),
    ...(plan.limit === undefined ? {} : { limit }),
    ...(OWED.has(plan.type) ? {} : { overdrawn: isNegative(balance) }),
  };
}
