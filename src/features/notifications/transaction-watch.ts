import type { Clock } from '../../platform/clock.ts';
import { keyedMac } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { chunksInDoubt } from '../../storage/delivery-chunks.ts';
import type { DeliveryStream } from '../../storage/delivery-streams.ts';
import { membersOf } from '../../storage/memberships.ts';
import {
  choicesOf,
  type NotificationChoices,
  type NotificationThreshold,
  thresholdsForSync,
} from '../../storage/notification-settings.ts';
import { markNotified, unmarkNotified } from '../../storage/notifications.ts';
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
import { AT_ONCE_MS, type NotificationDelivery } from './notification-delivery.ts';
import type { Notifications, Occasion } from './notifications.ts';

const DAY_MS = 86_400_000;
/** An older transaction that is new to a sync is history that came late, and no news. */
const NEWS_DAYS = 14;
/** How many rows of one currency are remembered as possibly large, and the most that one notification is about. */
const MOST_LARGE = 20;
/** How many merchants are remembered. */
const MOST_MERCHANTS = 5_000;
/** What the MACs of reported transactions are keyed for. */
const PURPOSE = 'notified-transaction';

type User = RowId<'user'>;
type TransactionKind = 'large_transaction' | 'unusual_transaction';

/** What is remembered of a row while its run lasts. */
interface SeenRow {
  readonly stream: number;
  readonly id: string;
  /** Of its account and id, under which it is noted as reported. */
  readonly mac: Buffer;
  readonly money: Money;
  readonly account: string;
  readonly description: string;
}

/** The rows that one member is to be notified of, by one notification. */
interface Report {
  readonly user: User;
  readonly kind: TransactionKind;
  readonly rows: readonly SeenRow[];
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
  readonly keyring: Pick<Keyring, 'derive'>;
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
  /** The largest rows of each currency, the largest first: so no member's low amount hides what is large to another. */
  readonly #large = new Map<string, SeenRow[]>();
  readonly #macKey: Buffer;
  readonly #merchants = new Map<string, Merchant>();

