import type { FaultKind } from '../../../sandbox/shared/faults.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import {
  describeProvider,
  type ProviderHarness,
  type VendorFault,
  type VendorRoute,
} from './provider-contract.ts';
import { openUpBank } from './up-bank-world.ts';

const FAULTS: Record<VendorFault, FaultKind> = {
  outage: 'server-error',
  'rate-limit': 'rate-limit',
  reset: 'connection-reset',
  malformed: 'malformed-json',
  hang: 'hang',
  'foreign-row': 'foreign-row',
  'row-without-id': 'row-without-id',
};
const ROUTES: Record<VendorRoute, string> = {
  accounts: 'GET /api/v1/accounts',
  balances: 'GET /api/v1/accounts/*',
  transactions: 'GET /api/v1/accounts/*/transactions',
};

describeProvider('up_bank', open);

async function open(): Promise<ProviderHarness> {
  const { provider, simulator, link, shut } = await openUpBank();
  const { control } = simulator;
  return {
    provider,
    person: 'everyday',
    onePerson: true,
    noPages: true,
    from: localDate('2001-01-01'),
    to: localDate('2026-12-31'),
    link,
    fault: (route, fault, count) => {
      control.addFault({ route: ROUTES[route], kind: FAULTS[fault], count, retryAfterSeconds: 7 });
    },
    clearFaults: () => control.clearFaults(),
    revoke: () => control.revokeToken(),
    close: (account) => control.setAccountClosed(account, true),
    rowsAtBank: (account) => {
      const posted = control.rowsAtBank(account, { includePending: false });
      return { posted, pending: control.rowsAtBank(account) - posted };
    },
    shut,
  };
}
