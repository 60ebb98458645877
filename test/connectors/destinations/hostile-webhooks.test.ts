import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OutgoingChunk } from '../../../src/connectors/destinations/delivery-rows.ts';
import { DestinationFailure } from '../../../src/connectors/destinations/destination-failure.ts';
import { WebhookConnector } from '../../../src/connectors/destinations/webhook/connector.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { newSigningSecret } from '../../../src/platform/webhook-signature.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { httpServer, outgoing } from '../../platform/loopback-server.ts';
import {
  BESIDE_PERMITTED,
  HOSTILE_LITERALS,
  HOSTILE_NAMES,
  LOCAL_NAMES,
} from '../../support/hostile-addresses.ts';
import { openInnerService } from '../../support/inner-service.ts';
import { changingLookup, lookupOf } from '../../support/lookups.ts';
import { withPatience } from '../../support/patience.ts';
import { openedSync } from './support/opened-sync.ts';

const CHUNK: OutgoingChunk = {
  eventId: '2b0e3c7e-5b0c-5a43-8a38-0f1f4ad3a111',
  run: rowId('sync_run', '0192f0c4-0000-7000-8000-000000000001'),
  number: 1,
  total: 1,
  rowForm: 1,
  created: 1_795_000_000_000,
  again: false,
  added: [],
  updated: [],
  removed: [
    {
      id: 'txn_fk_0',
      account: rowId('account', '0192f0c4-0000-7000-8000-000000000002'),
      text: null,
      replaces: null,
      remoteRef: null,
    },
  ],
};
const NAMES = [...LOCAL_NAMES, ...HOSTILE_NAMES];

/** Long, because machines under test are slow. */
const PATIENCE_MS = 20_000;

/** How the delivery of rows to the URL ends: at most two attempts, the second at once. */
async function outcome(http: OutgoingHttp, url: string, deadlineMs = PATIENCE_MS): Promise<string> {
  const connector = new WebhookConnector({
    http,
    clock: systemClock,
    chunkRows: 500,
    delaysMs: [0],
    deadlineMs,
  });
  const writer = await connector.open({
    owner: 'acc',
    target: { url },
    secrets: [newSigningSecret()],
    access: null,
    recorded: async () => new Set<string>(),
    accountsWithRows: async () => null,
    sync: openedSync(),
  });
  try {
    await writer.write(CHUNK, new AbortController().signal);
    return 'delivered';
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error;
    return [error.code, error.outcome, error.retryable ? 'again' : 'final'].join();
  }
}

describe('rows are never delivered inside the operator’s network', () => {
  for (const scheme of ['http', 'https']) {
    for (const { host, is } of [...HOSTILE_LITERALS, ...NAMES]) {
      test(`to ${scheme}://${host}, ${is}`, async (t) => {
        const inner = await openInnerService(t);
        const http = outgoing(t, { guard: new AddressGuard([]), lookup: lookupOf(NAMES) });
        const url = `${scheme}://${host}:${inner.port}/`;
        assert.equal(await outcome(http, url), 'run_failed,refused,final');
        assert.deepEqual(inner.reached, []);
      });
    }
  }

  test('nor where a receiver redirects', async (t) => {
    const inner = await openInnerService(t);
    const http = outgoing(t, { guard: new AddressGuard(['127.0.0.0/8']) });
    for (const { host } of [...HOSTILE_LITERALS, ...LOCAL_NAMES]) {
      for (const status of [301, 302, 303, 307, 308]) {
        const location = new URL(`http://${host}:${inner.port}/`).href;
        const port = await httpServer(t, (_request, response) =>
          response.writeHead(status, { location }).end(),
        );
        const found = await outcome(http, `http://127.0.0.1:${port}/`);
        assert.equal(found, 'run_failed,refused,final', `${status} to ${host}`);
      }
    }
    assert.deepEqual(inner.reached, []);
  });

  test('but where the operator permits it', async (t) => {
    const inner = await openInnerService(t);
    const http = outgoing(t, { guard: new AddressGuard(['127.0.0.0/8']) });
    await withPatience([500, 8000], async (ms) => {
      assert.equal(await outcome(http, `http://127.0.0.1:${inner.port}/`, ms), 'timeout,unknown,again');
      assert.ok(inner.reached.length > 0);
    });
  });

  test('of the addresses of a name only those that the operator permits are reached', async (t) => {
    const inner = await openInnerService(t, true);
    const guard = new AddressGuard(['127.0.0.1/32']);
    for (const beside of [...BESIDE_PERMITTED.map((address) => [address]), BESIDE_PERMITTED]) {
      const http = outgoing(t, { guard, lookup: changingLookup([...beside, '127.0.0.1']) });
      const found = await outcome(http, `http://mixed.example.com:${inner.port}/`);
      assert.equal(found, 'delivered', beside.join());
    }
    assert.deepEqual(new Set(inner.reached), new Set(['127.0.0.1']));
  });

  test('a name whose answer changes is judged by the answer that is connected to', async (t) => {
    const inner = await openInnerService(t, true);
    for (const later of BESIDE_PERMITTED) {
      const lookup = changingLookup(['127.0.0.1'], [later]);
      const http = outgoing(t, { guard: new AddressGuard(['127.0.0.1/32']), lookup });
      const url = `http://rebind.example.com:${inner.port}/`;
      assert.equal(await outcome(http, url), 'delivered');
      assert.equal(lookup.calls, 1, 'nothing is resolved twice for a connection');
      assert.equal(await outcome(http, url), 'run_failed,refused,final', later);
      assert.equal(lookup.calls, 2);
    }
    assert.deepEqual(
      inner.reached,
      BESIDE_PERMITTED.map(() => '127.0.0.1'),
    );
  });
});
