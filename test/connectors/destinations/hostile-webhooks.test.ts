import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DestinationFailure } from '../../../src/connectors/destinations/destination-failure.ts';
import type { OutgoingChunk } from '../../../src/connectors/destinations/outgoing-chunk.ts';
import { WEBHOOK_FORM } from '../../../src/connectors/destinations/webhook/rows.ts';
import { WebhookConnector } from '../../../src/connectors/destinations/webhook/webhook-connector.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { newSigningSecret } from '../../../src/platform/webhook-signature.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { httpServer, outgoing } from '../../platform/loopback-server.ts';
import { HOSTILE_LITERALS, HOSTILE_NAMES, LOCAL_NAMES } from '../../support/hostile-addresses.ts';
import { lookupOf, openInnerService } from '../../support/inner-service.ts';
import { openedSync } from './support/opened-sync.ts';

const CHUNK: OutgoingChunk = {
  eventId: '2b0e3c7e-5b0c-5a43-8a38-0f1f4ad3a111',
  run: rowId('sync_run', '0192f0c4-0000-7000-8000-000000000001'),
  number: 1,
  total: 1,
  rowForm: WEBHOOK_FORM,
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
const LOCAL_HOSTS = LOCAL_NAMES.filter(({ host }) => /localhost/i.test(host));

/** How the delivery of rows to the URL ends: at most two attempts, the second at once. */
async function outcome(http: OutgoingHttp, url: string): Promise<string> {
  const connector = new WebhookConnector({
    http,
    clock: systemClock,
    chunkRows: 500,
    delaysMs: [0],
    deadlineMs: 500,
  });
  const writer = await connector.open({
    owner: 'acc',
    target: { url },
    secrets: [newSigningSecret()],
    access: null,
    recorded: async () => new Set<string>(),
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
    for (const { host, is } of [...HOSTILE_LITERALS, ...HOSTILE_NAMES, ...LOCAL_HOSTS]) {
      test(`to ${scheme}://${host}, ${is}`, async (t) => {
        const inner = await openInnerService(t);
        const http = outgoing(t, { guard: new AddressGuard([]), lookup: lookupOf(HOSTILE_NAMES) });
        const url = `${scheme}://${host}:${inner.port}/`;
        assert.equal(await outcome(http, url), 'run_failed,refused,final');
        assert.equal(inner.connections(), 0);
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
    assert.equal(inner.connections(), 0);
  });

  test('but where the operator permits it', async (t) => {
    const inner = await openInnerService(t);
    const http = outgoing(t, { guard: new AddressGuard(['127.0.0.0/8']) });
    assert.equal(await outcome(http, `http://127.0.0.1:${inner.port}/`), 'timeout,unknown,again');
    assert.ok(inner.connections() > 0);
  });
});
