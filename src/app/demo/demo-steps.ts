import type { SyncRun, Tributary } from '#client';
import { systemClock } from '../../platform/clock.ts';
import { completeConsent } from '../../surfaces/cli/consent-pages.ts';
import { CommandFailure } from '../../surfaces/cli/failure.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { DemoCustomer } from './people.ts';

const POLL_MS = 100;
const LINK_DEADLINE_MS = 60_000;
export const RUN_DEADLINE_MS = 2 * 3600_000;

/** The `inst_` id of each bank of a provider by name. */
export async function banksByName(
  v2: Tributary,
  provider: ProviderIdentifier,
): Promise<ReadonlyMap<string, string>> {
  const banks = await v2.institutions.list({ provider, limit: 100 }).all();
  return new Map(banks.map(({ name, id }) => [name, id]));
}

/** Links one customer through the hosted pages and returns the connection's accounts once they are listed. */
export async function linkCustomer(
  v2: Tributary,
  { provider, bank, customer }: DemoCustomer,
  banks: ReadonlyMap<string, string>,
  returnUrl: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const institution = bank === null ? null : banks.get(bank);
  if (institution === undefined) throw new CommandFailure(`The institutions list does not offer ${bank}.`);
  const session = await v2.linkSessions.create({
    provider,
    institution: institution ?? undefined,
    return_url: returnUrl,
  });
  const end = await completeConsent(session.url, returnUrl, { customer, signal });
  if (end.searchParams.get('link_session') !== 'completed') {
    throw new CommandFailure(
      `Linking ${bank ?? provider} failed: ${end.searchParams.get('reason') ?? 'no reason given'}.`,
    );
  }
  const completed = await until(
    () => v2.linkSessions.get({ id: session.id }),
    ({ status }) => status !== 'pending',
    LINK_DEADLINE_MS,
    signal,
  );
  const { connection } = completed;
  if (connection === null) throw new CommandFailure(`Linking ${bank ?? provider} made no connection.`);
  await until(
    () => v2.connections.get({ id: connection }),
    ({ status }) => status !== 'pending',
    LINK_DEADLINE_MS,
    signal,
  );
  const accounts = await v2.accounts.list({ connection, limit: 100 }).all();
  return accounts.map(({ id }) => id);
}

/** Reads an account as a caller would: the balance and the newest page of transactions. */
export async function readAccount(v2: Tributary, account: string): Promise<void> {
  await v2.accounts.getBalance({ id: account });
  await v2.transactions.list({ account, include_pending: true, limit: 100 }).page();
}

/** Waits for a run to end. @param onWait called before each further poll */
export function runEnded(
  v2: Tributary,
  run: string,
  signal: AbortSignal,
  onWait?: () => void,
): Promise<SyncRun> {
  return until(
    () => v2.syncRuns.get({ id: run }),
    ({ status }) => status !== 'queued' && status !== 'running',
    RUN_DEADLINE_MS,
    signal,
    onWait,
  );
}

/** Polls until `settled`. */
export async function until<T>(
  ask: () => Promise<T>,
  settled: (found: T) => boolean,
  deadlineMs: number,
  signal: AbortSignal,
  onWait: () => void = () => undefined,
): Promise<T> {
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
