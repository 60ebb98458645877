import type { Clock } from '../../../platform/clock.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, malformed, parseExact, rowsOf, type WireObject } from '../kit/json.ts';
import { ErrorAnswer } from '../kit/vendor-calls.ts';
import type { ProviderAccess, ProviderSignal } from '../provider-contract.ts';
import type { BrokerageClient, User } from './client.ts';
import { connectionId, isDisabled } from './map-connection.ts';

/** What a queued deletion is given before the job that asked for it comes back later. */
const WAITS_MS: readonly number[] = [0, 250, 500, 1000];

/** How long what was found out of a connection is believed. */
const REMEMBERED_MS = 60_000;
/** The most of it that is remembered at once. */
const MOST_REMEMBERED = 5000;

/** A connection under its user. */
export type UserConnection = Pick<ProviderAccess, 'customer' | 'secret' | 'consent'>;

/** Every connection of a user, disabled ones included. */
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

/** One connection, or null when the vendor does not know it (any more). */
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

/** Deletes a connection. The vendor only queues it, so the connection is looked for afterwards. */
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
    // A user who is not known any more has no connections, and is deleted next where the secret alone was lost.
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

/** Whether what the vendor queued has happened: asked a few times, a little later each time. */
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
 * Whether connections work. The vendor answers reads of a disabled one as if nothing had happened, with what it knew
 * last, so the connection is looked at beside each read. One that works is taken to do so for a minute; one that does
 * not is asked for each time, since the person may just have signed in again.
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

/** Accounts whose first copy was not under way when they were last looked at. That is believed for a minute. */
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

/** What was found out a moment ago, by key, for a while. The longest known makes room: it is only found out again. */
class Remembered<Value> {
  readonly #clock: Clock;
  readonly #ms: number;
  /** The longest known first. */
  readonly #known = new Map<string, { readonly value: Value; readonly until: number }>();

  /** @param ms how long a value is remembered */
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
