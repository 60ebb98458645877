import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Limits } from '../../../src/vocabulary/limits.ts';
import { describeFailures, type FailureHarness } from './failure-matrix.ts';
import { fails } from './provider-contract.ts';
import { accessOf, openSimplefin } from './simplefin-world.ts';

describeFailures('simplefin', open);

async function open(limits: Limits): Promise<FailureHarness> {
  const { provider, simulator, link, shut } = await openSimplefin({ limits });
  const { control } = simulator;
  let users = 0;
  return {
    provider,
    control,
    routes: { one: 'GET /simplefin/accounts', rows: 'GET /simplefin/accounts' },
    link: async () => {
      control.setLoginLost('prairie', false);
      const logIn = `rows:250~${++users}`;
      const grant = accessOf(await link(logIn));
      const [account] = await provider.listAccounts(grant, new AbortController().signal);
      assert.ok(account);
      const id = account.id.slice(account.id.indexOf(':') + 1);
      return {
        grant,
        account,
        timezone: 'UTC',
        rows: control.rowsAtBank(id),
        withdraw: () => control.disableAccess(logIn),
        closeAccount: () => control.setAccountClosed(id, true),
        disable: () => control.setLoginLost('prairie', true),
      };
    },
    differences: {
      unauthorised: {
        ends: 'grant_rejected',
        why: 'The access URL is the consent: the person has disabled it at the server.',
      },
      'stale-cursor': { ends: 'cannot', why: 'There are no pages: each answer is one window of days.' },
      'endless-pages': { ends: 'cannot', why: 'There are no pages: each answer is one window of days.' },
      'empty-pages': { ends: 'cannot', why: 'There are no pages: each answer is one window of days.' },
      'late-history': { ends: 'cannot', why: 'Servers do not say how far back they have copied.' },
    },
    shut,
  };
}

describe('What stands in front of a server, or troubles all of it,', () => {
  const never = new AbortController().signal;

  async function opened(t: TestContext) {
    const world = await openSimplefin({ dailyRequests: null });
    t.after(() => world.shut());
    const grant = accessOf(await world.link('two-banks'));
    return { ...world, grant, control: world.simulator.control };
  }

  for (const [quirk, what] of [
    ['web_firewall', 'a firewall that blocks our address'],
    ['payment_required', 'a subscription that has ended'],
    ['errors_only', 'an error with an empty list'],
  ] as const)
    it(`ends no connection: ${what}`, async (t) => {
      const { control, provider, grant } = await opened(t);
      control.addMisbehaviour({ quirk });
      await fails(provider.listAccounts(grant, never), 'temporarily_unavailable');
      await fails(provider.readConsent(grant, never), 'temporarily_unavailable');
      control.clear();
      assert.equal((await provider.readConsent(grant, never)).state, 'active');
      assert.ok((await provider.listAccounts(grant, never)).length > 0);
    });

  it('does not make a setup token look as if it had been used', async (t) => {
    const { control, enter } = await opened(t);
    control.addMisbehaviour({ quirk: 'web_firewall' });
    const outcome = await enter(control.createToken('two-banks'));
    assert.deepEqual(outcome, { kind: 'failed', reason: 'institution_error' });
  });

  it('is not a login that is lost: a warning about requests', async (t) => {
    const { control, provider, grant } = await opened(t);
    control.addMisbehaviour({ quirk: 'quota_warning' });
    assert.equal((await provider.readConsent(grant, never)).state, 'active');
  });
});

describe('Reads of one access at the same time', () => {
  it('share one request, which the first of them does not end by leaving', async (t) => {
    const { restarted, simulator, link, shut } = await openSimplefin({ dailyRequests: 24 });
    t.after(shut);
    const grant = accessOf(await link('two-banks'));
    const provider = restarted();
    const { control } = simulator;
    control.clearRequests();
    control.addFault({ route: 'GET /simplefin/accounts', kind: 'latency', latencyMs: 300 });
    const leaving = new AbortController();
    const first = provider.listAccounts(grant, leaving.signal);
    const second = provider.listAccounts(grant, new AbortController().signal);
    leaving.abort(new Error('left'));
    await assert.rejects(first, /left/);
    assert.ok((await second).length > 0);
    assert.equal(control.requests().length, 1);
  });
});
