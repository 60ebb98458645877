import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { ONE_PROVIDER } from '../../support/one-provider.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestService } from '../../support/service.ts';
import { BANK, linkBank, RETURN_URL, startSession } from './person.ts';

describe('A link session is refused with the reason', () => {
  let service: TestService;
  before(async () => {
    service = await startService({}, { integrations: ONE_PROVIDER });
  });
  after(() => service.close());

  const good = { provider: 'au_banking', institution: BANK, return_url: RETURN_URL };

  it('naming the field that is missing, malformed, or points at nothing', async () => {
    const owner = await service.owner();
    const cases: readonly [Record<string, unknown>, number, string, string][] = [
      [{ ...good, provider: undefined }, 400, 'parameter_missing', 'provider'],
      [{ ...good, provider: 'fr_banking' }, 400, 'parameter_invalid', 'provider'],
      [{ ...good, provider: 'nz_banking', institution: undefined }, 400, 'parameter_invalid', 'provider'],
      [{ ...good, institution: undefined }, 400, 'parameter_missing', 'institution'],
      [{ ...good, institution: null }, 400, 'parameter_missing', 'institution'],
      [{ ...good, institution: '90001' }, 400, 'parameter_invalid', 'institution'],
      [{ ...good, institution: 'inst_fk_1' }, 404, 'resource_missing', 'institution'],
      [{ ...good, institution: 'inst_ak_90001' }, 404, 'resource_missing', 'institution'],
      [{ ...good, institution: 'inst_fk_90004' }, 400, 'parameter_invalid', 'institution'],
      [{ ...good, chosen_institution: BANK }, 400, 'parameter_invalid', 'chosen_institution'],
      [{ ...good, return_url: undefined }, 400, 'parameter_missing', 'return_url'],
      [{ ...good, metadata: { a: 1 } }, 400, 'parameter_invalid', 'metadata.a'],
      [{ ...good, colour: 'red' }, 400, 'parameter_invalid', 'colour'],
    ];
    for (const [body, status, code, param] of cases) {
      const answer = await owner.v2('POST', '/v2/link_sessions', body);
      assert.deepEqual(
        [answer.status, answer.body.error?.code, answer.body.error?.param],
        [status, code, param],
        JSON.stringify(body),
      );
    }
  });

  it('for a return_url that is not an absolute address, or is longer than 2048 characters', async () => {
    const owner = await service.owner();
    const bad = [
      '/back',
      'app.example.test/back',
      'https://app.example.test/a b',
      'https://app.example.test/\r\nset-cookie:x',
      `https://app.example.test/${'a'.repeat(2048)}`,
    ];
    for (const return_url of bad) {
      const answer = await owner.v2('POST', '/v2/link_sessions', { ...good, return_url });
      assert.deepEqual(
        [answer.status, answer.body.error?.code, answer.body.error?.param],
        [400, 'parameter_invalid', 'return_url'],
        return_url.slice(0, 80),
      );
    }
    for (const return_url of ['http://localhost:3000/done', `https://a.test/${'a'.repeat(2033)}`]) {
      const session = await startSession(owner, { return_url });
      assert.equal(session.return_url, return_url);
    }
  });

  it('without a subscription or trial, and not while one is past due', async () => {
    const owner = await service.owner();
    const { accountRecords, linkSessions } = service.app.services;
    const input = {
      provider: 'au_banking',
      institution: BANK,
      returnUrl: RETURN_URL,
      metadata: null,
      actor: SOME_KEY,
    };
    const create = () => linkSessions.create(owner.record.id, input, AbortSignal.timeout(60_000));
    await accountRecords.update(owner.record.id, { status: 'canceled' });
    await assert.rejects(create, { code: 'subscription_required' });
    await accountRecords.update(owner.record.id, { status: 'past_due' });
    await create();
    const soon = new Date(Date.now() + 60_000);
    await accountRecords.update(owner.record.id, { status: 'trialing', trial_ends_at: soon });
    await create();
    await accountRecords.update(owner.record.id, { trial_ends_at: new Date(Date.now() - 1) });
    await assert.rejects(create, { code: 'subscription_required' });
  });

  it('when every slot is taken, but never a renewal, and a deletion frees the slot [limit plan_connections]', async () => {
    const owner = await service.owner();
    const { accountRecords } = service.app.services;
    const limits = { connections: 1, accounts: -1, syncs: -1, destinations: -1 };
    await accountRecords.update(owner.record.id, { limits });
    const connection = await linkBank(owner);
    const full = await owner.v2('POST', '/v2/link_sessions', good);
    assert.deepEqual([full.status, full.body.error.code], [403, 'connection_limit']);
    const renewal = await owner.v2('POST', `/v2/connections/${connection}/reauthorize`, {
      return_url: RETURN_URL,
    });
    assert.equal(renewal.status, 200);
    assert.equal((await owner.v2('DELETE', `/v2/connections/${connection}`)).status, 200);
    await startSession(owner);
  });

  it('for a renewal of another provider', async () => {
    const owner = await service.owner();
    const connection = await linkBank(owner);
    const path = `/v2/connections/${connection}/reauthorize`;
    const other = await owner.v2('POST', path, { return_url: RETURN_URL, provider: 'brokerage' });
    assert.deepEqual([other.status, other.body.error.code], [409, 'provider_mismatch']);
    const same = await owner.v2('POST', path, { provider: 'au_banking' });
    assert.equal(same.status, 200);
    assert.equal(same.body.return_url, service.app.config.appUrl);
  });
});

