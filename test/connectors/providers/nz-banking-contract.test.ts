import type { FaultKind } from '../../../sandbox/shared/faults.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { accessesOf, openNzBanking } from './nz-banking-bank.ts';
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
  accounts: 'GET /v1/accounts',
  balances: 'GET /v1/accounts/*',
  transactions: 'GET /v1/accounts/*/transactions',
};

describeProvider('nz_banking', async (): Promise<ProviderHarness> => {
  const { provider, simulator, signIn, shut } = await openNzBanking();
  const { control } = simulator;
  let people = 0;
  return {
    provider,
    person: 'salaried-household',
    cancelled: 'consent_denied',
    lateDays: 60,
    from: localDate('2001-01-01'),
    to: localDate('2026-12-31'),
    link: async (person, outcome = 'approve') => {
      // Who signs in twice is the same user of the vendor: each link is someone else's.
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
    revoke: (grant) => control.revokeAuthorisation(grant.consent),
    close: (account) => control.setAccountState(account, 'GONE'),
    rowsAtBank: (account) => {
      const { settled, pending } = control.rowsOf(account);
      return { posted: settled, pending };
    },
    shut,
  };
});
