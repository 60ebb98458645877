import type { LinkedGrant } from '../../connectors/providers/provider-contract.ts';
import { newRowId } from '../../platform/row-id.ts';
import { findAccountRecord, lockAccountRecord } from '../../storage/account-records.ts';
import {
  type Account,
  accountsAtProviders,
  accountsOfConnections,
  findAccount,
  insertAccount,
  reclaimReleasedAccount,
  releasedAccountsAt,
  updateAccount,
} from '../../storage/accounts.ts';
import {
  type Connection,
  countConnections,
  findConnection,
  findConnectionAt,
  updateConnection,
} from '../../storage/connections.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { rememberDocumentAccount } from '../../storage/documents.ts';
import { PROVIDER_DATA } from '../../storage/job-queues.ts';
import type { Notices } from '../../storage/notices.ts';
import { type AccountType, maskAccountNumber } from '../../vocabulary/account-types.ts';
import type { Actor } from '../../vocabulary/actors.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import { PROVIDER_IDENTIFIERS, PROVIDERS } from '../../vocabulary/provider-kinds.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { currencyOfZone } from '../../vocabulary/zone-currencies.ts';
import { requireRoom } from '../access/plan-gates.ts';
import { GrantedConnections } from './granted-connections.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

const PROVIDER = 'statement_files';
const BANK = { id: 'files', name: PROVIDERS[PROVIDER].texts.name, logo: null } as const;
const LIVE = PROVIDER_IDENTIFIERS.filter((name) => PROVIDERS[name].category === 'banking');
const DATA_CATEGORIES = ['accounts', 'transactions'];

/** What a file says about an account. */
export interface FileAccount {
  /** In full; only its keyed MAC and its last four digits are stored. */
  readonly number: string | null;
  readonly name: string;
  readonly type: AccountType;
  readonly currency: string;
}

/** Which of the owner's accounts has a number. */
export interface NumberedAccounts {
  /** Of the connection of statement files. */
  readonly ofFiles: Account | null;
  /** At a bank that is linked live. */
  readonly live: Account | null;
}

type Dependencies = Pick<
  LinkingDependencies,
  'db' | 'clock' | 'limits' | 'jobs' | 'secrets' | 'numberMacs' | 'events' | 'publicUrl'
> & { readonly notices: Pick<Notices, 'publish'> };

/**
 * The connection to which the statement files of an account record belong, and its accounts. It is made when the first
 * file is taken, takes a connection slot of the plan, and is deleted like any other (docs/statement-files.md).
 */
