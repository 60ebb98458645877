import type { FaultKind } from '../../../sandbox/shared/faults.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { openEnableBanking } from './enable-banking-bank.ts';
import { accessesOf } from './nz-banking-bank.ts';
import {
  describeProvider,
  type ProviderHarness,
  type VendorFault,
  type VendorRoute,
} from './provider-contract.ts';

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
  accounts: 'GET /sessions/*',
  balances: 'GET /accounts/*/balances',
  transactions: 'GET /accounts/*/transactions',
};

describeProvider('enable_banking', async (): Promise<ProviderHarness> => {
  const { provider, simulator, signIn, shut } = await openEnableBanking();
  const { control } = simulator;
  let people = 0;
  return {
    provider,
    person: 'household',
    cancelled: 'consent_denied',
    unnamedRows: true,
    lateDays: 30,
    from: localDate('2001-01-01'),
    to: localDate('2026-12-31'),
    link: async (person, outcome = 'approve') => {
      people += 1;
      const came = await signIn(`${person}+${people}`, { outcome });
      if (came.kind !== 'linked') return came.kind === 'failed' ? came.reason : 'pending';
      const [access] = accessesOf(came);
      return access ?? 'unknown';
    },
    fault: (route, fault, count) => {
      control.addFault({ route: ROUTES[route], kind: FAULTS[fault], count, retryAfterSeconds: 7 });
    },
    clearFaults: () => control.clearFaults(),
    revoke: (grant) => control.revoke(grant.consent),
    close: (account) => control.setAccountState(account, 'GONE'),
    rowsAtBank: (account) => {
      const { booked, pending } = control.rowsOf(account);
      return { posted: booked, pending };
    },
    shut,
  };
});
