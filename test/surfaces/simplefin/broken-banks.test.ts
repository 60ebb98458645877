import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../features/linking/person.ts';
import { accountIds } from '../../support/bridge.ts';
import { withPatience } from '../../support/patience.ts';
import { withReadDeadline } from '../../support/read-deadline.ts';
import { checkAccountSet } from '../../support/simplefin/import-client.ts';
import type { Json } from '../../support/v2-client.ts';
import { type BridgeStage, DAY, OTHER_BANK, only, openStage, uuidOf } from './stage.ts';

describe('Accounts of the bridge at a bank that is broken', () => {
  let stage: BridgeStage;

  before(async () => {
    stage = await openStage();
  });
  after(() => stage.service.close());

  it('stay listed where a bank is broken, which is reported in one sentence at once, and the others go on', async () => {
    const person = await stage.person(
      { customer: 'sole-trader' },
      { customer: 'credit-card', at: OTHER_BANK },
    );
    const { app } = person;
    const [good, bad] = person.connections;
    const consent = stage.bank.consents().at(-1);
    assert.ok(consent);
    stage.bank.revokeConsent(consent.arrangementId);
    const answer = await app.accounts();
    checkAccountSet(answer.body);
    assert.deepEqual(answer.body.errors, [`Connection to ${bad.institution.name} may need attention`]);
    const broken = answer.body.accounts.filter(({ org }: Json) => org.id === bad.institution.id);
    assert.equal(broken.length, bad.accounts.length);
    assert.ok(broken.every(({ transactions }: Json) => transactions.length === 0));
    const whole = answer.body.accounts.filter(({ org }: Json) => org.id === good.institution.id);
    assert.equal(whole.length, good.accounts.length);
    assert.ok(whole.some(({ transactions }: Json) => transactions.length > 0));
    assert.deepEqual(
      answer.body.errlist.map(({ code, conn_id }: Json) => [code, conn_id]),
      [['con.auth', broken[0].conn_id]],
    );
    // Known to be broken now, and still there.
    const again = await app.accounts('balances-only=1');
    assert.deepEqual(again.body.errors, answer.body.errors);
    assert.equal(again.body.accounts.length, answer.body.accounts.length);
  });

  it('show a balance that is cached where a bank does not answer', async () => {
    const { app, connections } = await stage.person({ customer: 'credit-card', at: OTHER_BANK });
    const [{ institution }] = connections;
    const known = only(await app.accounts('balances-only=1'));
    stage.bank.addFault({ route: '*', kind: 'unavailable', count: 50 });
    try {
      const answer = await app.accounts(`start-date=${stage.now() - 60 * DAY}`);
      assert.deepEqual(answer.body.errors, [`Connection to ${institution.name} may need attention`]);
      assert.equal(answer.body.errlist[0].code, 'con.');
      assert.equal(only(answer).balance, known.balance);
    } finally {
      stage.bank.clearFaults();
    }
  });

  it('get one deadline together: a bank that hangs keeps no one waiting for longer', async () => {
    const { app } = await stage.person({ customer: 'salaried-household' });
    stage.bank.addFault({ route: '*', kind: 'hang', count: 100 });
    try {
      await withPatience([1500, 6000], async (ms) => {
        const begun = performance.now();
        const answer = await withReadDeadline(stage.service, ms, () => app.accounts());
        assert.ok(
          performance.now() - begun < 2 * ms,
          'two calls for each of three accounts took one deadline',
        );
        assert.equal(answer.status, 200);
        assert.equal(answer.body.errors.length, 1);
      });
    } finally {
      stage.bank.clearFaults();
    }
  });

  it('of a bank that no longer lists one stay, and the bank is not blamed for it', async () => {
    const { app, owner, connections } = await stage.person({ customer: 'dormant' });
    const [linked] = connections;
    const [account] = linked.accounts;
    stage.bank.setAccountState(await stage.upstreamOf(account.id), 'GONE');
    const refreshed = await owner.v2('POST', `/v2/connections/${linked.id}/refresh`);
    assert.equal(refreshed.status, 202, JSON.stringify(refreshed.body));
    const answer = await until(
      () => app.accounts('balances-only=1'),
      ({ body }) => body.errlist.some(({ code }: Json) => code === 'act.failed'),
    );
    assert.deepEqual(accountIds(answer).includes(uuidOf(account.id)), true);
    assert.deepEqual(answer.body.errors, [
      `${linked.institution.name} no longer lists the account ${account.name}.`,
    ]);
  });
});