export class StatementConnections {
  readonly #deps: Dependencies;
  readonly #granted: GrantedConnections;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#granted = new GrantedConnections(deps);
  }

  /** The accounts of files; none without a connection. */
  async accounts(db: Db, owner: OwnerId): Promise<readonly Account[]> {
    const connection = await findConnectionAt(db, owner, PROVIDER);
    return connection === null ? [] : accountsOfConnections(db, owner, [connection.id]);
  }

  /** The owner's account, or null. */
  find(db: Db, owner: OwnerId, id: RowId<'account'>): Promise<Account | null> {
    return findAccount(db, owner, id);
  }

  /** The owner's account, of files or live. Raises `resource_missing` naming `account`. */
  async account(db: Db, owner: OwnerId, id: RowId<'account'>): Promise<Account> {
    const account = await findAccount(db, owner, id);
    if (account === null) throw missing('account', 'account');
    return account;
  }

  /** The accounts with this number. One that several live accounts have names none of them. */
  async withNumber(db: Db, owner: OwnerId, number: string): Promise<NumberedAccounts> {
    const { numberMacs, limits } = this.#deps;
    const isIts = ({ number_mac: mac, provider, institution_id: institution }: Account): boolean =>
      mac !== null && numberMacs.matches(mac, { provider, institution, number });
    const live = (await accountsAtProviders(db, owner, LIVE, limits.sync_accounts)).filter(isIts);
    const [first] = live;
    return {
      ofFiles: (await this.accounts(db, owner)).find(isIts) ?? null,
      live: live.length === 1 && first !== undefined ? first : null,
    };
  }

  /**
   * The connection, made if there is none. Locks the account record until the transaction ends. Raises
   * `connection_limit` if a new one does not fit into the plan; no bank is linked, so it needs no subscription.
   */
  async connect(trx: Trx, owner: OwnerId, actor: Actor): Promise<Connection> {
    const record = await lockAccountRecord(trx, owner);
    if (record === null || record.removal_asked_at !== null) throw missing('account record');
    const present = await findConnectionAt(trx, owner, PROVIDER);
    if (present !== null) return present;
    const now = this.#deps.clock.now();
    requireRoom('connection_slot', record, now, await countConnections(trx, owner));
    const id = await this.#granted.connectHere(trx, { record, provider: PROVIDER, actor }, (connection) =>
      grantOf(connection, now),
    );
    const made = await findConnection(trx, owner, id);
    if (made === null) throw missing('connection');
    return made;
  }

  /**
   * A new account of the connection; one whose connection was deleted gets its id back, if the file has its number. Its
   * files are gone, and what they had stays at the destinations.
   */
  async addAccount(trx: Trx, connection: Connection, seen: FileAccount): Promise<Account> {
    const { clock, numberMacs } = this.#deps;
    const { account_record: owner, institution_id: institution } = connection;
    const number = { provider: PROVIDER, institution, number: seen.number ?? '' } as const;
    const left = await releasedAccountsAt(trx, owner, PROVIDER, institution);
    const before = left.find(({ number_mac: mac }) => numberMacs.matches(mac, number)) ?? null;
    if (before !== null) await reclaimReleasedAccount(trx, owner, before.id);
    const now = new Date(clock.now());
    const id = before?.id ?? rowId('account', newRowId(clock));
    const account: Account = {
      id,
      account_record: owner,
      connection: connection.id,
      provider: PROVIDER,
      institution_id: institution,
      upstream_id: id,
      name: seen.name,
      type: seen.type,
      masked_number: maskAccountNumber(seen.number),
      number_mac: numberMacs.of(number),
      currency: seen.currency,
      timezone: await this.#zoneOf(trx, owner),
      balance_sign: null,
      nickname: null,
      in_totals: before?.in_totals ?? true,
      unavailable_since: null,
      last_seen_at: now,
      created: now,
      updated: now,
    };
    await insertAccount(trx, account);
    if (before !== null)
      await rememberDocumentAccount(trx, { id, account_record: owner, forgotten_at: now, updated: now });
    return account;
  }

  /** For a file that names no currency: that of most of the owner's accounts at banks, else that of their zone. */
  async usualCurrency(db: Db, owner: OwnerId): Promise<string> {
    const counts = new Map<string, number>();
    for (const { currency } of await accountsAtProviders(db, owner, LIVE, this.#deps.limits.sync_accounts))
      counts.set(currency, (counts.get(currency) ?? 0) + 1);
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
    return most?.[0] ?? currencyOfZone((await findAccountRecord(db, owner))?.timezone ?? '');
  }

  /** Files name no zone: days are those of the account record. */
  async #zoneOf(trx: Trx, owner: OwnerId): Promise<string> {
    return (await findAccountRecord(trx, owner))?.timezone ?? PROVIDERS[PROVIDER].timezone;
  }

  /** Rows of the accounts were added or taken away: every cache forgets them, and the syncs that copy them run. */
  async rowsChanged(
    trx: Trx,
    { id, account_record: owner }: Pick<Connection, 'id' | 'account_record'>,
    accounts: readonly RowId<'account'>[],
  ): Promise<void> {
    const { clock, notices, jobs, events } = this.#deps;
    const now = new Date(clock.now());
    for (const account of accounts)
      await updateAccount(trx, owner, account, { last_seen_at: now, updated: now });
    await updateConnection(trx, owner, id, { last_refreshed_at: now, updated: now });
    await notices.publish(trx, { kind: 'connection', id });
    await jobs.enqueue(trx, PROVIDER_DATA, { connection: id }, { owner });
    await events(trx, owner, 'connection.refreshed', id);
  }
}

/** The grant names the connection itself; the account record is its customer. */
function grantOf(connection: RowId<'connection'>, now: number): LinkedGrant {
  return {
    grant: { consent: connection, institution: BANK.id },
    consent: {
      id: connection,
      state: 'active',
      grantedAt: now,
      expiresAt: null,
      purpose: null,
      dataCategories: DATA_CATEGORIES,
      terminationReason: null,
    },
    institution: BANK,
  };
}
