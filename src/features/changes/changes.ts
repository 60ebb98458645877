import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import { noteSharedRowId } from '../../storage/accounts.ts';
import {
  type ChangeSnapshot,
  deleteUnusedChangeSnapshots,
  evictChangeFeeds,
  findChangeSnapshot,
  insertChangeSnapshot,
  trimChangeFeed,
  updateChangeSnapshot,
  useChangeSnapshot,
} from '../../storage/change-snapshots.ts';
import type { Db } from '../../storage/database.ts';
import { packSnapshot, unpackSnapshot } from '../../storage/packed-snapshots.ts';
import { NEVER_READ } from '../../storage/stream-readings.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { addDays, type LocalDate, localDateAt, monthsBefore } from '../../vocabulary/moments.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { Accounts, ResolvedAccount } from '../linking/accounts.ts';
import type { TransactionRows } from '../provider-gateway/gateway-types.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import { resolveOfCategory } from '../reads/account-category.ts';
import type { CategoryResolver } from '../reads/account-reads.ts';
import { RowMacs } from '../sync-engine/compare/row-macs.ts';
import { isRefused, planRead, type ReadPlan } from '../sync-engine/read/reading-plan.ts';
import type { ChangeCursors } from './change-cursors.ts';
import {
  type ChangePage,
  fittingCount,
  later,
  type PageAnswer,
  pageOf,
  type Reached,
} from './change-pages.ts';
import { openSnapshot, sealSnapshot } from './sealed-snapshots.ts';
import { differenceOf, firstWholeDay, type SnapshotRows, tracked } from './snapshot-comparison.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const KEY_BYTES = 32;
/**
 * A round ends at the latest after so many times the changes there were when it began: some banks list other ids in
 * every read, and none of their rounds would end.
 */
const ROUND_FACTOR = 2;
/** Answers to one repeated request whose cursors are kept. */
const KEPT_ANSWERS = 3;
/** A client that goes back to the beginning of a round and asks for other pages leaves one behind each time. */
const FEED_SNAPSHOTS = 9;

export interface ChangesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly cursors: ChangeCursors;
  readonly accounts: Pick<Accounts, 'resolve'>;
  readonly gateway: {
    readonly accounts: Pick<ProviderGateway['accounts'], 'historyState'>;
    readonly transactions: Pick<ProviderGateway['transactions'], 'list'>;
  };
  readonly categories: CategoryResolver;
}

export interface ChangesRequest {
  readonly account: RowId<'account'>;
  /** Null begins a feed. */
  readonly cursor: string | null;
  /** How many days before today the feed begins; null: as it began, or the default. */
  readonly days: number | null;
  readonly includePending: boolean | null;
  /** The most changes of the answer. */
  readonly limit: number;
  /** How long the answer may be besides, unless a single change is longer; null: any length. */
  readonly size: { readonly most: number; readonly of: (page: ChangePage) => number } | null;
}

/** What a request begins with: the snapshot of its cursor, or nothing. */
interface Begun {
  /** Null for a feed that begins. */
  readonly snapshot: ChangeSnapshot | null;
  /** The rows of the snapshot, packed; null for a feed that begins. */
  readonly packed: Buffer | null;
  readonly macKey: Buffer;
  readonly days: number;
  readonly includePending: boolean;
  readonly firstDay: LocalDate;
  /** When the bank answered what the snapshot was compared with, in epoch milliseconds. */
  readonly observedAt: number;
}

/** Changes of an account's rows since the state that a cursor names (docs/decisions/0043-change-feed.md). */
export class Changes {
  readonly #deps: ChangesDependencies;

  constructor(deps: ChangesDependencies) {
    this.#deps = deps;
  }

