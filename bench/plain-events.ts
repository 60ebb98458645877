import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { eventSignatureHeaders, newSigningSecret } from '../src/platform/webhook-signature.ts';
import { say, settingsOf } from './lib/child.ts';

const { urls, events, atOnce } = settingsOf();
const receivers = (Array.isArray(urls) ? urls : []).map(String);
const dispatcher = new Agent({ connections: Number(atOnce), pipelining: 1 });

/** The reference of deliveries: sign and post each event to each receiver, and record nothing. */
const started = performance.now();
const spent = process.cpuUsage();
await Promise.all(
  receivers.map(async (url) => {
    const secrets = [newSigningSecret()];
    const left = Array.from({ length: Number(events) }, (_, at) => at).values();
    const lane = async (): Promise<void> => {
      for (const _ of left) await post(url, secrets);
    };
    await Promise.all(Array.from({ length: Number(atOnce) }, lane));
  }),
);
const { user, system } = process.cpuUsage(spent);
say({ milliseconds: performance.now() - started, processor: (user + system) / 1000 });

async function post(url: string, secrets: readonly string[]): Promise<void> {
  const id = `evt_${randomUUID()}`;
  const about = `sync_${randomUUID()}`;
  const body = Buffer.from(
    JSON.stringify({
      id,
      object: 'event',
      type: 'sync.attention',
      created: new Date().toISOString(),
      livemode: true,
      related_object: { id: about, object: 'sync', url: `/v2/syncs/${about}` },
      data: null,
    }),
  );
  const headers = {
    'content-type': 'application/json',
    ...eventSignatureHeaders(secrets, id, Math.floor(Date.now() / 1000), body),
  };
  const answer = await request(url, { method: 'POST', headers, body, dispatcher });
  await answer.body.dump();
  if (answer.statusCode !== 204) throw new Error(`A receiver answered ${answer.statusCode}.`);
}
