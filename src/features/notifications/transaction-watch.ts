import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { chunksInDoubt } from '../../storage/delivery-chunks.ts';
import type { DeliveryStream } from '../../storage/delivery-streams.ts';
import { membersOf } from '../../storage/memberships.ts';
import {
  choicesOf,
  type NotificationChoices,
  type NotificationThreshold,
  thresholdsForSync,
} from '../../storage/notification-settings.ts';
import type { SyncRow } from '../../storage/syncs.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { type LocalDate, localDateAt } from '../../vocabulary/moments.ts';
import { decimalFromMoney, type Money } from '../../vocabulary/money.ts';
import {
  type NotificationFacts,
  UNUSUAL_LEAST_OTHERS,
  UNUSUAL_TIMES,
} from '../../vocabulary/notification-kinds.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { LedgerView } from '../sync-engine/compare/ledger-view.ts';
import type { RowChange } from '../sync-engine/compare/row-changes.ts';
import type { RowWatch } from '../sync-engine/read/row-watch.ts';
import type { NotificationDelivery } from './notification-delivery.ts';
import type { Notifications, Occasion } from './notifications.ts';

const DAY_MS = 86_400_000;
/** An older transaction that is new to a sync is history that came late, and no news. */
const NEWS_DAYS = 14;
/** How many rows of one attempt are remembered as possibly large, and how many merchants. */
const MOST_LARGE = 20;
const MOST_MERCHANTS = 5_000;
/** How long the queue leaves notifications alone that are sent at once. */
const AT_ONCE_MS = 120_000;

type User = RowId<'user'>;
type TransactionKind = 'large_transaction' | 'unusual_transaction';

/** What is remembered of a row while its run lasts. */
interface SeenRow {
  readonly stream: number;
  readonly id: string;
  readonly money: Money;
  readonly account: string;
  readonly description: string;
}

/** The largest rows of a merchant: amounts are absolute, minor units. */
interface Merchant {
  count: number;
  largest: { readonly id: string; readonly amount: number };
  second: number;
  /** The largest, where the run found it to be new. */
  fresh: SeenRow | null;
}

export interface TransactionWatchesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly notifications: Pick<Notifications, 'raise'>;
  readonly delivery: Pick<NotificationDelivery, 'hasRoom' | 'sendAtOnce'>;
}

/**
 * Finds large and unusual transactions while a sync reads them (docs/notifications.md#transactions). Nothing of them is
 * stored: who asked for details gets them at once, from memory.
 */
export class TransactionWatches {
  readonly #deps: TransactionWatchesDependencies;

  constructor(deps: TransactionWatchesDependencies) {
    this.#deps = deps;
  }

  /** For an attempt at a run of the sync; null if no member wants to know. Raises nothing. */
  async of(sync: SyncRow): Promise<RowWatch | null> {
    if (sync.type !== 'transactions') return null;
    const { db, log } = this.#deps;
    const { account_record: owner } = sync;
    try {
      const members = (await membersOf(db, owner)).map((member) => member.user_id);
      const choices = await choicesOf(db, members);
      const wants = (user: User, kind: TransactionKind): boolean => {
        const { email, push } = choices.of(user, kind);
        return email || push;
      };
      const all = await thresholdsForSync(db, owner, sync.id);
      const thresholds = all.filter(({ user_id: user }) => wants(user, 'large_transaction'));
      const unusual = members.filter((user) => wants(user, 'unusual_transaction'));
      if (thresholds.length === 0 && unusual.length === 0) return null;
      return new TransactionWatch(this.#deps, sync, { choices, thresholds, unusual });
    } catch (error) {
      log.warn('Failed to look for large transactions.', { sync: sync.id }, error);
      return null;
    }
  }
}

/** Who wants to know of transactions of a sync. */
interface Wishes {
  readonly choices: NotificationChoices;
  readonly thresholds: readonly NotificationThreshold[];
  readonly unusual: readonly User[];
}

class TransactionWatch implements RowWatch {
  readonly #deps: TransactionWatchesDependencies;
  readonly #sync: SyncRow;
  readonly #wishes: Wishes;
  /** The lowest amount that anyone calls large, by currency. */
  readonly #least = new Map<string, number>();
  readonly #since: LocalDate;
  readonly #large: SeenRow[] = [];
  readonly #merchants = new Map<string, Merchant>();

