import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Tributary } from '#client';
import { until } from '../../src/app/demo/demo-steps.ts';
import { startChild } from './child.ts';
import type { PreparedService } from './prepared-service.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';

const DEADLINE_MS = 10 * 60_000;
const CHUNK_ROWS = 500;

/**
 * Rows a second of a first sync, compared with a loop that reads, signs and posts the same rows and records nothing.
 */
export async function compareSync(prepared: PreparedService, rows: number, rounds: number): Promise<Ratio> {
  const receiver = startChild('receiver.ts', {});
  try {
    const receiverUrl = String((await receiver.next()).url);
    const measured: Round[] = [];
    await plainLoop(prepared, receiverUrl, rows);
    for (let round = 0; round < rounds; round++) {
      if (round % 2 === 0) {
        const ours = await syncOnce(prepared.v2, prepared.account, receiverUrl, rows);
        measured.push({ ours, reference: await plainLoop(prepared, receiverUrl, rows) });
      } else {
        const reference = await plainLoop(prepared, receiverUrl, rows);
        measured.push({ ours: await syncOnce(prepared.v2, prepared.account, receiverUrl, rows), reference });
      }
    }
    return ratiosOf('sync to a webhook', 'rows/s', `${rows} rows in chunks of ${CHUNK_ROWS}`, measured);
  } finally {
    await receiver.kill();
  }
}

/** Rows a second. A new destination and sync each time, so that every row is new. */
export async function syncOnce(
  v2: Tributary,
  account: string,
  receiverUrl: string,
  rows: number,
): Promise<number> {
  const path = `/${randomUUID()}`;
  const destination = await v2.destinations.create({
    type: 'webhook',
    name: 'Benchmark',
    target: { url: receiverUrl + path },
  });
  const made = await v2.syncs.create({
    type: 'transactions',
    name: 'Benchmark',
    destination: destination.id,
    accounts: [account],
    mapping_mode: 'bulk',
    options: { data_from: '1960-01-01', include_pending: true },
  });
  const run = made.latest_run?.id ?? '';
  const ended = await until(
    () => v2.syncRuns.get({ id: run }),
    ({ status }) => status !== 'queued' && status !== 'running',
    DEADLINE_MS,
    AbortSignal.timeout(DEADLINE_MS),
  );
  if (ended.status !== 'succeeded') throw new Error('The measured sync failed.');
  await requireRows(receiverUrl + path, rows);
  return rows / (Number(ended.duration_ms) / 1000);
}

async function plainLoop({ bank }: PreparedService, receiverUrl: string, rows: number): Promise<number> {
  const path = `/${randomUUID()}`;
  const consent = await theConsent(bank.controlUrl);
  const loop = startChild('plain-loop.ts', {
    vendorUrl: bank.url,
    clientId: 'bench',
    clientSecret: 'bench',
    endUser: consent.endUserId,
    account: consent.accountId,
    receiverUrl: receiverUrl + path,
    secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    chunkRows: CHUNK_ROWS,
  });
  try {
    const { milliseconds } = await loop.next();
    await requireRows(receiverUrl + path, rows);
    return rows / (Number(milliseconds) / 1000);
  } finally {
    await loop.kill();
  }
}

async function theConsent(controlUrl: string): Promise<{ endUserId: string; accountId: string }> {
  const answer = await request(`${controlUrl}/consents`);
  const text = await answer.body.text();
  const endUserId = /"endUserId":"([^"]+)"/.exec(text)?.[1];
  const accountId = /"accountIds":\["([^"]+)"/.exec(text)?.[1];
  if (endUserId === undefined || accountId === undefined) throw new Error('The bank knows no consent.');
  return { endUserId, accountId };
}

/** Both sides must have delivered everything, or the comparison is meaningless. */
async function requireRows(url: string, rows: number): Promise<void> {
  const answer = await request(url);
  const text = await answer.body.text();
  if (text !== JSON.stringify({ rows })) throw new Error(`The receiver has ${text} instead of ${rows} rows.`);
}
