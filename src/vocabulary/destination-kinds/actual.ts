import { MAPPED_TO_BUDGET } from '../account-mappings.ts';
import type { DestinationKind } from './kind.ts';

/** Actual Budget: rows become transactions of a budget. */
export const ACTUAL: DestinationKind = {
  connects: 'secret',
  secret: 'server_sign_in',
  console: { page: 'consoles/actual', title: 'Actual Budget server' },
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
    name: 'Actual Budget',
    recipient: 'Actual Budget',
    target: 'An Actual budget',
    for: 'Transactions in a budget on your own Actual server.',
    needs:
      'The address of your sync server with its password, and an account in the budget for each bank account.',
    sends: 'Date, payee, notes, amount and category of each transaction.',
    asks: 'To read and change budgets on that server, as one more client.',
    mayDo: 'Nothing: it needs no link',
    stays: 'The transactions stay in your budget. The sealed password is removed here.',
    ends: 'remove the sealed password',
    makes: '',
    balances: null,
    guide: 'destination-services#actual-budget',
  },
};
