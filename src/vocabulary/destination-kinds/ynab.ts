import { MAPPED_TO_BUDGET } from '../account-mappings.ts';
import type { DestinationKind } from './kind.ts';

/** YNAB: rows become transactions of a plan. */
export const YNAB: DestinationKind = {
  connects: 'link',
  secret: null,
  console: { page: 'consoles/ynab', title: 'YNAB developer settings' },
  holds: ['transactions'],
  signingSecret: false,
  failure: 'lost_grant',
  columns: false,
  target: {
    keys: ['budget_id'],
    resources: {
      budget: null,
      account: { parent: 'budget', targetKey: 'budget_id' },
      category: { parent: 'budget', targetKey: 'budget_id' },
    },
    steps: { outer: { kind: 'budget', key: 'budget_id' }, inner: null },
    makes: null,
    hasAddress: false,
  },
  mapping: MAPPED_TO_BUDGET,
  mapsCategories: true,
  demoRows: null,
  texts: {
    name: 'YNAB',
    recipient: 'YNAB',
    target: 'A YNAB budget',
    for: 'Transactions in your YNAB plan, ready to approve.',
    needs: 'A YNAB subscription with a plan, and an account in it for each bank account.',
    sends: 'Date, payee, memo, amount and category of each transaction. Each arrives unapproved.',
    asks: 'To read your plans and add transactions to them.',
    mayDo: 'Read your plans and add transactions to them',
    stays:
      'The transactions stay in your plan. Tributary forgets the permission; to end it at YNAB, remove it in the settings of your YNAB account.',
    ends: 'make Tributary forget its permission. To end it at YNAB, remove it in the settings of your YNAB account',
    makes: '',
    balances: null,
    guide: 'destination-services#ynab',
  },
};
