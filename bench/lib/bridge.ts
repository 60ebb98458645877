import { Agent, request } from 'undici';
import { median } from '../../scripts/lib/numbers.ts';
import { banksByName, linkCustomer } from '../../src/cli/demo/demo-steps.ts';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import type { PreparedService } from './prepared-service.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';

const ACCOUNTS = 20;
/** Reads on each side of a round; the round is their median. */
const READS = 40;

interface Read {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * How long one read of twenty cached accounts over the bridge takes, against the sum of the reads that tell the same
 * over v2: a balance list and the transactions of each account, one after the other on one connection.
 */
export async function compareBridge(prepared: PreparedService, rounds: number): Promise<Ratio> {
  const { service, v2, secret } = prepared;
  const accounts = await twentyAccounts(prepared);
  const token = await v2.post('/v2/simplefin_setup_tokens', { name: 'Bench' });
  const claim = Buffer.from(token.text('setup_token'), 'base64').toString();
  const access = new URL(await (await request(claim, { method: 'POST' })).body.text());
  const basic = Buffer.from(`${access.username}:${access.password}`).toString('base64');
  const chosen = accounts.map((id) => `account=${id}`).join('&');
  const bridge: Read[] = [
    { url: `${service.url}/simplefin/accounts?${chosen}`, headers: { authorization: `Basic ${basic}` } },
  ];
  const headers = { authorization: `Bearer ${secret}`, 'service-version': CURRENT_RELEASE };
  const separate: Read[] = [
    { url: `${service.url}/v2/balances?${chosen}`, headers },
    ...accounts.map((id) => ({ url: `${service.url}/v2/transactions?account=${id}&limit=100`, headers })),
  ];
  const agent = new Agent({ connections: 1 });
  try {
    const bytes = await answered(bridge, agent);
    await answered(separate, agent);
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      if (round % 2 === 0) {
        const ours = await timeOf(bridge, agent);
        measured.push({ ours, reference: await timeOf(separate, agent) });
      } else {
        const reference = await timeOf(separate, agent);
        measured.push({ ours: await timeOf(bridge, agent), reference });
      }
    }
    const note = `${bytes} bytes of body; the sum of ${separate.length} v2 reads`;
    return ratiosOf(`a bridge read of ${ACCOUNTS} cached accounts`, 'µs', note, measured);
  } finally {
    await agent.close();
  }
}

/** Links households until they have so many accounts together. */
async function twentyAccounts({ v2 }: PreparedService): Promise<readonly string[]> {
  const banks = await banksByName(v2, 'au_banking');
  const customer = {
    provider: 'au_banking',
    bank: 'Banking Sandbox Data Holder',
    customer: 'salaried-household',
  } as const;
  const accounts: string[] = [];
  while (accounts.length < ACCOUNTS) {
    const signal = AbortSignal.timeout(60_000);
    accounts.push(...(await linkCustomer(v2, customer, banks, 'http://127.0.0.1:1/linked', signal)));
  }
  return accounts.slice(0, ACCOUNTS);
}

async function timeOf(reads: readonly Read[], agent: Agent): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < READS; at++) {
    const begun = performance.now();
    await answered(reads, agent);
    times.push((performance.now() - begun) * 1000);
  }
  return median(times);
}

/** Asks one after the other; how many bytes the bodies have. */
async function answered(reads: readonly Read[], agent: Agent): Promise<number> {
  let bytes = 0;
  for (const { url, headers } of reads) {
    const answer = await request(url, { headers, dispatcher: agent });
    const body = await answer.body.arrayBuffer();
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}.`);
    bytes += body.byteLength;
  }
  return bytes;
}
