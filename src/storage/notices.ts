import { type RawBuilder, sql } from 'kysely';
import { StoreUnavailableError } from '../vocabulary/store-unavailable.ts';
import type { Db, OpenDatabase, Trx } from './database.ts';
import { DestroyableClient } from './postgres/destroyable-client.ts';
import { NOTICES_CONNECTION } from './processes.ts';
import { onceCommitted, whenCommitted } from './unit-of-work.ts';

/** Changes on which every process must drop cached data at once; the id says whose. */
export const NOTICE_KINDS = [
  'api_key',
  'simplefin_app',
  'oauth_grant',
  'web_session',
  'account_record',
  'connection',
  'categories',
  'encryption_key',
  'events',
  'event_recorded',
  'event_deliveries',
  'sync_runs',
  'jobs',
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];
export interface Notice {
  readonly kind: NoticeKind;
  readonly id: string;
}

/** Those that tell a worker there is work; nothing visible to a caller has changed. */
const WORK_NOTICES: ReadonlySet<NoticeKind> = new Set([
  'events',
  'event_recorded',
  'event_deliveries',
  'sync_runs',
  'jobs',
]);

const CHANNEL = 'tributary_notices';
const RECONNECT_MS = 500;
/** How often the connection is tested, and how long it may take to answer: neither end may notice that it broke. */
const HEARTBEAT_MS = 2_000;
const PATIENCE_MS = 3_000;

/**
 * Notifications of changes to every process on the database, sent with the transaction that makes the change (LISTEN /
 * NOTIFY). While `connected` is false a notification may have been missed: caches then query the database instead, and
 * are cleared when the connection is lost. A half-open connection is noticed within 5 seconds.
 */
export class Notices {
  readonly #database: OpenDatabase;
  readonly #listeners = new Set<(notice: Notice) => void>();
  readonly #lost = new Set<() => void>();
  /** Not sent yet, by kind. */
  readonly #hints = new Map<NoticeKind, Notice>();
  #hinting: Promise<void> | null = null;
  #client: DestroyableClient | null = null;
  #unlisten: (() => Promise<void>) | null = null;
  #timer: NodeJS.Timeout | null = null;
  #connected = false;
  #stopped = false;

  constructor(database: OpenDatabase) {
    this.#database = database;
  }

  get connected(): boolean {
    return this.#connected;
  }

  onNotice(listener: (notice: Notice) => void): void {
    this.#listeners.add(listener);
  }

  /** The same, only for changes visible to a caller. */
  onChange(listener: (notice: Notice) => void): void {
    this.onNotice((notice) => {
      if (!WORK_NOTICES.has(notice.kind)) listener(notice);
    });
  }

  /**
   * Called when notices may have been missed: when the connection is lost, and again when it is restored, since data
   * read in between may have changed without a notice.
   */
  onLost(listener: () => void): void {
    this.#lost.add(listener);
  }

  async publish(db: Db | Trx, ...notices: readonly Notice[]): Promise<void> {
    await sql`select ${sql.join(notices.map(notifying))}`.execute(db);
  }

  /**
   * Delivers in this process at once and in the others soon, in batches: a notice makes a commit wait for every other
   * commit that has one. Only for things that are polled anyway: it is lost if the process dies, or the database fails,
   * before it is sent.
   */
  hint(notice: Notice): void {
    for (const listener of this.#listeners) listener(notice);
    if (this.#database.pool === null) return;
    this.#hints.set(notice.kind, notice);
    if (this.#hinting === null)
      this.#hinting = this.#sendHints().finally(() => {
        this.#hinting = null;
      });
  }

  /** A hint about what the caller writes: sent once that is committed, and not at all if it is rolled back. */
  async hintOnceCommitted(db: Db | Trx, notice: Notice): Promise<void> {
    const hint = () => this.hint(notice);
    if (db.isTransaction) await onceCommitted(db, hint);
    else whenCommitted(hint);
  }

  async #sendHints(): Promise<void> {
    while (this.#hints.size > 0) {
      const notices = [...this.#hints.values()];
      this.#hints.clear();
      await this.publish(this.#database.db, ...notices).catch(() => undefined);
    }
  }

  /** Delivers in this process after the commit, without waiting for the database to send the notice back. */
  deliver(notice: Notice): void {
    whenCommitted(() => {
      for (const listener of this.#listeners) listener(notice);
    });
  }

  async start(): Promise<void> {
    const { pglite } = this.#database;
    if (pglite === null) return this.#connect();
    const unlisten = await pglite.listen(CHANNEL, (payload) => this.#receive(payload));
    pglite.onReopened?.(() => {
      for (const listener of this.#lost) listener();
    });
    this.#unlisten = () => unlisten();
    this.#connected = true;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#connected = false;
    await this.#hinting;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#unlisten?.().catch(() => undefined);
    this.#client?.destroy(new StoreUnavailableError('the service is stopping'));
  }

  async #connect(): Promise<void> {
    const client = new DestroyableClient({
      ...this.#database.pool?.options,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    this.#client = client;
    client.on('notification', (message) => this.#receive(message.payload ?? ''));
    client.on('error', () => this.#disconnected(client));
    client.on('end', () => this.#disconnected(client));
    try {
      await client.connect();
      // Not an option of the connection: a name in the address would replace it.
      await client.query(`set application_name = '${NOTICES_CONNECTION}'`);
      await client.query(`listen ${CHANNEL}`);
      if (this.#client !== client || this.#stopped) return;
      for (const listener of this.#lost) listener();
      this.#connected = true;
      this.#watch(client);
    } catch {
      this.#disconnected(client);
    }
  }

  #watch(client: DestroyableClient): void {
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => {
          if (this.#client === client && !this.#stopped) this.#watch(client);
        },
        () => this.#disconnected(client),
      );
    }, HEARTBEAT_MS);
  }

  #disconnected(client: DestroyableClient): void {
    if (this.#client !== client || this.#stopped) return;
    this.#client = null;
    this.#connected = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const listener of this.#lost) listener();
    client.destroy(new StoreUnavailableError('the connection that receives notices was lost'));
    this.#timer = setTimeout(() => void this.#connect(), RECONNECT_MS);
  }

  #receive(payload: string): void {
    const notice = parseNotice(payload);
    if (notice !== null) this.deliver(notice);
  }
}

/** The call that publishes a notice once the transaction commits. */
function notifying(notice: Notice): RawBuilder<unknown> {
  return sql`pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`;
}

function parseNotice(payload: string): Notice | null {
  try {
    const value: unknown = JSON.parse(payload);
    if (typeof value !== 'object' || value === null || !('kind' in value) || !('id' in value)) return null;
    const kind = NOTICE_KINDS.find((known) => known === value.kind);
    return kind === undefined || typeof value.id !== 'string' ? null : { kind, id: value.id };
  } catch {
    return null;
  }
}
