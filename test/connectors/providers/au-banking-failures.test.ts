import assert from 'node:assert/strict';
import type { Limits } from '../../../src/vocabulary/limits.ts';
import { NOW, openAuBanking } from './au-banking-bank.ts';
import { type BreakableLink, describeFailures, type FailureHarness } from './failure-matrix.ts';

const HISTORY_MS = 60_000;
const PERSON = 'rows:2500';

describeFailures('au_banking', open);

async function open(limits: Limits): Promise<FailureHarness> {
  const clock = { at: NOW, now: () => clock.at, sleep: async () => undefined };
  const { provider, simulator, link, shut } = await openAuBanking({
    clock,
    limits,
    historySyncDelayMs: HISTORY_MS,
  });
  const { control } = simulator;
  const arrive = (): void => {
    clock.at += HISTORY_MS;
  };
  let closed: string | null = null;
  const linkWhileLoading = async (): Promise<BreakableLink & { arrive(): void }> => {
    if (closed !== null) control.setAccountState(closed, 'OPEN');
    const grant = await link(PERSON);
    assert.ok(typeof grant !== 'string', 'the link failed');
    const [account] = await provider.listAccounts(grant, new AbortController().signal);
    assert.ok(account);
    return {
      grant,
      account,
      timezone: 'Australia/Sydney',
      rows: control.rowsAtBank(account.id),
      withdraw: () => control.revokeConsent(grant.consent),
      closeAccount: () => {
        control.setAccountState(account.id, 'GONE');
        closed = account.id;
      },
      arrive,
    };
  };
  return {
    provider,
    control,
    routes: { one: 'GET /v1/banking/balances', rows: 'GET /v1/banking/transactions' },
    linkWhileLoading,
    link: async () => {
      const linked = await linkWhileLoading();
      arrive();
      return linked;
    },
    differences: {
      'stale-cursor': {
        ends: 'answers',
        why: 'Rows come latest first, so the read continues from the time of the last row.',
      },
      'disabled-connection': {
        ends: 'cannot',
        why: 'A consent that has ended is answered with nothing, which is `withdrawn-consent`.',
      },
    },
    shut,
  };
}
