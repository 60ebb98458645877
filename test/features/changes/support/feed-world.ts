import { randomBytes } from 'node:crypto';
import { NO_SECRET } from '../../../../src/connectors/providers/customer-secret.ts';
import { ChangeCursors } from '../../../../src/features/changes/change-cursors.ts';
import type { ChangePage } from '../../../../src/features/changes/change-pages.ts';
import { Changes, type ChangesRequest } from '../../../../src/features/changes/changes.ts';
import type { ResolvedAccount } from '../../../../src/features/linking/accounts.ts';
import {
  NONE_SET_ASIDE,
  type TransactionRows,
  type TransactionWindow,
} from '../../../../src/features/provider-gateway/gateway-types.ts';
import { SimulatedClock } from '../../../../src/platform/clock.ts';
import { type EncryptionKey, Keyring } from '../../../../src/platform/keyring.ts';
import { newRowId } from '../../../../src/platform/row-id.ts';
import { Sealer } from '../../../../src/platform/sealing.ts';
import type { Account } from '../../../../src/storage/accounts.ts';
import type { Connection } from '../../../../src/storage/connections.ts';
import type { Db } from '../../../../src/storage/database.ts';
import { type OwnerId, type RowId, rowId } from '../../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../../src/vocabulary/limits.ts';
import { addDays, type LocalDate, localDateAt } from '../../../../src/vocabulary/moments.ts';
import { missing } from '../../../../src/vocabulary/service-error.ts';
import { newestFirst, type Transaction } from '../../../../src/vocabulary/transactions.ts';
import { newOwner } from '../../sync-engine/support/world.ts';

const ZONE = 'Australia/Sydney';

/** Accounts of a bank in memory, and the change feed on a real database. */
export class FeedWorld {
  readonly clock: SimulatedClock;
  readonly limits: Limits;
  readonly owner: OwnerId;
  readonly db: Db;
  #keys: readonly [EncryptionKey, ...EncryptionKey[]] = [{ id: 'first', key: randomBytes(32) }];
  readonly #accounts = new Map<
    RowId<'account'>,
    { account: Account; connection: Connection; owner: OwnerId }
  >();
  /** What the bank has of every account. */
  rows: Transaction[] = [];
  /** What the next reads answer of those rows. */
  answer: (rows: readonly Transaction[]) => Partial<TransactionRows> = (rows) => ({ rows });
  /** Called before each read; may raise. */
  beforeRead: (window: TransactionWindow) => void = () => undefined;
  loading = false;
  /** An earlier read that the process still has. */
  cached: { readonly value: TransactionRows; readonly observedAt: number } | null = null;
  reads = 0;

  private constructor(db: Db, owner: OwnerId, limits: Partial<Limits>) {
    this.db = db;
    this.owner = owner;
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.clock = new SimulatedClock(Date.UTC(2026, 5, 15, 2));
  }

  static async open(db: Db, limits: Partial<Limits> = {}): Promise<FeedWorld> {
    return new FeedWorld(db, (await newOwner(db)).id, limits);
  }

  get today(): LocalDate {
    return localDateAt(this.clock.now(), ZONE);
  }

  daysAgo(days: number): LocalDate {
    return addDays(this.today, -days);
  }

