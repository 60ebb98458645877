import assert from 'node:assert/strict';
import type { Limits } from '../../../src/vocabulary/limits.ts';
import { describeFailures, type FailureHarness } from './failure-matrix.ts';
import { openNzBanking } from './nz-banking-bank.ts';

describeFailures('nz_banking', open);

async function open(limits: Limits): Promise<FailureHarness> {
  const { provider, simulator, link, shut } = await openNzBanking({ limits });
  const { control } = simulator;
  let people = 0;
  return {
    provider,
    control,
    routes: { one: 'GET /v1/accounts/*', rows: 'GET /v1/accounts/*/transactions' },
    link: async () => {
      // Who signs in twice is the same user of the vendor: each link is someone else's.
      people += 1;
      const [grant] = await link(`rows:250+${people}`);
      assert.ok(grant);
      const [account] = await provider.listAccounts(grant, new AbortController().signal);
      assert.ok(account);
      let over = false;
      const once = (end: () => void): void => {
        if (!over) end();
        over = true;
      };
      const { settled, pending } = control.rowsOf(account.id);
      return {
        grant,
        account,
        timezone: 'Pacific/Auckland',
        rows: settled + pending,
        withdraw: () => once(() => control.revokeAuthorisation(grant.consent)),
        closeAccount: () => once(() => control.setAccountState(account.id, 'GONE')),
        disable: () => control.setLogin(grant.consent, false),
      };
    },
    handsOnFirstPage: true,
    differences: {
      unauthorised: {
        ends: 'grant_rejected',
        why: 'The app’s own call is answered, so it is the person’s token that was revoked.',
      },
      'closed-account': {
        ends: 'grant_rejected',
        why: 'A login is known by its accounts, and the only one takes it along; one of several is `account_gone`.',
      },
      'stale-cursor': {
        ends: 'cannot',
        why: 'Its cursors are not known to go stale.',
      },
      'disabled-connection': {
        ends: 'answers',
        why: 'What was read last is served, and the consent reads `login_lost`; only a refresh is refused.',
      },
      'late-history': {
        ends: 'cannot',
        why: 'Until the first copy is there an account has no row, which is `not_ready`.',
      },
    },
    shut,
  };
}