  /**
   * What differs between the bank and the state of the cursor, at most `limit` changes. Raises `resource_missing`
   * (param `account`), `cursor_invalid`, `cursor_expired`, `parameter_invalid`, `from_too_old` and the upstream codes.
   * An answer that fails changes no state.
   */
  async page(owner: OwnerId, asked: ChangesRequest, signal: AbortSignal): Promise<ChangePage> {
    const { accounts, categories, cursors, limits, clock } = this.#deps;
    const rule = { categories: ['banking'], what: 'Changes', param: 'account' } as const;
    const resolved = await resolveOfCategory(accounts, owner, asked.account, rule);
    const { timezone } = resolved.gateway;
    const today = localDateAt(clock.now(), timezone);
    const begun = await this.#begun(owner, asked, today);
    const known = begun.packed === null ? new Map() : unpackSnapshot(begun.packed);
    const { plan, list, observedAt } = await this.#read(resolved, begun, known.size > 0, signal);
    const whole = list.truncated ? firstWholeDay(list) : null;
    const firstDay = later(begun.firstDay, whole);
    const expected = expectedFrom(plan.expected, firstDay);
    const had = tracked(known, firstDay, list);
    const categoryOf = await categories(owner);
    const { changes, vanished } = await differenceOf(
      had,
      {
        account: {
          id: asked.account,
          name: resolved.account.name,
          institution: resolved.connection.institution_name,
          type: resolved.account.type,
          maskedNumber: resolved.account.masked_number,
        },
        timezone,
        plan: { ...plan, expected },
        list,
        observedAt,
        firstDay,
        loading: lacksAny(list, had) && (await this.#isLoading(resolved, signal)),
        categoryOf,
      },
      {
        limits,
        macs: new RowMacs(begun.macKey),
        signal,
        noteSharedId: (account, rowId) =>
          noteSharedRowId(this.#deps.db, { owner, account, rowId, most: limits.shared_row_ids }),
      },
    );
    const found = {
      had,
      changes,
      vanished,
      list,
      observedAt,
      firstDay,
      before: begun.firstDay,
      shown: addDays(today, -begun.days),
      changesLeft: changesOfRound(begun, changes.length),
    };
    const { account, cursor, size } = asked;
    const { macKey } = begun;
    const page = (answer: PageAnswer, of: string): ChangePage => ({
      ...answer,
      cursor: of,
      setAside: list.setAside,
      categoryOf,
    });
    const fits = Math.min(asked.limit, changes.length);
    const count =
      size === null
        ? fits
        : fittingCount(fits, size.most, (most) => {
            // As long as the cursor that the answer will have.
            const sample = cursors.seal(owner, account, { id: owner, macKey });
            return size.of(page(pageOf(found, most, limits).answer, sample));
          });
    const { reached, answer } = pageOf(found, count, limits);
    const id = await this.#store(owner, account, begun, reached);
    const isSame = cursor !== null && id === begun.snapshot?.id && cursors.isCurrent(cursor);
    return page(answer, isSame ? cursor : cursors.seal(owner, account, { id, macKey }));
  }

  /** Deletes the snapshots of cursors that were not used for LIMIT_CHANGE_CURSOR_DAYS. */
  async prune(): Promise<void> {
    await deleteUnusedChangeSnapshots(this.#deps.db, this.#usedSince());
  }

  #usedSince(): Date {
    const { clock, limits } = this.#deps;
    return new Date(clock.now() - limits.change_cursor_days * DAY_MS);
  }

  async #begun(owner: OwnerId, asked: ChangesRequest, today: LocalDate): Promise<Begun> {
    const { db, limits } = this.#deps;
    const floor = monthsBefore(today, limits.history_months);
    const { account, cursor, days, includePending } = asked;
    if (cursor === null) {
      const first = addDays(today, -(days ?? limits.transaction_default_days));
      if (days !== null && first < floor)
        throw new ServiceError('from_too_old', {
          message: `Banking history reaches back to ${floor}.`,
          param: 'days',
        });
      return {
        snapshot: null,
        packed: null,
        macKey: randomBytes(KEY_BYTES),
        days: days ?? limits.transaction_default_days,
        includePending: includePending ?? false,
        firstDay: later(first, floor),
        observedAt: 0,
      };
    }
    const { id, macKey } = this.#deps.cursors.open(owner, account, cursor);
    const snapshot = await findChangeSnapshot(db, owner, { id, account, since: this.#usedSince() });
    const packed = snapshot === null ? null : openSnapshot({ owner, id, macKey }, snapshot);
    if (snapshot === null || packed === null) throw new ServiceError('cursor_expired', { param: 'cursor' });
    if (days !== null && days !== snapshot.days) throw fixed('days', snapshot.days);
    if (includePending !== null && includePending !== snapshot.include_pending)
      throw fixed('include_pending', snapshot.include_pending);
    return {
      snapshot,
      packed,
      macKey,
      days: snapshot.days,
      includePending: snapshot.include_pending,
      firstDay: later(snapshot.first_day, floor),
      observedAt: snapshot.observed_at.getTime(),
    };
  }

  /** A bank that refuses the days before those tracked is read from those, as in a sync. */
  async #read({ gateway, connection }: ResolvedAccount, begun: Begun, known: boolean, signal: AbortSignal) {
    const { clock, limits, gateway: provider } = this.#deps;
    const { firstDay, includePending } = begun;
    const plan = planRead({
      now: clock.now(),
      owner: gateway.connection.owner,
      limits,
      cursor: null,
      reading: NEVER_READ,
      known,
      source: { timezone: gateway.timezone, linkedAt: connection.created.getTime(), stored: false },
      options: { data_from: firstDay, include_pending: includePending },
    });
    const read = async (within: ReadPlan) => {
      const { from, to } = within.window;
      const window = { from, to, includePending };
      let list = await provider.transactions.list(gateway, window, signal);
      // The cache of this process may be older than the answer of another one.
      if (list.observedAt < begun.observedAt)
        list = await provider.transactions.list(gateway, window, signal, null, { maxAgeMs: 0 });
      return { plan: within, list: list.value, observedAt: list.observedAt };
    };
    try {
      return await read(plan);
    } catch (error) {
      if (plan.within === null || !isRefused(error)) throw error;
      return read({ ...plan, ...plan.within });
    }
  }

  /** As a sync, which asks only if rows are missing: a provider that cannot tell counts as one that has everything. */
  async #isLoading({ gateway }: ResolvedAccount, signal: AbortSignal): Promise<boolean> {
    try {
      return (await this.#deps.gateway.accounts.historyState(gateway, signal)) === 'loading';
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'upstream_auth_failed') return false;
      throw error;
    }
  }

  /** The id of the snapshot that the client then has. */
  async #store(owner: OwnerId, account: RowId<'account'>, begun: Begun, reached: Reached): Promise<string> {
    const { db, clock, limits } = this.#deps;
    const { snapshot, macKey } = begun;
    const { firstDay, changed, changesLeft, observedAt } = reached;
    const hasMore = changesLeft > 0;
    const now = new Date(clock.now());
    const packed = packSnapshot(reached.rows.values());
    const stays = snapshot !== null && snapshot.page === 0 && !changed && !hasMore ? snapshot : null;
    if (stays !== null) {
      const isSame = stays.first_day === firstDay && begun.packed?.equals(packed) === true;
      const isFresh = now.getTime() - stays.used_at.getTime() < HOUR_MS;
      if (isSame && isFresh) return stays.id;
    }
    const id = stays?.id ?? newRowId(clock);
    const state = sealSnapshot({ owner, id, macKey }, packed);
    return db.transaction().execute(async (trx) => {
      // Under its lock, two requests cannot both take the last place.
      if ((await lockAccountRecord(trx, owner)) === null) throw missing('account', 'account');
      if (snapshot !== null && !(await useChangeSnapshot(trx, snapshot, now)))
        throw new ServiceError('cursor_expired', { param: 'cursor' });
      if (stays !== null) {
        await updateChangeSnapshot(trx, stays, { firstDay, state, observedAt });
        return id;
      }
      const round = snapshot?.round ?? 0;
      const row: ChangeSnapshot = {
        id,
        account_record: owner,
        account,
        feed: snapshot?.feed ?? id,
        round: hasMore ? round : round + 1,
        page: hasMore ? (snapshot?.page ?? 0) + 1 : 0,
        changes_left: changesLeft,
        days: begun.days,
        include_pending: begun.includePending,
        first_day: firstDay,
        state,
        observed_at: observedAt,
        created: now,
        used_at: now,
      };
      if (!(await insertChangeSnapshot(trx, row, KEPT_ANSWERS))) throw missing('account', 'account');
      const most = { feeds: limits.change_feeds, bytes: limits.change_bytes, snapshots: FEED_SNAPSHOTS };
      if (snapshot !== null) await trimChangeFeed(trx, { used: snapshot, answer: id }, most);
      await evictChangeFeeds(trx, owner, row.feed, most);
      return id;
    });
  }
}

function fixed(param: string, value: number | boolean): ServiceError {
  return invalidParameter(
    param,
    `This cursor began with ${param}=${value}; omit it, or start again without cursor.`,
  );
}

/** How many changes the current round may still have, this answer's included. */
function changesOfRound({ snapshot }: Begun, changes: number): number {
  return snapshot === null || snapshot.page === 0 ? changes * ROUND_FACTOR : snapshot.changes_left;
}

function expectedFrom(expected: ReadPlan['expected'], firstDay: LocalDate): ReadPlan['expected'] {
  if (expected === null) return null;
  const from = later(expected.from, firstDay);
  return from > expected.to ? null : { from, to: expected.to };
}

function lacksAny({ rows }: TransactionRows, had: SnapshotRows): boolean {
  const listed = new Set(rows.map(({ id }) => id));
  return [...had.values()].some(({ id, provisional }) => !provisional && !listed.has(id));
}
