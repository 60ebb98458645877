import type { FaultKind } from '../../../sandbox/shared/faults.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { describeProvider, type ProviderHarness, type VendorFault } from './provider-contract.ts';
import { accessOf, openSimplefin } from './simplefin-world.ts';

const FAULTS: Record<VendorFault, FaultKind> = {
  outage: 'server-error',
  'rate-limit': 'rate-limit',
  reset: 'connection-reset',
  malformed: 'malformed-json',
  hang: 'hang',
  'foreign-row': 'foreign-row',
  'row-without-id': 'row-without-id',
};
const ACCOUNTS = 'GET /simplefin/accounts';

describeProvider('simplefin', open);

async function open(): Promise<ProviderHarness> {
  const { provider, simulator, link, shut } = await openSimplefin();
  const { control } = simulator;
  const vendorId = (account: string): string => account.slice(account.indexOf(':') + 1);
  const users = new Map<string, string>();
  let others = 0;
  return {
    provider,
    person: 'everyday',
    noPages: true,
    institutionsUnlisted: true,
    rowsInAccount: true,
    from: localDate('2001-01-01'),
    to: localDate('2027-12-31'),
    // Each is another user of the server: several tokens of one user give access to the same accounts.
    link: async (person) => {
      const logIn = users.size === 0 ? person : `${person}~${++others}`;
      const access = accessOf(await link(logIn));
      users.set(access.customer, logIn);
      return access;
    },
    fault: (_route, fault, count) => {
      control.addFault({ route: ACCOUNTS, kind: FAULTS[fault], count, retryAfterSeconds: 7 });
    },
    clearFaults: () => control.clearFaults(),
    revoke: ({ customer }) => control.disableAccess(users.get(customer) ?? ''),
    close: (account) => control.setAccountClosed(vendorId(account), true),
    rowsAtBank: (account) => {
      const posted = control.rowsAtBank(vendorId(account), { includePending: false });
      return { posted, pending: control.rowsAtBank(vendorId(account)) - posted };
    },
    shut,
  };
}
