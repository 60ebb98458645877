import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Snaptrade, SnaptradeAuth } from 'snaptrade-typescript-sdk';
import { type BrokerageSimulator, startBrokerageSimulator } from '../../sandbox/brokerage/server.ts';
import { completeConsent } from '../support/consent-client.ts';

const KEY = { clientId: 'SDK-CLIENT', consumerKey: 'sdk-consumer-key' };
const BACK = 'https://app.example/back?state=a%20b';

for (const prefix of ['', '/api/v1']) {
  describe(`The vendor's own client speaks with the simulator below "${prefix}"`, () => {
    let simulator: BrokerageSimulator;
    let sdk: ReturnType<typeof clientOf>;
    before(async () => {
      simulator = await startBrokerageSimulator({
        ...KEY,
        settings: { firstSyncDelayMs: 0, deletionDelayMs: 0 },
      });
      sdk = clientOf(simulator.url + prefix);
    });
    after(() => simulator.close());

    it('from registering a user to its deletion', async () => {
      const { data: user } = await sdk.authentication.registerSnapTradeUser({ userId: randomUUID() });
      const who = { userId: user.userId ?? '', userSecret: user.userSecret ?? '' };
      const { data: login } = await sdk.authentication.loginSnapTradeUser({
        ...who,
        customRedirect: BACK,
        immediateRedirect: true,
        connectionType: 'read',
      });
      assert.ok('redirectURI' in login && typeof login.redirectURI === 'string');
      const returned = await completeConsent(login.redirectURI, { customer: 'derivatives' });
      assert.equal(returned.searchParams.get('status'), 'SUCCESS');
      assert.equal(returned.searchParams.get('state'), 'a b');
      const { data: connections } = await sdk.connections.listBrokerageAuthorizations(who);
      assert.deepEqual(
        connections.map(({ id }) => id),
        [returned.searchParams.get('connection_id')],
      );
      const { data: accounts } = await sdk.accountInformation.listUserAccounts(who);
      const accountId = accounts[0]?.id ?? assert.fail();
      const { data: positions } = await sdk.accountInformation.getAllAccountPositions({ ...who, accountId });
      assert.equal(positions.results.length, 6);
      const { data: activities } = await sdk.accountInformation.getAccountActivities({
        ...who,
        accountId,
        startDate: '2020-01-01',
        endDate: '2040-01-01',
        type: 'BUY,SELL',
        limit: 5,
        offset: 1,
      });
      assert.equal(activities.data?.length, 5);
      assert.deepEqual({ ...activities.pagination, total: 0 }, { offset: 1, limit: 5, total: 0 });
      const { data: next } = await sdk.authentication.resetSnapTradeUserSecret(who);
      assert.notEqual(next.userSecret, who.userSecret);
      await assert.rejects(sdk.connections.listBrokerageAuthorizations(who), { status: 401 });
      await sdk.authentication.deleteSnapTradeUser({ userId: who.userId });
      assert.deepEqual((await sdk.authentication.listSnapTradeUsers()).data, []);
    });
  });
}

it('A client with another consumer key is told that its signature does not hold', async () => {
  const simulator = await startBrokerageSimulator(KEY);
  try {
    const sdk = clientOf(simulator.url, 'another-key');
    await assert.rejects(sdk.referenceData.listAllBrokerages(), (error: unknown) => {
      assert.ok(typeof error === 'object' && error !== null && 'responseBody' in error);
      assert.deepEqual(error.responseBody, {
        default_detail: 'Unable to verify signature sent',
        default_code: 1076,
      });
      return true;
    });
  } finally {
    await simulator.close();
  }
});

it('A personal key reads without a user', async () => {
  const simulator = await startBrokerageSimulator({
    ...KEY,
    personal: true,
    settings: { firstSyncDelayMs: 0 },
  });
  try {
    const sdk = new Snaptrade({ auth: SnaptradeAuth.personalApiKey(KEY), basePath: simulator.url });
    const { data: login } = await sdk.authentication.loginSnapTradeUser({ customRedirect: BACK });
    assert.ok('redirectURI' in login && typeof login.redirectURI === 'string');
    await fetch(`${login.redirectURI}/complete`, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'approve', customer: 'cash-only' }),
    });
    assert.equal((await sdk.accountInformation.listUserAccounts()).data.length, 1);
  } finally {
    await simulator.close();
  }
});

function clientOf(basePath: string, consumerKey = KEY.consumerKey) {
  const auth = SnaptradeAuth.commercialApiKey({ clientId: KEY.clientId, consumerKey });
  return new Snaptrade({ auth, basePath });
}