  async account(owner: OwnerId = this.owner): Promise<RowId<'account'>> {
    const now = new Date(this.clock.now());
    const names = { account_record: owner, provider: 'au_banking', institution_id: '1' } as const;
    const connection: Connection = await this.db
      .insertInto('connections')
      .values({
        ...names,
        id: rowId('connection', newRowId(this.clock)),
        institution_name: 'Test Bank',
        institution_logo: null,
        landed_at: now,
        last_refreshed_at: now,
        refresh_at: now,
        end_user: null,
        invalidated_at: null,
        login_lost_at: null,
        refresh_asked_at: null,
        signalled_at: null,
        listing_asked: null,
        revoked_at: null,
        cleaned_at: null,
        metadata: null,
        created: now,
        updated: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const account: Account = await this.db
      .insertInto('accounts')
      .values({
        ...names,
        id: rowId('account', newRowId(this.clock)),
        connection: connection.id,
        upstream_id: 'one',
        name: 'Everyday',
        type: 'transaction',
        masked_number: null,
        number_mac: null,
        currency: 'aud',
        timezone: ZONE,
        balance_sign: null,
        nickname: null,
        in_totals: true,
        unavailable_since: null,
        last_seen_at: now,
        created: now,
        updated: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    this.#accounts.set(account.id, { account, connection, owner });
    return account.id;
  }

  /** Seals under a new key from now on; the old ones still open. */
  rotate(): void {
    this.#keys = [{ id: 'second', key: randomBytes(32) }, ...this.#keys];
  }

  forgetOldKeys(): void {
    this.#keys = [this.#keys[0]];
  }

  /** The feature as a process has it. `db`: another way to the same database, for deaths. */
  process(db: Db = this.db): Changes {
    return new Changes({
      db,
      clock: this.clock,
      limits: this.limits,
      cursors: new ChangeCursors(new Sealer(new Keyring(this.#keys), 'change-cursor')),
      accounts: { resolve: async (owner, id) => this.#resolve(owner, id) },
      gateway: {
        accounts: { historyState: async () => (this.loading ? 'loading' : 'complete') },
        transactions: {
          list: async (_account, window, _signal, _pages, { maxAgeMs = Number.POSITIVE_INFINITY } = {}) => {
            const { cached } = this;
            if (cached !== null && this.clock.now() - cached.observedAt <= maxAgeMs)
              return { ...cached, cache: 'HIT' };
            return { value: this.#read(window), cache: 'MISS', observedAt: this.clock.now() };
          },
        },
      },
      categories: async () => () => null,
    });
  }

  page(account: RowId<'account'>, more: Partial<ChangesRequest> = {}, changes = this.process()) {
    const asked = {
      account,
      cursor: null,
      days: null,
      includePending: null,
      limit: 500,
      size: null,
      ...more,
    };
    return changes.page(this.owner, asked, new AbortController().signal);
  }

  /** How many snapshots the owner has, and their bytes. */
  async stored(owner: OwnerId = this.owner): Promise<{ snapshots: number; bytes: number; feeds: number }> {
    const rows = await this.db
      .selectFrom('change_snapshots')
      .select(['state', 'feed'])
      .where('account_record', '=', owner)
      .execute();
    const bytes = rows.reduce((sum, { state }) => sum + state.length, 0);
    return { snapshots: rows.length, bytes, feeds: new Set(rows.map(({ feed }) => feed)).size };
  }

  #resolve(owner: OwnerId, id: RowId<'account'>): ResolvedAccount {
    const found = this.#accounts.get(id);
    if (found === undefined || found.owner !== owner) throw missing('account');
    const { account, connection } = found;
    const grant = { secret: NO_SECRET, consent: '', institution: '1', customer: '' } as const;
    return {
      account,
      connection,
      gateway: {
        id,
        upstreamId: 'one',
        type: 'transaction',
        balanceSign: null,
        timezone: ZONE,
        currency: 'aud',
        connection: {
          id: connection.id,
          owner,
          provider: 'au_banking',
          institution: 'Test Bank',
          grant,
          caching: true,
        },
      },
    };
  }

  #read(window: TransactionWindow): TransactionRows {
    this.reads += 1;
    this.beforeRead(window);
    const shown = this.rows.filter((row) => {
      if (row.status === 'pending' && !window.includePending) return false;
      const day = row.date ?? row.post_date ?? this.today;
      return day >= window.from && day <= window.to;
    });
    const answered = { truncated: false, setAside: NONE_SET_ASIDE, rows: shown, ...this.answer(shown) };
    const ceiling = this.limits.transaction_rows;
    const rows = newestFirst([...answered.rows]);
    if (rows.length <= ceiling) return { ...answered, rows };
    return { ...answered, rows: rows.slice(0, ceiling), truncated: true };
  }
}

/** A client that keeps a copy of an account's rows, and checks that each answer fits it. */
export class Copy {
  readonly rows: Map<string, Transaction>;
  cursor: string | null;

  constructor(rows: ReadonlyMap<string, Transaction> = new Map(), cursor: string | null = null) {
    this.rows = new Map(rows);
    this.cursor = cursor;
  }

  /** Raises if the answer adds what is there, or changes or removes what is not. */
  apply({
    added,
    modified,
    removed,
    cursor,
  }: Pick<ChangePage, 'added' | 'modified' | 'removed' | 'cursor'>): void {
    for (const { id } of removed) {
      if (!this.rows.delete(id)) throw new Error(`removed ${id}, which the client never had`);
    }
    for (const row of added) {
      if (this.rows.has(row.id)) throw new Error(`added ${row.id}, which the client has`);
      this.rows.set(row.id, row);
    }
    for (const row of modified) {
      if (!this.rows.has(row.id)) throw new Error(`modified ${row.id}, which the client never had`);
      this.rows.set(row.id, row);
    }
    this.cursor = cursor;
  }

  clone(): Copy {
    return new Copy(this.rows, this.cursor);
  }
}
