import type { JsonObject } from '../shared/json.ts';
import { type Currency, decimalOf, formattedOf } from './currency.ts';
import type { HeldAccount, HeldGroup, Plan } from './plan.ts';

const ON_BUDGET = new Set(['checking', 'savings', 'cash', 'creditCard', 'lineOfCredit']);

export function currencyJson({ code, digits, symbol }: Currency): JsonObject {
  return {
    iso_code: code,
    example_format: digits === 0 ? '123,456' : `123,456.${'789'.slice(0, digits)}`,
    decimal_digits: digits,
    decimal_separator: '.',
    symbol_first: true,
    group_separator: ',',
    currency_symbol: symbol,
    display_symbol: true,
  };
}

export function planJson(plan: Plan, month: string, accounts: boolean): JsonObject {
  return {
    id: plan.id,
    name: plan.name,
    last_modified_on: `${month}T00:00:00Z`,
    first_month: month,
    last_month: month,
    date_format: { format: 'YYYY-MM-DD' },
    currency_format: currencyJson(plan.currency),
    ...(accounts ? { accounts: accountsJson(plan) } : {}),
  };
}

/** Deleted ones are left out, as in every answer that is not a delta. */
export function accountsJson(plan: Plan): JsonObject[] {
  return plan.accounts.filter(({ deleted }) => !deleted).map((account) => accountJson(plan, account));
}

export function accountJson(
  plan: Plan,
  { id, name, type, closed, deleted, transferPayee }: HeldAccount,
): JsonObject {
  const { cleared, uncleared } = plan.balance(id);
  const money = (member: string, amount: number): JsonObject => ({
    [member]: amount,
    [`${member}_formatted`]: formattedOf(amount, plan.currency),
    [`${member}_currency`]: Number(decimalOf(amount, plan.currency)),
  });
  return {
    id,
    name,
    type,
    on_budget: ON_BUDGET.has(type),
    closed,
    note: null,
    ...money('balance', cleared + uncleared),
    ...money('cleared_balance', cleared),
    ...money('uncleared_balance', uncleared),
    transfer_payee_id: transferPayee,
    direct_import_linked: false,
    direct_import_in_error: false,
    last_reconciled_at: null,
    debt_original_balance: null,
    debt_interest_rates: {},
    debt_minimum_payments: {},
    debt_escrow_amounts: {},
    deleted,
  };
}

export function groupJson({ id, name, hidden, internal, categories }: HeldGroup): JsonObject {
  return {
    id,
    name,
    hidden,
    internal,
    deleted: false,
    categories: categories
      .filter(({ deleted }) => !deleted)
      .map((category) => ({
        id: category.id,
        category_group_id: id,
        category_group_name: name,
        name: category.name,
        hidden: category.hidden,
        internal: category.internal,
        note: null,
        budgeted: 0,
        activity: 0,
        balance: 0,
        deleted: category.deleted,
      })),
  };
}
