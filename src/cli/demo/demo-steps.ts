import { systemClock } from '../../platform/clock.ts';
import { walkConsent } from '../consent-walk.ts';
import { CommandFailure } from '../failure.ts';
import type { DemoCustomer } from './people.ts';
import type { Resource, V2Client } from './v2-client.ts';

const POLL_MS = 100;
const LINK_DEADLINE_MS = 60_000;
export const RUN_DEADLINE_MS = 2 * 3600_000;

/** The `inst_` id of each bank of a provider by name. */
export async function banksByName(v2: V2Client, provider: string): Promise<ReadonlyMap<string, string>> {
  const banks = new Map<string, string>();
  for await (const bank of v2.list(`/v2/institutions?provider=${provider}&limit=100`)) {
    banks.set(bank.text('name'), bank.text('id'));
  }
  return banks;
}

/** Links one customer through the hosted pages and returns the connection's accounts once they are there. */
export async function linkCustomer(
  v2: V2Client,
  { provider, bank, customer }: DemoCustomer,
  banks: ReadonlyMap<string, string>,
  returnUrl: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const institution = bank === null ? null : banks.get(bank);
  if (institution === undefined) throw new CommandFailure(`The institutions list does not offer ${bank}.`);
  const session = await v2.post('/v2/link_sessions', {
    provider,
    ...(institution === null ? {} : { institution }),
    return_url: returnUrl,
  });
  const end = await walkConsent(session.text('url'), returnUrl, { customer, signal });
  if (end.searchParams.get('link_session') !== 'completed') {
    throw new CommandFailure(
      `Linking ${bank ?? provider} failed: ${end.searchParams.get('reason') ?? 'no reason given'}.`,
    );
  }
  const completed = await until(
    () => v2.get(`/v2/link_sessions/${session.text('id')}`),
    (found) => found.text('status') !== 'pending',
    LINK_DEADLINE_MS,
    signal,
  );
  const connection = completed.text('connection');
  await until(
    () => v2.get(`/v2/connections/${connection}`),
    (found) => found.text('status') !== 'pending',
    LINK_DEADLINE_MS,
    signal,
  );
  const accounts: string[] = [];
  for await (const account of v2.list(`/v2/accounts?connection=${connection}&limit=100`)) {
    accounts.push(account.text('id'));
  }
  return accounts;
}

/** Reads an account as a caller would: balance, and the newest page of transactions. */
export async function readAccount(v2: V2Client, account: string): Promise<void> {
  const balance = await v2.get(`/v2/accounts/${account}/balance`);
  balance.partOrNull('current')?.number('amount');
  const page = await v2.get(`/v2/transactions?account=${account}&include_pending=true&limit=100`);
  for (const row of page.items('data')) row.part('amount').number('amount');
}

/** A run once it has ended. @param onWait called before each further question */
export function runEnded(
  v2: V2Client,
  run: string,
  signal: AbortSignal,
  onWait?: () => void,
): Promise<Resource> {
  return until(
    () => v2.get(`/v2/sync_runs/${run}`),
    (found) => !['queued', 'running'].includes(found.text('status')),
    RUN_DEADLINE_MS,
    signal,
    onWait,
  );
}

/** Asks again until `settled`. */
export async function until(
  ask: () => Promise<Resource>,
  settled: (found: Resource) => boolean,
  deadlineMs: number,
  signal: AbortSignal,
  onWait: () => void = () => undefined,
): Promise<Resource> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const found = await ask();
    if (settled(found)) return found;
    if (performance.now() >= end) {
      throw new CommandFailure(
        `Nothing happened within ${Math.round(deadlineMs / 1000)} seconds; check the log.`,
      );
    }
    onWait();
    await systemClock.sleep(POLL_MS, signal);
  }
}
