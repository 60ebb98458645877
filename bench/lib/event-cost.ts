import { request } from 'undici';
import type { Tributary } from '#client';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import { type Alternation, compareAlternated, type Work } from './alternated.ts';
import { startChild } from './child.ts';
import type { PreparedService } from './prepared-service.ts';
import type { Ratio } from './ratio.ts';
import { load } from './requests.ts';
import { syncOnce } from './sync.ts';

const DESTINATIONS = 10;
/** The events of a run: queued, started, succeeded. */
const EVENTS_OF_SYNC = 3;
const EVENTS_PER_SECOND = 10;
/** Waits until the events caused by a measurement have been delivered, which is part of its cost. */
const SETTLE_MS = 500;

/**
 * Reads and syncs of an account record with ten event destinations that subscribe to everything, compared with the same
 * with all ten disabled. A cached read causes no event, so reads are also measured while events happen.
 */
export async function compareEventCost(
  prepared: PreparedService,
  given: { readonly rounds: number; readonly seconds: number; readonly rows: number },
): Promise<Ratio[]> {
  const { rounds, seconds, rows } = given;
  const { v2, service, secret, account } = prepared;
  const receivers = startChild('event-receivers.ts', {
    kinds: Array.from({ length: DESTINATIONS }, () => 'healthy'),
  });
  const sink = startChild('receiver.ts', {});
  try {
    const { urls, control } = await receivers.next();
    const sinkUrl = String((await sink.next()).url);
    const ids = await subscribed(v2, Array.isArray(urls) ? urls.map(String) : []);
    const alternation: Alternation = {
      rounds,
      pid: service.pid,
      become: async (side) => {
        for (const id of ids) await v2.eventDestinations[side === 'ours' ? 'enable' : 'disable']({ id });
      },
    };
    const from = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10);
    const path = `/v2/transactions?account=${account}&from=${from}&limit=100`;
    const headers = { authorization: `Bearer ${secret}`, 'service-version': CURRENT_RELEASE };
    const reads = async (): Promise<Work> => {
      const { rate, answered } = await load({ url: service.url, path, headers, seconds });
      return { units: answered, seconds: answered / rate };
    };
    const syncs = async (): Promise<Work> => {
      const rate = await syncOnce(v2, account, sinkUrl, rows);
      await settled();
      return { units: rows, seconds: rows / rate };
    };
    const beside = 'with ten event destinations subscribed to everything';
    const requests = { unit: 'requests', note: 'the same with none enabled' };
    const found = [
      ...(await compareAlternated(alternation, reads, { ...requests, name: `cached reads ${beside}` })),
      ...(await compareAlternated(alternation, whileThingsHappen(v2, reads), {
        ...requests,
        name: `cached reads ${beside}, ${EVENTS_PER_SECOND} events a second`,
      })),
      ...(await compareAlternated(alternation, syncs, {
        ...requests,
        unit: 'rows',
        name: `syncs of ${rows} rows ${beside}`,
      })),
    ];
    await requireDelivered(
      String(control),
      rounds * 2 * DESTINATIONS * (EVENTS_OF_SYNC + seconds * EVENTS_PER_SECOND),
    );
    return found;
  } finally {
    await sink.kill();
    await receivers.kill();
  }
}

async function subscribed(v2: Tributary, urls: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const url of urls) {
    const wanted = { name: 'Benchmark', webhook_endpoint: { url }, enabled_events: ['*'] } as const;
    ids.push((await v2.eventDestinations.create(wanted)).id);
  }
  return ids;
}

/** The work, while a key is rotated that many times a second: an event each time, and little else. */
function whileThingsHappen(v2: Tributary, work: () => Promise<Work>): () => Promise<Work> {
  let key: string | null = null;
  return async () => {
    let isOver = false;
    const over = work().finally(() => {
      isOver = true;
    });
    key ??= (await v2.apiKeys.create({ name: 'Benchmark', scopes: ['events:read'] })).id;
    for (let next = performance.now(); !isOver; next += 1000 / EVENTS_PER_SECOND) {
      key = (await v2.apiKeys.rotate({ id: key, grace: '0' })).id;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
    }
    await settled();
    return over;
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

/** A comparison without deliveries is meaningless. */
async function requireDelivered(control: string, least: number): Promise<void> {
  const answer = await (await request(control)).body.text();
  const arrived = Number(/"arrived":(\d+)/.exec(answer)?.[1]);
  if (!(arrived >= least)) throw new Error(`Receivers took ${arrived} events, fewer than ${least}.`);
}