  constructor(deps: TransactionWatchesDependencies, sync: SyncRow, wishes: Wishes) {
    this.#deps = deps;
    this.#sync = sync;
    this.#wishes = wishes;
    for (const { currency, amount } of wishes.thresholds)
      this.#least.set(currency, Math.min(amount, this.#least.get(currency) ?? amount));
    this.#macKey = deps.keyring.derive(PURPOSE);
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
        mac: keyedMac(this.#macKey, stream.account, row.id),
        money: row.amount,
        account: content.account.name,
        description: row.merchant_name ?? row.description,
      };
      const amount = Math.abs(row.amount.amount);
      const least = this.#least.get(row.amount.currency);
      if (least !== undefined && amount >= least) this.#keepLarge(seen);
      const merchant = this.#merchants.get(merchantKey(stream, row) ?? '');
      if (merchant?.largest.id === row.id) merchant.fresh = seen;
    }
  }

  #keepLarge(seen: SeenRow): void {
    const { currency } = seen.money;
    const kept = (this.#large.get(currency) ?? []).filter((row) => !row.mac.equals(seen.mac));
    const largest = [...kept, seen].sort((a, b) => absolute(b) - absolute(a)).slice(0, MOST_LARGE);
    this.#large.set(currency, largest);
  }

  async ended(ledger: Pick<LedgerView, 'entries'>): Promise<void> {
    const { log } = this.#deps;
    try {
      const unusual = [...this.#merchants.values()]
        .flatMap((merchant) => (isUnusual(merchant) && merchant.fresh !== null ? [merchant.fresh] : []))
        .slice(0, MOST_LARGE);
      const large = [...this.#large.values()].flat();
      const sent = await this.#sentOf(ledger, [...large, ...unusual]);
      await this.#notify(
        this.#reportsOf(
          large.filter((row) => sent.has(row)),
          unusual.filter((row) => sent.has(row)),
        ),
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

  /** What is to be reported to whom. A row that is large to someone is not reported to them as unusual as well. */
  #reportsOf(large: readonly SeenRow[], unusual: readonly SeenRow[]): readonly Report[] {
    const { thresholds, unusual: wanting } = this.#wishes;
    const reports: Report[] = [];
    const largeTo = new Map<User, ReadonlySet<SeenRow>>();
    for (const [user, own] of Map.groupBy(thresholds, (threshold) => threshold.user_id)) {
      const rows = large.filter((row) => own.some((threshold) => isLarge(row, threshold)));
      largeTo.set(user, new Set(rows));
      reports.push({ user, kind: 'large_transaction', rows: rows.slice(0, MOST_LARGE) });
    }
    for (const user of wanting) {
      const already = new Set([...(largeTo.get(user) ?? [])].map(keyOf));
      const rows = unusual.filter((row) => !already.has(keyOf(row)));
      reports.push({ user, kind: 'unusual_transaction', rows });
    }
    return reports.filter(({ rows }) => rows.length > 0);
  }

  async #notify(reports: readonly Report[]): Promise<void> {
    if (reports.length === 0) return;
    const { db, clock, notifications, delivery } = this.#deps;
    const { choices } = this.#wishes;
    const { account_record: owner, id: subject } = this.#sync;
    const atOnce = delivery.hasRoom(owner);
    const startAfter = new Date(clock.now() + AT_ONCE_MS);
    const isDetailed = ({ user, kind }: Report): boolean => atOnce && choices.of(user, kind).details;
    const sent = await db.transaction().execute(async (trx) => {
      const fresh = await this.#unreported(trx, reports);
      const occasions = [...Map.groupBy(fresh, (report) => `${report.kind} ${isDetailed(report)}`).values()];
      const raised = await notifications.raise(
        trx,
        owner,
        occasions.flatMap((alike): Occasion[] => {
          const [first] = alike;
          if (first === undefined) return [];
          const occasion = { kind: first.kind, subject, users: alike.map(({ user }) => user) };
          return [isDetailed(first) ? { ...occasion, startAfter } : occasion];
        }),
      );
      const facts: { readonly id: RowId<'notification'>; readonly facts: NotificationFacts }[] = [];
      for (const report of fresh) {
        const { user, kind, rows } = report;
        const own = raised.find((one) => one.user_id === user && one.kind === kind);
        // What is not reported now may be by another sync.
        if (own === undefined)
          await unmarkNotified(
            trx,
            owner,
            user,
            rows.map(({ mac }) => mac),
          );
        else if (isDetailed(report)) facts.push({ id: own.id, facts: factsOf(rows) });
      }
      return facts;
    });
    if (sent.length > 0) delivery.sendAtOnce(owner, sent);
  }

  /** The reports without the rows of which their member has been notified already, which are noted from now on. */
  async #unreported(trx: Trx, reports: readonly Report[]): Promise<readonly Report[]> {
    const { account_record: owner } = this.#sync;
    const created = new Date(this.#deps.clock.now());
    // One who left meanwhile is notified of nothing.
    const members = new Set((await membersOf(trx, owner)).map((member) => member.user_id));
    const marks = reports.flatMap(({ user, rows }) =>
      rows.map(({ mac }) => ({ account_record: owner, user_id: user, mac, created })),
    );
    const added = await markNotified(
      trx,
      marks.filter((mark) => members.has(mark.user_id)),
    );
    const isNew = new Set(added.map((mark) => `${mark.user_id} ${Buffer.from(mark.mac).toString('hex')}`));
    return reports
      .map((report) => ({
        ...report,
        rows: report.rows.filter(({ mac }) => isNew.has(`${report.user} ${mac.toString('hex')}`)),
      }))
      .filter(({ rows }) => rows.length > 0);
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

function absolute({ money }: SeenRow): number {
  return Math.abs(money.amount);
}

function keyOf({ mac }: SeenRow): string {
  return mac.toString('hex');
}

function isLarge(row: SeenRow, { currency, amount }: NotificationThreshold): boolean {
  return row.money.currency === currency && absolute(row) >= amount;
}

/** The first of the rows, and how many there are beside it. */
function factsOf(rows: readonly SeenRow[]): NotificationFacts {
  const [first] = rows;
  if (first === undefined) return {};
  const { account, description, money } = first;
  const amount = `${decimalFromMoney(money)} ${money.currency.toUpperCase()}`;
  return { account, description, amount, more: rows.length > 1 ? ` And ${rows.length - 1} more.` : '' };
}
