import type { Clock } from '../../../platform/clock.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, malformed, parseExact, rowsOf, type WireObject } from '../kit/json.ts';
import { ErrorAnswer } from '../kit/vendor-calls.ts';
import type { ProviderAccess, ProviderSignal } from '../provider-contract.ts';
import type { BrokerageClient, User } from './client.ts';
import { connectionId, isDisabled } from './map-connection.ts';

/** How long a queued deletion may take before the job that requested it tries again later. */
const WAITS_MS: readonly number[] = [0, 250, 500, 1000];

/** How long the state of a connection is cached. */
const REMEMBERED_MS = 60_000;
/** How many states are cached at once. */
const MOST_REMEMBERED = 5000;

/** A connection and its user. */
export type UserConnection = Pick<ProviderAccess, 'customer' | 'secret' | 'consent'>;

/** Every connection of a user, including disabled ones. */
export async function connectionRows(
  client: BrokerageClient,
  user: User,
  signal: AbortSignal,
): Promise<WireObject[]> {
  const call = { method: 'GET', path: '/authorizations', kind: { answer: 'list' } } as const;
  const rows = rowsOf(parseExact(await client.user(user, call, signal)), 'authorizations');
  if (rows.length > client.limits.list_rows) throw malformed('its list does not end');
  return rows;
}

/** Every broker that the vendor knows. */
export async function brokerRows(client: BrokerageClient, signal: AbortSignal): Promise<WireObject[]> {
  const call = { method: 'GET', path: '/brokerages', kind: { answer: 'list' } } as const;
  return rowsOf(parseExact(await client.own(call, signal)), 'brokerages');
}

/** One connection, or null if the vendor does not know it (any more). */
export async function findConnection(
  client: BrokerageClient,
  connection: UserConnection,
  signal: AbortSignal,
): Promise<WireObject | null> {
  const path = `/authorizations/${encodeURIComponent(connection.consent)}`;
  try {
    const row = parseExact(await client.user(connection, { method: 'GET', path }, signal));
    if (!isWireObject(row) || connectionId(row) !== connection.consent)
      throw malformed('it is another connection');
    return row;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Deletes a connection. The vendor only queues it, so it is checked afterwards whether the connection is gone. */
export async function deleteConnection(
  client: BrokerageClient,
  connection: UserConnection,
  signal: AbortSignal,
): Promise<void> {
  const path = `/connection/${encodeURIComponent(connection.consent)}`;
  try {
    await client.user(connection, { method: 'DELETE', path }, signal);
    const gone = async () => (await findConnection(client, connection, signal)) === null;
    if (await confirmed(gone, client.clock, signal)) return;
  } catch (error) {
    // A user who is no longer known has no connections, and is deleted next if only the secret was lost.
    if (isMissing(error) || isUserGone(error)) return;
    throw error;
  }
  throw new UpstreamFailure('temporarily_unavailable', 'The deletion of the connection is still queued.');
}

export function isMissing(error: unknown): boolean {
  return error instanceof ErrorAnswer && error.status === 404;
}

function isUserGone(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure) || error.situation !== 'grant_rejected') return false;
  return !(error instanceof ErrorAnswer) || error.status === 401;
}

/** Whether what the vendor queued has happened: checked a few times, with growing waits. */
export async function confirmed(
  happened: () => Promise<boolean>,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  for (const wait of WAITS_MS) {
    if (wait > 0) await clock.sleep(wait, signal);
    if (await happened()) return true;
  }
  return false;
}

/**
 * Whether connections work. The vendor answers reads of a disabled one normally, with the last data it had, so the
 * connection is checked along with each read. One that works is not checked again for a minute; one that does not is
 * checked each time, since the person may just have signed in again.
 */
export class WorkingConnections {
  readonly #client: BrokerageClient;
  readonly #working: Remembered<UserConnection>;

  constructor(client: BrokerageClient) {
    this.#client = client;
    this.#working = new Remembered(client.clock, REMEMBERED_MS);
  }

  /** Raises UpstreamFailure (`grant_rejected`) where the connection is disabled or gone. */
  async require(connection: UserConnection, signal: AbortSignal): Promise<void> {
    const key = keyOf(connection);
    if (this.#working.has(key)) return;
    const row = await findConnection(this.#client, connection, signal);
    if (row === null) throw new UpstreamFailure('grant_rejected', 'The connection is no longer known.');
    if (isDisabled(row)) throw new UpstreamFailure('grant_rejected', 'The connection is disabled.');
    this.#working.add(key, connection);
  }

  /** Makes the next read check the connection again. */
  forget(connection: UserConnection): void {
    this.#working.forget(keyOf(connection));
  }

  /** Makes the next read check again what a notification is about: it names a connection without its user, or a user. */
  forgetNamed({ kind, id }: ProviderSignal['about']): void {
    this.#working.forgetWhere(({ customer, consent }) => id === (kind === 'customer' ? customer : consent));
  }
}

/** What the vendor copies of an account. */
export type Copied = 'holdings' | 'trades';

/** Accounts whose first copy was not in progress when they were last checked. Cached for a minute. */
export class CopiedAccounts {
  readonly #copied: Remembered<Copied>;

  constructor(clock: Clock) {
    this.#copied = new Remembered(clock, REMEMBERED_MS);
  }

  has(connection: UserConnection, account: string, what: Copied): boolean {
    return this.#copied.has(keyOf(connection, account, what));
  }

  add(connection: UserConnection, account: string, what: Copied): void {
    this.#copied.add(keyOf(connection, account, what), what);
  }
}

function keyOf({ customer, consent }: UserConnection, ...inside: readonly string[]): string {
  return JSON.stringify([customer, consent, ...inside]);
}

/** A cache by key, for a limited time. The oldest entry is dropped for a new one, since it can be determined again. */
class Remembered<Value> {
  readonly #clock: Clock;
  readonly #ms: number;
  /** Oldest first. */
  readonly #known = new Map<string, { readonly value: Value; readonly until: number }>();

  /** @param ms how long a value is cached */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  has(key: string): boolean {
    if ((this.#known.get(key)?.until ?? 0) > this.#clock.now()) return true;
    this.#known.delete(key);
    return false;
  }

  add(key: string, value: Value): void {
    this.#known.delete(key);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < MOST_REMEMBERED) break;
      this.#known.delete(oldest);
    }
    this.#known.set(key, { value, until: this.#clock.now() + this.#ms });
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  forgetWhere(matches: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#known) if (matches(value)) this.#known.delete(key);
  }
}
