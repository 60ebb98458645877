import { request } from 'undici';
import type { V2Client } from '../../src/cli/demo/v2-client.ts';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import { startChild } from './child.ts';
import type { PreparedService } from './prepared-service.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';
import { loaded } from './requests.ts';
import { syncOnce } from './sync.ts';

const DESTINATIONS = 10;
/** A run of so many rows emits as many events as a long one, so they weigh more. */
const MOST_ROWS = 10_000;
/** Short syncs vary: each side of a round is this many. */
const SYNCS = 5;

/**
 * Reads and syncs of an account record with ten event destinations that subscribe to everything, against the same with
 * all ten disabled.
 */
export async function compareEventCost(
  prepared: PreparedService,
  given: { readonly rounds: number; readonly seconds: number; readonly rows: number },
): Promise<Ratio[]> {
  const { rounds, seconds } = given;
  const { v2, service, secret, account } = prepared;
  const rows = Math.min(given.rows, MOST_ROWS);
  const receivers = startChild('event-receivers.ts', {
    kinds: Array.from({ length: DESTINATIONS }, () => 'healthy'),
  });
  const sink = startChild('receiver.ts', {});
  try {
    const { urls, control } = await receivers.next();
    const sinkUrl = String((await sink.next()).url);
    const ids = await subscribed(v2, Array.isArray(urls) ? urls.map(String) : []);
    const from = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
    const path = `/v2/transactions?account=${account}&from=${from}&limit=100`;
    const headers = { authorization: `Bearer ${secret}`, 'service-version': CURRENT_RELEASE };
    const side = async (verb: 'enable' | 'disable', measure: () => Promise<number>): Promise<number> => {
      for (const id of ids) await v2.post(`/v2/event_destinations/${id}/${verb}`, {});
      return measure();
    };
    const alternating = async (measure: () => Promise<number>): Promise<Round[]> => {
      await measure();
      const found: Round[] = [];
      for (let round = 0; round < rounds; round++) {
        if (round % 2 === 0) {
          const ours = await side('enable', measure);
          found.push({ ours, reference: await side('disable', measure) });
        } else {
          const reference = await side('disable', measure);
          found.push({ ours: await side('enable', measure), reference });
        }
      }
      return found;
    };
    const reads = await alternating(() => loaded({ url: service.url, path, headers, seconds }));
    const syncs = await alternating(async () => {
      let total = 0;
      // The rate of all of them: that of each weighs by how long it took.
      for (let sync = 0; sync < SYNCS; sync++) total += 1 / (await syncOnce(v2, account, sinkUrl, rows));
      return SYNCS / total;
    });
    await requireDelivered(String(control), rounds * SYNCS * DESTINATIONS);
    const note = 'the same with none enabled';
    return [
      ratiosOf(
        'cached reads with ten event destinations subscribed to everything',
        'requests/s',
        note,
        reads,
      ),
      ratiosOf(`syncs of ${rows} rows with them`, 'rows/s', note, syncs),
    ];
  } finally {
    await sink.kill();
    await receivers.kill();
  }
}

async function subscribed(v2: V2Client, urls: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const url of urls) {
    const wanted = { name: 'Benchmark', webhook_endpoint: { url }, enabled_events: ['*'] };
    ids.push((await v2.post('/v2/event_destinations', wanted)).text('id'));
  }
  return ids;
}

/** A comparison in which nothing is delivered compares nothing. */
async function requireDelivered(control: string, least: number): Promise<void> {
  const answer = await (await request(control)).body.text();
  const arrived = Number(/"arrived":(\d+)/.exec(answer)?.[1]);
  if (!(arrived >= least)) throw new Error(`Receivers took ${arrived} events, fewer than ${least}.`);
}
