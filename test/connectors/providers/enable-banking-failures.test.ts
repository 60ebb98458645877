import assert from 'node:assert/strict';
import type { Limits } from '../../../src/vocabulary/limits.ts';
import { openEnableBanking } from './enable-banking-bank.ts';
import { describeFailures, type FailureHarness } from './failure-matrix.ts';

describeFailures('enable_banking', open);

async function open(limits: Limits): Promise<FailureHarness> {
  const { provider, simulator, link, shut } = await openEnableBanking({ limits });
  const { control } = simulator;
  let people = 0;
  return {
    provider,
    control,
    routes: { one: 'GET /accounts/*/balances', rows: 'GET /accounts/*/transactions' },
    link: async () => {
      people += 1;
      const grant = await link(`rows:250+${people}`);
      const [account] = await provider.listAccounts(grant, new AbortController().signal);
      assert.ok(account);
      const { booked, pending } = control.rowsOf(account.id);
      return {
        grant,
        account,
        timezone: 'Europe/Brussels',
        rows: booked + pending,
        withdraw: () => control.revoke(grant.consent),
        closeAccount: () => control.setAccountState(account.id, 'GONE'),
        disable: () => control.setBlocked(grant.consent, true),
      };
    },
    handsOnFirstPage: true,
    differences: {
      'late-history': {
        ends: 'cannot',
        why: 'The vendor copies nothing: every read is one of the bank.',
      },
    },
    shut,
  };
}
