import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Integration } from '../../../src/app/integrations.ts';
import { NotificationTurns } from '../../../src/features/linking/notification-turns.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import type { ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { signatureOf } from '../../connectors/providers/kereru/connector.ts';
import { kereruIntegrations } from '../../connectors/providers/kereru/integration.ts';
import { Vendor } from '../../connectors/providers/kereru/vendor.ts';
import { ONE_PROVIDER } from '../../support/one-provider.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from './person.ts';

/** Lets checks of notifications that carry `x-hold` last until it is opened. */
class Gate {
  readonly #opened = Promise.withResolvers<void>();
  held = 0;

  open(): void {
    this.#opened.resolve();
  }

  async pass(): Promise<void> {
    this.held += 1;
    await this.#opened.promise;
  }
}

function holding(integration: Integration, gate: Gate): Integration {
  const { row } = integration;
  if (row.kind !== 'provider') return integration;
  const open: typeof row.open = async (values, means) => {
    const provider = await row.open(values, means);
    return {
      ...provider,
      receiveWebhook: async (notification, signal) => {
        if (notification.headers['x-hold'] !== undefined) await gate.pass();
        return (await provider.receiveWebhook?.(notification, signal)) ?? null;
      },
    };
  };
  return { ...integration, row: { ...row, open } };
}

/** A notification whose body never comes. */
function begun(url: string): ClientRequest {
  const headers = { 'content-type': 'application/json', 'content-length': '100', expect: '100-continue' };
  const sent = request(url, { method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  return sent;
}

describe('A flood of one provider’s notifications', () => {
  const gate = new Gate();
  let vendor: Vendor;
  let service: TestService;
  before(async () => {
    vendor = await new Vendor().open();
    const integrations = kereruIntegrations(vendor.origin).map((integration) => holding(integration, gate));
    const bounds = { LIMIT_PROVIDER_WEBHOOKS_IN_HAND: '4' };
    service = await startService(bounds, { integrations: [...ONE_PROVIDER, ...integrations] });
  });
  after(async () => {
    gate.open();
    await service.close();
    await vendor.close();
  });

  const send = (provider: ProviderIdentifier, headers: Record<string, string> = {}, body = '[]') =>
    fetch(`${service.url}/provider-webhooks/${provider}`, {
      method: 'POST',
      headers: { 'x-kereru-signature': signatureOf(Buffer.from(body)), ...headers },
      body,
    });

  it('takes no turn while a body is still coming in', async () => {
    const slow = Array.from({ length: 6 }, () => begun(`${service.url}/provider-webhooks/nz_banking`));
    try {
      // The server has read the headers of each, and waits for the rest.
      await Promise.all(slow.map((one) => once(one, 'continue')));
      assert.equal((await send('nz_banking')).status, 200);
    } finally {
      for (const one of slow) one.destroy();
    }
  });

  it('is asked to come again beyond its share, signed or not, while others and the API are served [limit provider_webhooks_in_hand]', async () => {
    const flood = ['', 'forged', 'forged'].map((signature) =>
      send('nz_banking', { 'x-hold': '1', ...(signature !== '' && { 'x-kereru-signature': signature }) }),
    );
    await until(
      async () => gate.held,
      (held) => held === 3,
    );
    for (const headers of [{}, { 'x-kereru-signature': 'forged' }, { 'x-hold': '1' }]) {
      const refused = await send('nz_banking', headers);
      assert.equal(refused.status, 503);
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    assert.equal(gate.held, 3);
    assert.equal((await send('brokerage')).status, 200);
    assert.equal((await send('brokerage', { 'x-kereru-signature': 'forged' })).status, 401);
    const owner = await service.owner();
    assert.equal((await owner.v2('GET', '/v2/connections')).status, 200);
    gate.open();
    assert.deepEqual(
      (await Promise.all(flood)).map(({ status }) => status),
      [200, 401, 401],
    );
    assert.equal((await send('nz_banking')).status, 200);
  });
});

describe('Notifications that are acted on', () => {
  const limits = { ...DEFAULT_LIMITS, provider_webhooks_in_hand: 16, provider_webhooks_at_once: 4 };

  /** Actions that last until they are ended, in the order in which they began. */
  class Actions {
    readonly #turns: NotificationTurns;
    readonly #under: { readonly provider: ProviderIdentifier; readonly end: () => void }[] = [];

    constructor(clock: SimulatedClock) {
      this.#turns = new NotificationTurns(limits, clock);
    }

    begun(provider: ProviderIdentifier): number {
      return this.#under.filter((one) => one.provider === provider).length;
    }

    async of(provider: ProviderIdentifier): Promise<string> {
      const action = async () => {
        const done = Promise.withResolvers<void>();
        this.#under.push({ provider, end: done.resolve });
        await done.promise;
        return 'done';
      };
      try {
        return await this.#turns.inHand(provider, () => this.#turns.acting(provider, action));
      } catch (error) {
        return error instanceof ServiceError ? `${error.status} ${error.code}` : 'failed';
      }
    }

    endOne(provider: ProviderIdentifier): void {
      const [first] = this.#under.filter((one) => one.provider === provider);
      if (first === undefined) assert.fail('nothing is under way');
      this.#under.splice(this.#under.indexOf(first), 1);
      first.end();
    }
  }

  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are few at once, of one provider three quarters, and another provider’s is next [limit provider_webhooks_at_once]', async () => {
    const actions = new Actions(new SimulatedClock(0));
    const flood = Array.from({ length: 8 }, () => actions.of('nz_banking'));
    await settled();
    assert.equal(actions.begun('nz_banking'), 3);
    const others = [actions.of('brokerage'), actions.of('brokerage')];
    await settled();
    assert.deepEqual([actions.begun('nz_banking'), actions.begun('brokerage')], [3, 1]);
    actions.endOne('nz_banking');
    await settled();
    assert.deepEqual([actions.begun('nz_banking'), actions.begun('brokerage')], [2, 2]);
    for (const provider of ['brokerage', 'brokerage', ...Array.from({ length: 7 }, () => 'nz_banking')]) {
      actions.endOne(provider === 'brokerage' ? 'brokerage' : 'nz_banking');
      await settled();
    }
    assert.deepEqual(new Set(await Promise.all([...flood, ...others])), new Set(['done']));
  });

  it('wait four seconds for their turn and are then asked to come again', async () => {
    const clock = new SimulatedClock(0);
    const actions = new Actions(clock);
    const flood = Array.from({ length: 4 }, () => actions.of('nz_banking'));
    await settled();
    clock.advance(3_999);
    await settled();
    assert.equal(clock.sleeping, 1);
    clock.advance(1);
    assert.equal(await flood[3], '503 provider_wait');
    for (let turn = 0; turn < 3; turn++) actions.endOne('nz_banking');
    assert.deepEqual(await Promise.all(flood.slice(0, 3)), ['done', 'done', 'done']);
    const next = actions.of('nz_banking');
    await settled();
    actions.endOne('nz_banking');
    assert.equal(await next, 'done');
  });
});
