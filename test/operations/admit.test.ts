import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AdmissionRequest, type Admit, createAdmit } from '../../src/operations/admit.ts';
import { OperationRequest } from '../../src/operations/operation-request.ts';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import { startService, type TestService } from '../support/service.ts';

describe('An operation is admitted the same way whichever surface asks', () => {
  let service: TestService;
  let admit: Admit;
  before(async () => {
    service = await startService();
    admit = createAdmit(service.app.rateLimits, service.app.clock);
  });
  after(() => service.close());

  const operation = (id: string) => {
    const found = OPERATIONS.find((one) => one.id === id);
    assert.ok(found, `${id} is in the table`);
    return found;
  };

  async function request(id: string, given: Partial<AdmissionRequest> = {}) {
    const owner = await service.owner(['data:read']);
    const caller = await service.app.authentication.authenticate(
      { authorization: `Bearer ${owner.key}` },
      '127.0.0.1',
    );
    const headers = new Map<string, string>();
    const header = (name: string, value: string) => void headers.set(name, value);
    return { asked: { operation: operation(id), caller, version: null, header, ...given }, headers, owner };
  }

  const refusal = async (asked: AdmissionRequest): Promise<unknown> => {
    try {
      return await admit(asked);
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error;
    }
  };

  it('without a version where the surface has none, and only with a published one where it has', async () => {
    const { asked, headers } = await request('get_me');
    assert.equal(await admit(asked), null);
    assert.equal(headers.has('service-version'), false);
    assert.equal(await refusal({ ...asked, version: { sent: undefined } }), 'version_required');
    assert.equal(await refusal({ ...asked, version: { sent: '2099-01-01.none' } }), 'version_unknown');
    assert.equal(await admit({ ...asked, version: { sent: CURRENT_RELEASE } }), null);
    assert.equal(headers.get('service-version'), CURRENT_RELEASE);
  });

  it('with the rate counted before anything is refused, and shown on refusals too', async () => {
    const { asked, headers } = await request('create_api_key');
    assert.equal(await refusal(asked), 'insufficient_scope');
    const left = Number(headers.get('x-ratelimit-remaining'));
    assert.equal(await refusal(asked), 'insufficient_scope');
    assert.equal(Number(headers.get('x-ratelimit-remaining')), left - 1);
  });

  it('with a slot for each heavy request until it is released', async () => {
    const heavy = OPERATIONS.find(
      ({ tier, scope, alsoScopes, planGate }) =>
        tier === 'heavy' && scope === 'data:read' && alsoScopes.length === 0 && planGate === null,
    );
    assert.ok(heavy, 'some operation is heavy');
    const { asked } = await request(heavy.id);
    const places = service.app.config.limits.heavy_in_flight;
    const held = await Promise.all(Array.from({ length: places }, () => admit(asked)));
    await assert.rejects(async () => admit(asked), { code: 'too_many_concurrent_requests' });
    held[0]?.();
    const again = await admit(asked);
    assert.equal(typeof again, 'function');
    for (const release of [...held.slice(1), again]) release?.();
  });
});

describe('An operation of the table', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('refuses text that cannot be stored and repeats its answer under a key, without any surface', async () => {
    const owner = await service.owner();
    const caller = await service.app.authentication.authenticate(
      { authorization: `Bearer ${owner.key}` },
      '127.0.0.1',
    );
    const create = OPERATIONS.find(({ id }) => id === 'create_ruleset');
    assert.ok(create?.streamed === null);
    const asked = (body: unknown, idempotencyKey?: string) =>
      new OperationRequest(
        { params: {}, query: {}, body, include: new Set<string>() },
        {
          caller,
          services: service.app.services,
          from: null,
          idempotencyKey,
          signal: () => AbortSignal.timeout(10_000),
          header: () => undefined,
        },
      );
    await assert.rejects(create.answer(asked({ name: 'a\0b' })), {
      code: 'parameter_invalid',
      param: 'name',
    });
    const first = await create.answer(asked({ name: 'once' }, 'key-1'));
    const second = await create.answer(asked({ name: 'once' }, 'key-1'));
    assert.deepEqual([first.replayed, second.replayed], [false, true]);
    assert.equal(second.text, first.text);
    await assert.rejects(create.answer(asked({ name: 'other' }, 'key-1')), {
      code: 'idempotency_key_reused',
    });
  });
});
