import { Agent, request } from 'undici';
import { median } from '../../scripts/lib/numbers.ts';
import { banksByName, linkCustomer } from '../../src/app/demo/demo-steps.ts';
import type { PreparedService } from './prepared-service.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';
import { v1Accounts } from './v1-accounts.ts';

const ACCOUNTS = 20;
/** Reads on each side of a round; the round is their median. */
const READS = 40;

interface Read {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * How long one read of twenty cached accounts over the bridge takes, compared with the sum of the equivalent reads of
 * v1: a balance list and the transactions of each account, one after the other on one connection.
 */
export async function compareBridge(prepared: PreparedService, rounds: number): Promise<Ratio> {
  const { service, v2, secret } = prepared;
  const accounts = await twentyAccounts(prepared);
  const ids = accounts.map(({ id }) => id);
  const token = await v2.simplefinSetupTokens.create({ name: 'Bench' });
  const claim = Buffer.from(token.setup_token ?? '', 'base64').toString();
  const access = new URL(await (await request(claim, { method: 'POST' })).body.text());
  const basic = Buffer.from(`${access.username}:${access.password}`).toString('base64');
  const chosen = ids.map((id) => `account=${id}`).join('&');
  const bridge: Read[] = [
    { url: `${service.url}/simplefin/accounts?${chosen}`, headers: { authorization: `Basic ${basic}` } },
  ];
  const headers = { authorization: `Bearer ${secret}` };
  const separate: Read[] = [
    { url: `${service.url}/v1/balances?accountIds=${ids.join()}`, headers },
    ...accounts.map(({ id, connection }) => ({
      url: `${service.url}/v1/transactions?connectionId=${connection}&accountId=${id}`,
      headers,
    })),
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
    const note = `${bytes} bytes of body; the sum of ${separate.length} v1 reads`;
    return ratiosOf(`a bridge read of ${ACCOUNTS} cached accounts`, 'µs', note, measured);
  } finally {
    await agent.close();
  }
}

interface V1Account {
  readonly id: string;
  readonly connection: string;
}

/** Links households until they have that many accounts together. */
async function twentyAccounts({ v2 }: PreparedService): Promise<readonly V1Account[]> {
  const banks = await banksByName(v2, 'au_banking');
  const customer = {
    provider: 'au_banking',
    bank: 'Banking Sandbox Data Holder',
    customer: 'salaried-household',
  } as const;
  for (let count = 0; count < ACCOUNTS; ) {
    const signal = AbortSignal.timeout(60_000);
    count += (await linkCustomer(v2, customer, banks, 'http://127.0.0.1:1/linked', signal)).length;
  }
  const banking = (await v1Accounts(v2)).filter(({ provider }) => provider === 'au_banking');
  return banking.slice(0, ACCOUNTS).map(({ id, connectionId }) => ({ id, connection: connectionId }));
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

/** Sends requests one after the other; returns how many bytes the bodies have. */
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
