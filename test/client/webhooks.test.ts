import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { type Delivery, type EventPayload, verifyWebhook, WebhookSignatureError } from '#client';
import {
  eventSignatureHeaders,
  newSigningSecret,
  signatureHeaders,
} from '../../src/platform/webhook-signature.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const BODY = JSON.stringify({ type: 'sync_run.failed', note: 'Café' });

describe('a delivery', () => {
  const secret = newSigningSecret();
  const headers = signatureHeaders([secret], 'msg_1', NOW / 1000, Buffer.from(BODY));
  const delivery = (changed: Partial<Delivery> = {}): Delivery => ({
    headers,
    body: BODY,
    secret,
    now: NOW,
    ...changed,
  });

  test('of a webhook or event destination is verified, as text or bytes, with headers of Node or Fetch', async () => {
    const events = eventSignatureHeaders([secret], 'msg_1', NOW / 1000, Buffer.from(BODY));
    for (const sent of [headers, events, new Headers(headers)]) {
      for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)]) {
        const verified = await verifyWebhook<EventPayload>(delivery({ headers: sent, body }));
        assert.deepEqual(verified, { id: 'msg_1', sentAt: new Date(NOW), payload: JSON.parse(BODY) });
      }
    }
  });

  test('is verified by either secret while one is being rotated', async () => {
    const next = newSigningSecret();
    const both = signatureHeaders([next, secret], 'msg_1', NOW / 1000, Buffer.from(BODY));
    for (const known of [secret, next, [newSigningSecret(), next]])
      assert.equal((await verifyWebhook(delivery({ headers: both, secret: known }))).id, 'msg_1');
  });

  test('that any library of Standard Webhooks signed is verified', async () => {
    const signature = new Webhook(secret).sign('msg_2', new Date(NOW), BODY);
    const sent = {
      'webhook-id': 'msg_2',
      'webhook-timestamp': String(NOW / 1000),
      'webhook-signature': signature,
    };
    assert.equal((await verifyWebhook(delivery({ headers: sent }))).id, 'msg_2');
  });

  test('that was changed anywhere, or signed by someone else, is refused', async () => {
    const refused: readonly Partial<Delivery>[] = [
      { body: `${BODY} ` },
      { secret: newSigningSecret() },
      { headers: { ...headers, 'webhook-id': 'msg_2' } },
      { headers: { ...headers, 'webhook-timestamp': String(NOW / 1000 + 1) } },
      { headers: { ...headers, 'webhook-timestamp': 'soon' } },
      { headers: { ...headers, 'webhook-signature': '' } },
      { headers: { ...headers, 'webhook-signature': 'v1,' } },
      { headers: { ...headers, 'webhook-signature': 'v1,!' } },
      { headers: { ...headers, 'webhook-signature': `v2${headers['webhook-signature']?.slice(2)}` } },
      { headers: {} },
      { secret: [] },
    ];
    for (const changed of refused)
      await assert.rejects(verifyWebhook(delivery(changed)), WebhookSignatureError);
    await assert.rejects(verifyWebhook(delivery({ secret: '' })), TypeError);
  });

  test('that is older or newer than the tolerance is refused', async () => {
    for (const seconds of [-301, 301])
      await assert.rejects(verifyWebhook(delivery({ now: NOW + seconds * 1000 })), WebhookSignatureError);
    for (const seconds of [-300, 300])
      assert.ok(await verifyWebhook(delivery({ now: NOW + seconds * 1000 })));
    assert.ok(await verifyWebhook(delivery({ now: NOW + 900_000, toleranceSeconds: 900 })));
  });

  test('is never verified after a change of one byte', async () => {
    const bytes = Buffer.from(BODY);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const body = Buffer.from(bytes);
        body.writeUInt8((body[at] ?? 0) ^ change, at);
        await assert.rejects(verifyWebhook(delivery({ body })), WebhookSignatureError);
      }),
      { numRuns: 100 },
    );
  });
});
