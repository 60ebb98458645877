import type { FaultKind } from '../../../sandbox/shared/faults.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { openAuBanking } from './au-banking-bank.ts';
import { describeProvider, type ProviderHarness, type VendorFault } from './provider-contract.ts';

const FAULTS: Record<VendorFault, FaultKind> = {
  outage: 'server-error',
  'rate-limit': 'rate-limit',
  reset: 'connection-reset',
  malformed: 'malformed-json',
  hang: 'hang',
  'foreign-row': 'foreign-row',
  'row-without-id': 'row-without-id',
};

for (const version of ['v2', 'v3'] as const) describeProvider(`au_banking ${version}`, () => open(version));

async function open(version: 'v2' | 'v3'): Promise<ProviderHarness> {
  const { provider, simulator, link, shut } = await openAuBanking({ version });
  const { control } = simulator;
  return {
    provider,
    person: 'salaried-household',
    from: localDate('2001-01-01'),
    to: localDate('2026-12-31'),
    link: (person, outcome = 'approve') => link(person, { outcome }),
    fault: (route, fault, count) => {
      control.addFault({
        route: `GET /v1/banking/${route}`,
        kind: FAULTS[fault],
        count,
        retryAfterSeconds: 7,
      });
    },
    clearFaults: () => control.clearFaults(),
    revoke: (grant) => control.revokeConsent(grant.consent),
    close: (account) => control.setAccountState(account, 'GONE'),
    rowsAtBank: (account) => {
      const posted = control.rowsAtBank(account, { includePending: false });
      return { posted, pending: control.rowsAtBank(account) - posted };
    },
    shut,
  };
}
