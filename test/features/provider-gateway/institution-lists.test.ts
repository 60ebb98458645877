import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { never, openGateway, type TestGateway } from './open-gateway.ts';
import { code } from './service-code.ts';

const LIST = '/v1/institutions';
const BANK = '90003';

describe('The list of institutions of a provider', () => {
  let test: TestGateway;
  beforeEach(async () => {
    test = await openGateway({ limits: { institutions_cache_seconds: 20 } });
    test.asked(LIST);
  });
  afterEach(() => test.close());

  const list = (live = false) => test.gateway.institutions.read('au_banking', { live }, never);
  const statusOf = async () => (await list()).find(({ id }) => id === BANK)?.status;
  const fail = () =>
    test.bank.simulator.control.addFault({ route: `GET ${LIST}`, kind: 'server-error', count: 2 });

  it('is asked for once in the seconds set, and shows a bank that went down after them [limit institutions_cache_seconds]', async () => {
    test.bank.simulator.control.setInstitutionStatus(BANK, 'HEALTHY');
    for (let turn = 0; turn < 5; turn++) assert.equal(await statusOf(), 'ONLINE');
    assert.equal(test.asked(LIST), 1);
    test.bank.simulator.control.setInstitutionStatus(BANK, 'OUTAGE');
    test.clock.advance(19_999);
    assert.equal(await statusOf(), 'ONLINE');
    assert.equal(test.asked(LIST), 0);
    test.clock.advance(1);
    assert.equal(await statusOf(), 'OUTAGE');
    assert.equal(test.asked(LIST), 1);
  });

  it('is one call for all who ask at once, and outlives those of them who leave', async () => {
    const leaving = new AbortController();
    const left = test.gateway.institutions.read('au_banking', {}, leaving.signal);
    const staying = [list(), list(), list()];
    leaving.abort(new Error('gone'));
    await assert.rejects(left, /gone/);
    for (const banks of await Promise.all(staying)) assert.ok(banks.length > 0);
    assert.equal(test.asked(LIST), 1);
  });

  it('is never the memory of a failure, and a failure after it is not hidden by an old list', async () => {
    fail();
    await code(list(), 'upstream_unavailable');
    assert.ok((await list()).length > 0);
    fail();
    assert.ok((await list()).length > 0);
    test.clock.advance(20_000);
    await code(list(), 'upstream_unavailable');
    assert.ok((await list()).length > 0);
  });

  it('is asked for in any case by one who wants to know whether the provider answers now', async () => {
    await list();
    await list(true);
    assert.equal(test.asked(LIST), 2);
    fail();
    await code(list(true), 'upstream_unavailable');
  });

  it('is asked for every time where nothing is to be cached', async () => {
    const uncached = await openGateway({ limits: { institutions_cache_seconds: 0 } });
    try {
      uncached.asked(LIST);
      for (let turn = 0; turn < 2; turn++) await uncached.gateway.institutions.read('au_banking', {}, never);
      assert.equal(uncached.asked(LIST), 2);
    } finally {
      await uncached.close();
    }
  });
});
