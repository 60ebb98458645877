import { sortedInSlices } from '../../../platform/event-loop-budget.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import type { Capability } from '../../../vocabulary/provider-kinds.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type {
  BegunLink,
  HistoryState,
  LinkOutcome,
  Provider,
  ProviderAccess,
  ProviderAccount,
  TransactionQuery,
} from '../provider-contract.ts';

/** What was taken from the statement files of one account record. Every call names the record and filters by it. */
export interface StatementSource {
  /** The accounts of a connection, by the id of the connection. */
  accounts(owner: string, connection: string): Promise<ProviderAccount[]>;
  /** Rows of an account within the days, both included, each once and in any order. */
  rows(
    owner: string,
    connection: string,
    account: string,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    signal: AbortSignal,
  ): Promise<readonly StatementSourceRow[]>;
  /**
   * Another text whenever rows of the account were added or taken out; null once a row may be missing for another reason
   * than that its owner took it out.
   */
  version(owner: string, connection: string, account: string): Promise<string | null>;
}

export interface StatementSourceRow {
  /** Epoch milliseconds at which the newest file with the row was taken. */
  readonly takenAt: number;
  readonly row: Transaction & { readonly date: LocalDate };
}

const CAPABILITIES: readonly Capability[] = ['withdraw', 'accounts', 'transactions', 'history_state'];
/** Rows in a page: what the gateway filters and a sync compares at a time. */
const PAGE_ROWS = 1_000;

/** The adapter of statement files. The wiring passes the source, because an adapter knows no storage. */
export function createStatementFilesProvider(source: StatementSource): Provider {
  return new StatementFilesProvider(source);
}

/**
 * The grant of a connection is its own id, and its customer the account record. Connections are made by taking a file,
 * never by a link session.
 */
class StatementFilesProvider implements Provider {
  readonly identifier = 'statement_files';
  readonly capabilities: ReadonlySet<Capability> = new Set(CAPABILITIES);
  readonly redeemsOnce = false;
  readonly #source: StatementSource;

  constructor(source: StatementSource) {
    this.#source = source;
  }

  /** Never offered, because the capability `link` is not among those above. */
  beginLink(): Promise<BegunLink> {
    return Promise.reject(noPage());
  }

  completeLink(): Promise<LinkOutcome> {
    return Promise.reject(noPage());
  }

  /** The files are deleted with the connection; no one else is to be told. */
  async withdraw(): Promise<void> {}

  listAccounts({ customer, consent }: ProviderAccess): Promise<ProviderAccount[]> {
    return this.#source.accounts(customer, consent);
  }

  async readHistoryState({ customer, consent }: ProviderAccess, account: string): Promise<HistoryState> {
    const version = await this.#source.version(customer, consent, account);
    return version === null ? 'forgotten' : { version };
  }

  /** Newest first. `since` bounds when a file was taken: an old statement may be uploaded at any time. */
  async *transactionPages(
    { customer, consent }: ProviderAccess,
    { account, from, to, since }: TransactionQuery,
    signal: AbortSignal,
  ): AsyncGenerator<Transaction[]> {
    const rows = await this.#source.rows(customer, consent, account, { from, to }, signal);
    const wanted = await sortedInSlices(
      rows.filter(({ takenAt }) => since === null || takenAt >= since),
      ({ row: one }, { row: other }) => compare(other.date, one.date) || compare(one.id, other.id),
    );
    signal.throwIfAborted();
    for (let at = 0; at < wanted.length; at += PAGE_ROWS)
      yield wanted.slice(at, at + PAGE_ROWS).map(({ row }) => row);
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function noPage(): UpstreamFailure {
  return new UpstreamFailure('bad_request', 'Statement files are uploaded and not linked.');
}
