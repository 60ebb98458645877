import assert from 'node:assert/strict';
import type { Limits } from '../../../src/vocabulary/limits.ts';
import { describeFailures, type FailureHarness } from './failure-matrix.ts';
import { openUpBank } from './up-bank-world.ts';

const PERSON = 'rows:250';

describeFailures('up_bank', open);

async function open(limits: Limits): Promise<FailureHarness> {
  const { provider, simulator, link, shut } = await openUpBank({ limits });
  const { control } = simulator;
  let closed: string | null = null;
  return {
    provider,
    control,
    routes: { one: 'GET /api/v1/accounts/*', rows: 'GET /api/v1/accounts/*/transactions' },
    link: async () => {
      if (closed !== null) control.setAccountClosed(closed, false);
      const grant = await link(PERSON);
      assert.ok(typeof grant !== 'string', 'the link failed');
      const [account] = await provider.listAccounts(grant, new AbortController().signal);
      assert.ok(account);
      return {
        grant,
        account,
        timezone: 'Australia/Sydney',
        rows: control.rowsAtBank(account.id),
        withdraw: () => control.revokeToken(),
        closeAccount: () => {
          control.setAccountClosed(account.id, true);
          closed = account.id;
        },
      };
    },
    handsOnFirstPage: true,
    differences: {
      unauthorised: {
        ends: 'grant_rejected',
        why: 'The token is the consent: it has expired, or the person has revoked it.',
      },
      'disabled-connection': {
        ends: 'cannot',
        why: 'There is no login between the token and the bank.',
      },
      'late-history': {
        ends: 'cannot',
        why: 'The bank itself answers, with everything it has.',
      },
    },
    shut,
  };
}
