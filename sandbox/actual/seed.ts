import { digest } from '../shared/random.ts';
import type { Device } from './device.ts';

/** The initial budgets, with the code of their currency; empty for none. */
export const BUDGETS = [
  ['Household', 'AUD'],
  ['Aotearoa', 'NZD'],
  ['Tokyo', 'JPY'],
  ['Plain', ''],
] as const;

const ACCOUNTS = [
  { name: 'Everyday', offbudget: 0, closed: 0 },
  { name: 'Savings', offbudget: 0, closed: 0 },
  { name: 'Mortgage', offbudget: 1, closed: 0 },
  { name: 'Old Account', offbudget: 0, closed: 1 },
] as const;
const GROUPS = [
  { name: 'Bills', hidden: 0, categories: ['Rent', 'Electricity', 'Internet'] },
  { name: 'Usual Expenses', hidden: 0, categories: ['Groceries', 'Eating Out', 'Transport', 'Old Hobby'] },
  { name: 'Former', hidden: 1, categories: ['Former Car'] },
] as const;
const HIDDEN = 'Old Hobby';
const PAYEES = ['Starting Balance', 'Corner Shop'] as const;

/** Fills an empty budget with accounts, categories and payees, as a person does on their device. */
export function seed(device: Device, budget: string, currency: string): void {
  for (const [at, { name, ...account }] of ACCOUNTS.entries()) {
    addAccount(device, uuidOf('account', budget, name), { name, sort_order: (at + 1) * 1000, ...account });
  }
  for (const { name, hidden, categories } of GROUPS) {
    const group = uuidOf('group', budget, name);
    device.set('category_groups', group, { name, hidden, is_income: 0 });
    for (const category of categories) {
      const id = uuidOf('category', budget, category);
      device.set('categories', id, { name: category, cat_group: group, hidden: category === HIDDEN ? 1 : 0 });
      device.set('category_mapping', id, { transferId: id });
    }
  }
  for (const name of PAYEES) addPayee(device, uuidOf('payee', budget, name), { name });
  if (currency === '') return;
  device.set('preferences', 'flags.currency', { value: 'true' });
  device.set('preferences', 'defaultCurrencyCode', { value: currency });
}

export function addPayee(device: Device, id: string, fields: { name: string; transfer_acct?: string }): void {
  device.set('payees', id, fields);
  device.set('payee_mapping', id, { targetId: id });
}

function addAccount(
  device: Device,
  id: string,
  fields: { name: string; sort_order: number; offbudget: number; closed: number },
): void {
  device.set('accounts', id, fields);
  addPayee(device, uuidOf('transfer', id), { name: '', transfer_acct: id });
}

/** A UUID derived from the parts. */
export function uuidOf(...parts: readonly string[]): string {
  const hex = digest('actual', ...parts);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
