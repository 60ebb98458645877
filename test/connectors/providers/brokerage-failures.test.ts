import assert from 'node:assert/strict';
import type { Limits } from '../../../src/vocabulary/limits.ts';
import { never, openBrokerage } from './brokerage-broker.ts';
import { describeFailures, type FailureHarness } from './failure-matrix.ts';

const PERSON = 'rows:2500';

describeFailures('brokerage', open);

async function open(limits: Limits): Promise<FailureHarness> {
  const { provider, simulator, linked, time, shut } = await openBrokerage({ liveLimits: limits });
  const { control } = simulator;
  let closed: string | null = null;
  return {
    provider,
    control,
    routes: { one: 'GET /accounts/*/balances', rows: 'GET /accounts/*/activities' },
    link: async () => {
      if (closed !== null) control.setAccountStatus(closed, 'open');
      closed = null;
      const grant = await linked(PERSON);
      const [account] = await provider.listAccounts(grant, never);
      assert.ok(account);
      return {
        grant,
        account,
        timezone: 'America/New_York',
        rows: control.activitiesOf(account.id),
        withdraw: () => {
          if (control.connections().some(({ id }) => id === grant.consent))
            control.deleteConnection(grant.consent);
        },
        closeAccount: () => {
          control.setAccountStatus(account.id, 'gone');
          closed = account.id;
        },
        // It is looked at once a minute.
        disable: () => {
          control.disable(grant.consent);
          time.now += 61_000;
        },
      };
    },
    handsOnFirstPage: true,
    differences: {
      unauthorised: {
        ends: 'grant_rejected',
        why: 'A 401 that does not name the signature is about the user, whose secret could not be renewed.',
      },
      'stale-cursor': {
        ends: 'cannot',
        why: 'Pages are asked for by offset, which does not age; a list that keeps changing ends as `stale_cursor`.',
      },
      'endless-pages': {
        ends: 'cannot',
        why: 'No page leads to the next: the vendor says how many rows there are.',
      },
      'late-history': {
        ends: 'cannot',
        why: 'A first copy that is under way is refused as `not_ready`: nothing tells which rows are missing.',
      },
    },
    shut,
  };
}
