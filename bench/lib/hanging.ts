import type { TransactionsListInput } from '#client';
import { isRecord } from '../../sandbox/shared/json.ts';
import { banksByName, linkCustomer } from '../../src/app/demo/demo-steps.ts';
import type { PreparedService } from './prepared-service.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';

/** The bank that hangs; the service's other customer is at another. */
const SLOW_BANK = 'Gumtree Mutual';
const READS = 200;
const AT_ONCE = 4;
/** Twice the number of calls that a provider gets at once. */
const HANGING = 64;
/** Shorter than the deadline of a read, so that no breaker ends it before the next round. */
const HANGS_MS = 20_000;
const DAY_MS = 86_400_000;

/** The 95th percentile of a bank's read times while another bank hangs, compared with the same without. */
export async function compareHanging(prepared: PreparedService, rounds: number): Promise<Ratio> {
  const slow = await linkSlow(prepared);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const reference = await slowestOf(prepared, round * 2);
    const release = await hang(prepared, slow, round);
    try {
      measured.push({ ours: await slowestOf(prepared, round * 2 + 1), reference });
    } finally {
      await release();
    }
  }
  return ratiosOf(
    'p95 of reads of a bank while another hangs',
    'µs',
    `${READS} reads, ${HANGING} hanging; the same undisturbed`,
    measured,
  );
}

interface SlowAccount {
  readonly id: string;
  /** Its id at the bank. */
  readonly upstream: string;
}

async function linkSlow({ v2, bank }: PreparedService): Promise<SlowAccount> {
  const banks = await banksByName(v2, 'au_banking');
  const name = [...banks.keys()].find((one) => one.startsWith(SLOW_BANK)) ?? SLOW_BANK;
  const customer = { provider: 'au_banking' as const, bank: name, customer: 'rows:100' };
  const signal = AbortSignal.timeout(60_000);
  const [id] = await linkCustomer(v2, customer, banks, 'http://127.0.0.1:1/linked', signal);
  const answer: unknown = await (await fetch(`${bank.controlUrl}/consents`)).json();
  const consents = isRecord(answer) && Array.isArray(answer.consents) ? answer.consents : [];
  const last: unknown = consents.at(-1);
  const accounts = isRecord(last) && Array.isArray(last.accountIds) ? last.accountIds : [];
  if (id === undefined || accounts.length === 0) throw new Error('The slow bank has no account.');
  return { id, upstream: String(accounts[0]) };
}

/** Microseconds. Every read has a different window, so that none is answered from the cache. */
async function slowestOf({ v2, account }: PreparedService, pass: number): Promise<number> {
  const took: number[] = [];
  const reader = async (offset: number): Promise<void> => {
    for (let at = offset; at < READS; at += AT_ONCE) {
      const asked = windowOf(account, pass * READS + at);
      const started = performance.now();
      await v2.transactions.list(asked).page();
      took.push((performance.now() - started) * 1000);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, offset) => reader(offset)));
  const sorted = took.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
}

/** A day long ago for each: answered without rows. */
function windowOf(account: string, number: number): TransactionsListInput {
  const day = new Date(Date.now() - (400 + number) * DAY_MS).toISOString().slice(0, 10);
  return { account, from: day, to: day };
}

async function hang(
  { v2, bank }: PreparedService,
  slow: SlowAccount,
  round: number,
): Promise<() => Promise<void>> {
  const route = `GET /v1/banking/transactions?*account_id=${slow.upstream}*`;
  await control(bank.controlUrl, 'POST', '/faults', {
    route,
    kind: 'latency',
    latencyMs: HANGS_MS,
    count: 1_000_000,
  });
  const reads = Promise.allSettled(
    Array.from({ length: HANGING }, (_, at) =>
      v2.transactions.list(windowOf(slow.id, round * HANGING + at), { retries: 0 }).page(),
    ),
  );
  return async () => {
    await control(bank.controlUrl, 'DELETE', '/faults');
    await reads;
  };
}

async function control(url: string, method: string, path: string, body?: object): Promise<void> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, ...sent });
  if (!answer.ok) throw new Error(`The bank's control answered ${answer.status} to ${method} ${path}.`);
}