  constructor(deps: TransactionWatchesDependencies, sync: SyncRow, wishes: Wishes) {
    this.#deps = deps;
    this.#sync = sync;
    this.#wishes = wishes;
    for (const { currency, amount } of wishes.thresholds)
      this.#least.set(currency, Math.min(amount, this.#least.get(currency) ?? amount));
    this.#since = localDateAt(deps.clock.now() - NEWS_DAYS * DAY_MS, 'UTC');
  }

  read(stream: DeliveryStream, rows: readonly Transaction[]): void {
    if (this.#wishes.unusual.length === 0 || stream.cursor === null) return;
    for (const row of rows) {
      const key = merchantKey(stream, row);
      if (key === null) continue;
      const amount = Math.abs(row.amount.amount);
      const merchant = this.#merchants.get(key);
      if (merchant === undefined) {
        if (this.#merchants.size < MOST_MERCHANTS)
          this.#merchants.set(key, { count: 1, largest: { id: row.id, amount }, second: 0, fresh: null });
      } else if (merchant.largest.id !== row.id) {
        merchant.count += 1;
        if (amount > merchant.largest.amount) {
          merchant.second = merchant.largest.amount;
          merchant.largest = { id: row.id, amount };
          merchant.fresh = null;
        } else merchant.second = Math.max(merchant.second, amount);
      }
    }
  }

  found(stream: DeliveryStream, changes: readonly RowChange[]): void {
    // Until the history of an account is complete, its past is new to the sync.
    if (stream.cursor === null) return;
    for (const { content, change, fresh, countsAs, replaces } of changes) {
      if (change !== 'new' || !fresh || countsAs !== 'added' || replaces !== null || content === null)
        continue;
      if (content.row.kind !== 'transaction') continue;
      const row = content.row.source;
      if (row.date !== null && row.date < this.#since) continue;
      const seen = {
        stream: stream.id,
        id: row.id,
        money: row.amount,
        account: content.account.name,
        description: row.merchant_name ?? row.description,
      };
      const amount = Math.abs(row.amount.amount);
      const least = this.#least.get(row.amount.currency);
      if (least !== undefined && amount >= least && this.#large.length < MOST_LARGE) this.#large.push(seen);
      const merchant = this.#merchants.get(merchantKey(stream, row) ?? '');
      if (merchant?.largest.id === row.id) merchant.fresh = seen;
    }
  }

  async ended(ledger: Pick<LedgerView, 'entries'>): Promise<void> {
    const { log } = this.#deps;
    try {
      const unusual = [...this.#merchants.values()]
        .flatMap((merchant) => (isUnusual(merchant) && merchant.fresh !== null ? [merchant.fresh] : []))
        .slice(0, MOST_LARGE);
      const sent = await this.#sentOf(ledger, [...this.#large, ...unusual]);
      await this.#notify(
        this.#large.filter((row) => sent.has(row)),
        unusual.filter((row) => sent.has(row)),
      );
    } catch (error) {
      log.warn('Failed to notify members of large transactions.', { sync: this.#sync.id }, error);
    }
  }

  /**
   * Those of the rows that the destination has, or that are in a chunk which is sent until it is confirmed. Either way no
   * later attempt finds them to be new, so each is reported once.
   */
  async #sentOf(
    ledger: Pick<LedgerView, 'entries'>,
    rows: readonly SeenRow[],
  ): Promise<ReadonlySet<SeenRow>> {
    const sent = new Set<SeenRow>();
    for (const [stream, own] of Map.groupBy(rows, (row) => row.stream)) {
      const entries = await ledger.entries(stream, [...new Set(own.map(({ id }) => id))]);
      for (const row of own) if (entries.has(row.id)) sent.add(row);
    }
    if (rows.every((row) => sent.has(row))) return sent;
    const { account_record: owner, id } = this.#sync;
    const chunks = await chunksInDoubt(this.#deps.db, owner, id);
    const intended = new Set(
      chunks.flatMap((chunk) => chunk.rows.map(({ stream, sourceId }) => `${stream} ${sourceId}`)),
    );
    for (const row of rows) if (intended.has(`${row.stream} ${row.id}`)) sent.add(row);
    return sent;
  }

  async #notify(large: readonly SeenRow[], unusual: readonly SeenRow[]): Promise<void> {
    const { db, clock, notifications, delivery } = this.#deps;
    const { choices, thresholds } = this.#wishes;
    const { account_record: owner, id: subject } = this.#sync;
    const facts = new Map<string, NotificationFacts>();
    for (const [user, own] of Map.groupBy(thresholds, (threshold) => threshold.user_id)) {
      const rows = large.filter((row) => own.some((threshold) => isLarge(row, threshold)));
      if (rows.length > 0) facts.set(`large_transaction ${user}`, factsOf(rows));
    }
    if (unusual.length > 0)
      for (const user of this.#wishes.unusual) facts.set(`unusual_transaction ${user}`, factsOf(unusual));
    if (facts.size === 0) return;
    const atOnce = delivery.hasRoom(owner);
    const startAfter = new Date(clock.now() + AT_ONCE_MS);
    const detailed = (user: User, kind: TransactionKind): boolean => atOnce && choices.of(user, kind).details;
    const occasions = (['large_transaction', 'unusual_transaction'] as const).flatMap((kind): Occasion[] => {
      const users = this.#users(kind).filter((user) => facts.has(`${kind} ${user}`));
      const later = users.filter((user) => detailed(user, kind));
      const now = users.filter((user) => !detailed(user, kind));
      return [
        ...(now.length > 0 ? [{ kind, subject, users: now }] : []),
        ...(later.length > 0 ? [{ kind, subject, users: later, startAfter }] : []),
      ];
    });
    const raised = await db.transaction().execute((trx) => notifications.raise(trx, owner, occasions));
    const sent = raised.flatMap(({ id, user_id: user, kind }) => {
      const known = facts.get(`${kind} ${user}`);
      const isKind = kind === 'large_transaction' || kind === 'unusual_transaction';
      return isKind && known !== undefined && detailed(user, kind) ? [{ id, facts: known }] : [];
    });
    if (sent.length > 0) delivery.sendAtOnce(owner, sent);
  }

  #users(kind: TransactionKind): readonly User[] {
    return kind === 'unusual_transaction'
      ? this.#wishes.unusual
      : [...new Set(this.#wishes.thresholds.map((threshold) => threshold.user_id))];
  }
}

/** Of one account and direction; null for a row that names no merchant. */
function merchantKey(
  stream: DeliveryStream,
  { merchant_name: name, amount, direction }: Transaction,
): string | null {
  return name === null ? null : `${stream.id} ${amount.currency} ${direction} ${name}`;
}

function isUnusual({ count, largest, second }: Merchant): boolean {
  return count > UNUSUAL_LEAST_OTHERS && second > 0 && largest.amount >= second * UNUSUAL_TIMES;
}

function isLarge({ money }: SeenRow, { currency, amount }: NotificationThreshold): boolean {
  return money.currency === currency && Math.abs(money.amount) >= amount;
}

/** The first of the rows, and how many there are beside it. */
function factsOf(rows: readonly SeenRow[]): NotificationFacts {
  const [first] = rows;
  if (first === undefined) return {};
  const { account, description, money } = first;
  const amount = `${decimalFromMoney(money)} ${money.currency.toUpperCase()}`;
  return { account, description, amount, more: rows.length > 1 ? ` And ${rows.length - 1} more.` : '' };
}