describe('The list of institutions', () => {
  const clock = new ShiftedClock();
  let service: TestService;
  before(async () => {
    service = await startService({}, { clock, integrations: ONE_PROVIDER });
  });
  after(() => service.close());

  it('shows banks with live availability, by name, a page at a time both ways, found by any part of the name', async () => {
    const owner = await service.owner(['connections:read']);
    const all = (await owner.v2('GET', '/v2/institutions?provider=au_banking')).body;
    const ids = all.data.map((item: { id: string }) => item.id);
    assert.deepEqual(ids, [
      'inst_fk_88888',
      'inst_fk_90003',
      'inst_fk_90001',
      'inst_fk_90004',
      'inst_fk_90002',
    ]);
    assert.deepEqual(all.data[1], {
      id: 'inst_fk_90003',
      object: 'institution',
      provider: 'au_banking',
      name: 'Dark Harbour Bank (sandbox)',
      short_name: 'Dark Harbour Bank',
      logo: all.data[1].logo,
      available: true,
      status: 'OUTAGE',
    });
    assert.equal(all.data[3].available, false);

    const walked: string[] = [];
    let next = '/v2/institutions?provider=au_banking&limit=2';
    let last = next;
    while (next !== '') {
      const { body } = await owner.v2('GET', next);
      walked.push(...body.data.map((item: { id: string }) => item.id));
      last = body.previous_page_url ?? last;
      next = body.next_page_url ?? '';
    }
    assert.deepEqual(walked, ids);
    assert.deepEqual(
      (await owner.v2('GET', last)).body.data.map((item: { id: string }) => item.id),
      ids.slice(2, 4),
    );
    const found = await owner.v2('GET', '/v2/institutions?q=RIVER&provider=au_banking');
    assert.deepEqual(
      found.body.data.map((item: { id: string }) => item.id),
      ['inst_fk_90002'],
    );
    const control = sandboxBank(service.app);
    control?.setInstitutionStatus('90003', 'HEALTHY');
    clock.advance(DEFAULT_LIMITS.institutions_cache_seconds * 1000);
    assert.equal(
      (await owner.v2('GET', '/v2/institutions?q=dark&provider=au_banking')).body.data[0].status,
      'ONLINE',
    );
    const absent = await owner.v2('GET', '/v2/institutions?provider=nz_banking');
    assert.deepEqual([absent.status, absent.body.error.code], [503, 'gateway_unavailable']);
    assert.match(absent.body.error.message, /nz_banking is not set up/);
    assert.equal((await owner.v2('GET', '/v2/institutions?provider=x')).body.error.code, 'parameter_invalid');
  });
});
