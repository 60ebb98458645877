import type { JsonObject } from '../shared/json.ts';
import { decimalOf, formattedOf } from './currency.ts';
import type { HeldTransaction, Plan } from './plan.ts';
import { uuidOf } from './seed.ts';

/** A transaction with all its details. */
export function transactionJson(plan: Plan, transaction: HeldTransaction): JsonObject {
  const { id, amount, payee, category, parts, account } = transaction;
  const named = category === null ? null : (plan.category(category)?.name ?? null);
  return {
    id,
    date: transaction.date,
    ...money(plan, amount),
    memo: transaction.memo,
    cleared: transaction.cleared,
    approved: transaction.approved,
    flag_color: null,
    flag_name: null,
    account_id: account,
    account_name: plan.accounts.find((one) => one.id === account)?.name ?? '',
    payee_id: payee === null ? null : uuidOf('payee', plan.id, payee),
    payee_name: payee,
    category_id: category,
    category_name: parts.length > 0 ? 'Split' : named,
    transfer_account_id: null,
    transfer_transaction_id: null,
    matched_transaction_id: transaction.matched,
    import_id: transaction.importId,
    import_payee_name: transaction.importPayee,
    import_payee_name_original: transaction.importPayee,
    debt_transaction_type: null,
    deleted: transaction.deleted,
    subtransactions: parts.map((part) => ({
      id: part.id,
      transaction_id: id,
      ...money(plan, part.amount),
      memo: part.memo,
      payee_id: null,
      payee_name: null,
      category_id: part.category,
      category_name: part.category === null ? null : (plan.category(part.category)?.name ?? null),
      transfer_account_id: null,
      transfer_transaction_id: null,
      deleted: false,
    })),
  };
}

function money({ currency }: Plan, amount: number): JsonObject {
  return {
    amount,
    amount_formatted: formattedOf(amount, currency),
    amount_currency: Number(decimalOf(amount, currency)),
  };
}
