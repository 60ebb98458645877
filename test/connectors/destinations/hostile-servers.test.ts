import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { actualConnector } from '../../../src/connectors/destinations/actual/connector.ts';
import type { DestinationConnector } from '../../../src/connectors/destinations/destination-contract.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { outgoing } from '../../platform/loopback-server.ts';
import { HOSTILE_LITERALS, HOSTILE_NAMES, LOCAL_NAMES } from '../../support/hostile-addresses.ts';
import { openInnerService } from '../../support/inner-service.ts';
import { lookupOf } from '../../support/lookups.ts';
import { connectorOn } from './postgres/scene.ts';

const NAMES = [...LOCAL_NAMES, ...HOSTILE_NAMES];

async function refusalOf(connector: DestinationConnector, secret: string): Promise<string> {
  const outcome = await connector.signIn?.check('owner', secret, AbortSignal.timeout(60_000));
  return outcome?.kind === 'refused' ? outcome.message : assert.fail(`${secret}: ${JSON.stringify(outcome)}`);
}

describe('a secret leads to no server inside the operator’s network', () => {
  test('of Postgres', async (t) => {
    const inner = await openInnerService(t);
    // What a name resolves to, and what an operating system makes of short, octal and other forms of an address.
    const connector = connectorOn([], {}, { resolve: async () => ['127.0.0.1', '10.1.2.3'] });
    for (const { host, is } of [...HOSTILE_LITERALS, ...NAMES]) {
      const message = await refusalOf(connector, `postgres://u:p@${host}:${inner.port}/d`);
      assert.match(message, /OUTBOUND_ALLOW|must look like/, `${host} (${is})`);
      assert.ok(!message.includes('10.1.2.3'), 'what a name resolves to stays unsaid');
    }
    assert.deepEqual(inner.reached, []);
  });

  test('of Actual', async (t) => {
    const inner = await openInnerService(t);
    const http = outgoing(t, { guard: new AddressGuard([]), lookup: lookupOf(NAMES) });
    const connector = actualConnector({ http, clock: systemClock, limits: DEFAULT_LIMITS });
    for (const scheme of ['http', 'https'])
      for (const { host, is } of [...HOSTILE_LITERALS, ...NAMES]) {
        const message = await refusalOf(connector, `${scheme}://:p@${host}:${inner.port}`);
        assert.match(message, /OUTBOUND_ALLOW/, `${host} (${is})`);
      }
    assert.deepEqual(inner.reached, []);
  });
});
