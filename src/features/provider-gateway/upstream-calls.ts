import { type Offering, offers } from '../../connectors/providers/capability-members.ts';
import type { Provider } from '../../connectors/providers/provider-contract.ts';
import { retryBudgetLeftMs } from '../../platform/retry-budget.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { CAPABILITIES, type Capability, type ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { SetAside, SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import { CallGuards, type CallOwner, type RationedRead } from './call-guards.ts';
import { withDeadline } from './deadline.ts';
import { serviceErrorOf } from './failures.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type { GatewayAccount, GatewayConnection, MostPages } from './gateway-types.ts';

export type GrantRejectedListener = (connection: RowId<'connection'>) => Promise<void>;

type SetAsideFilter = (row: SetAsideRow) => boolean;

/** Rows of one read that cannot be read and have a line of the log each. */
const MOST_LOGGED = 10;

type Work<T, C extends Capability> = (adapter: Offering<C>, signal: AbortSignal) => Promise<T>;

/** Who is asked, and for whom: a provider for itself, or for one connection. */
interface CallTarget {
  readonly provider: ProviderIdentifier;
  readonly owner: CallOwner;
  readonly connection: GatewayConnection | null;
  /** Set for a read of one account, which its provider may ration. */
  readonly rationed?: RationedRead;
}

/** Every call to an adapter: capability, deadline, guards, and one translation of what goes wrong. */
export class UpstreamCalls {
  readonly #options: ProviderGatewayOptions;
  readonly #guards: CallGuards;
  readonly #listeners: GrantRejectedListener[] = [];
  readonly #offered: ReadonlyMap<ProviderIdentifier, ReadonlySet<Capability>>;

  constructor(options: ProviderGatewayOptions) {
    this.#options = options;
    this.#guards = new CallGuards(options);
    this.#offered = new Map(
      [...options.providers].map(([name, adapter]) => [
        name,
        new Set(CAPABILITIES.filter((capability) => offers(adapter, capability))),
      ]),
    );
  }

  /** Adds a listener to be called when a provider says that a connection's grant is dead. */
  onGrantRejected(listener: GrantRejectedListener): void {
    this.#listeners.push(listener);
  }

  /** What the provider can be asked for; empty when it is not configured. */
  capabilities(provider: ProviderIdentifier): ReadonlySet<Capability> {
    return this.#offered.get(provider) ?? new Set();
  }

  /** Whether the provider was opened with one person's own credentials. */
  isPersonal(provider: ProviderIdentifier): boolean {
    return this.#options.providers.get(provider)?.personal === true;
  }

  /** `owner`: whose share of the provider's calls it takes. */
  provider<T, C extends Capability>(
    { provider, owner }: { readonly provider: ProviderIdentifier; readonly owner: CallOwner },
    capability: C,
    signal: AbortSignal,
    work: Work<T, C>,
  ): Promise<T> {
    return this.#call({ provider, owner, connection: null }, capability, signal, work);
  }

  connection<T, C extends Capability>(
    connection: GatewayConnection,
    capability: C,
    signal: AbortSignal,
    work: Work<T, C>,
  ): Promise<T> {
    const { provider, owner } = connection;
    return this.#call({ provider, owner, connection }, capability, signal, work);
  }

  /** A read of one account: not sent before the moment its provider named when it last refused one. */
  account<T, C extends Capability>(
    account: GatewayAccount,
    capability: C,
    signal: AbortSignal,
    work: Work<T, C>,
  ): Promise<T> {
    return this.#call(readOf(account, capability), capability, signal, work);
  }

  /** The adapter. Raises `gateway_unavailable`: an operator who sets the provider up makes the same request succeed. */
  requireProvider(provider: ProviderIdentifier): Provider {
    const adapter = this.#options.providers.get(provider);
    if (adapter !== undefined) return adapter;
    throw new ServiceError('gateway_unavailable', {
      message: `The provider ${provider} is not set up on this service.`,
    });
  }

  /** The adapter. Raises `gateway_unavailable` where it is not set up, `not_supported` where it lacks the capability. */
  adapter<C extends Capability>(provider: ProviderIdentifier, capability: C): Offering<C> {
    const adapter = this.requireProvider(provider);
    if (offers(adapter, capability)) return adapter;
    throw new ServiceError('not_supported', {
      message: `The provider ${provider} does not offer this (${capability}).`,
    });
  }

  /** One call, within the deadline of a read. Raises ServiceError, or `signal.reason`. */
  async #call<T, C extends Capability>(
    target: CallTarget,
    capability: C,
    signal: AbortSignal,
    work: Work<T, C>,
  ): Promise<T> {
    const adapter = this.adapter(target.provider, capability);
    return this.within(target, signal, (within) =>
      this.#guarded(target, within, () => work(adapter, within)),
    );
  }

  /** Work of several calls within the deadline of one read. Raises ServiceError, or `signal.reason`. */
  within<T>(target: CallTarget, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#explained(target, signal, () => this.#deadline(signal, work));
  }

  /**
   * Pages of a read that may go on for hours: the deadline of a read holds for each page, not for all of them. `open`
   * starts the read and gets the signal that ends it. Raises ServiceError.
   */
  async *pagesWithin<T>(
    target: CallTarget,
    signal: AbortSignal,
    open: (signal: AbortSignal) => AsyncGenerator<T[]>,
  ): AsyncGenerator<T[]> {
    const ended = new AbortController();
    const pages = open(AbortSignal.any([signal, ended.signal]));
    try {
      for (;;) {
        const next = await this.#explained(target, signal, () =>
          this.#deadline(signal, () => pages.next()).catch((error: unknown) => {
            // The adapter learns of a missed deadline by its signal, and the breaker by the adapter.
            ended.abort(error);
            throw error;
          }),
        );
        if (next.done === true) return;
        if (next.value.length > 0) yield next.value;
      }
    } finally {
      ended.abort();
      // Not waited for: an adapter that ignores its signal must not delay the caller.
      pages.return(undefined).catch(() => undefined);
    }
  }

  /** The pages of an adapter, each of which is a call. Raises what the adapter raises. */
  async *guardedPages<T>(
    target: CallTarget,
    pages: AsyncIterable<T[]>,
    signal: AbortSignal,
  ): AsyncGenerator<T[]> {
    const iterator = pages[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#guarded(target, signal, () => iterator.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      iterator.return?.()?.catch(() => undefined);
    }
  }

  #guarded<T>(
    { provider, owner, connection, rationed }: CallTarget,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const institution = connection?.grant.institution ?? null;
    const about = rationed?.account ?? connection?.id ?? null;
    return this.#guards.run({ provider, institution, owner, about, rationed }, signal, work);
  }

  /** The deadline of a read around `work`, later by what a job in the background may wait for an unreachable vendor. */
  #deadline<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, limits } = this.#options;
    return withDeadline(clock, limits.read_deadline_ms + retryBudgetLeftMs(), signal, work);
  }

  /** Takes rows of one read of an account that cannot be read: counts all, logs the first, and passes them on. */
  setAside(
    { id: account, connection: { provider, id: connection } }: GatewayAccount,
    what: string,
    isWanted: SetAsideFilter,
    next: SetAside | undefined,
  ): SetAside {
    const { log, metrics } = this.#options;
    let logged = 0;
    return (row) => {
      if (!isWanted(row)) return;
      const { id, day, field, reason } = row;
      metrics.rowSetAside(provider, field);
      logged += 1;
      if (logged <= MOST_LOGGED)
        log.warn('Failed to read a row.', {
          provider,
          connection,
          account,
          what,
          row: id,
          day,
          field,
          reason,
        });
      next?.(row);
    };
  }

  /** Turns an UpstreamFailure of `work` into the ServiceError it means, telling the listeners of a dead grant. */
  async #explained<T>(target: CallTarget, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      throw await this.explain(target, error);
    }
  }

  /** The ServiceError that an UpstreamFailure means; any other error as it is. */
  async explain({ provider, connection }: CallTarget, error: unknown): Promise<unknown> {
    if (!(error instanceof UpstreamFailure)) return error;
    const { log } = this.#options;
    log.warn('A provider call failed.', {
      provider,
      connection: connection?.id ?? null,
      situation: error.situation,
      reason: error.message,
    });
    if (connection !== null && UPSTREAM_FAILURES[error.situation].invalidates)
      await this.#tell(connection.id);
    return serviceErrorOf(error, connection?.institution ?? `The provider ${provider}`);
  }

  /** What was cached under a grant is not shown once the grant is dead. */
  async #tell(connection: RowId<'connection'>): Promise<void> {
    this.#options.cache.purge(connection);
    for (const listener of this.#listeners) {
      try {
        await listener(connection);
      } catch (error) {
        this.#options.log.warn('Failed to record a rejected grant.', { connection }, error);
      }
    }
  }
}

/** A read of one account, which its provider may ration. */
export function readOf(
  { id, connection }: Pick<GatewayAccount, 'id' | 'connection'>,
  what: Capability,
): CallTarget {
  const { provider, owner } = connection;
  return { provider, owner, connection, rationed: { owner, account: id, what } };
}

/** Rows of a page as the number of pages is counted. */
const PAGE_ROWS = 1000;

/**
 * Ends a read: after so many pages, and of a provider whose pages do not end, by number, by rows, and by pages that bring
 * nothing asked for. A page is one of up to 1,000 rows: vendors with smaller pages give as many of them as it takes to
 * begin the last, or their accounts would end after a few hundred rows.
 */
export class PageBudget {
  readonly #limits: Pick<Limits, 'read_rows' | 'read_pages' | 'read_idle_pages' | 'pending_rows'>;
  readonly #most: MostPages;
  #rows = 0;
  #pages = 0;
  #idle = 0;
  #pending = 0;

  constructor(
    limits: Pick<Limits, 'read_rows' | 'read_pages' | 'read_idle_pages' | 'pending_rows'>,
    most: MostPages,
  ) {
    this.#limits = limits;
    this.#most = most;
  }

  /**
   * Counts a page, of which `wanted` rows were asked for. Whether the read ends with it, although more may follow. Raises
   * UpstreamFailure `malformed` past a bound.
   */
  endsWith(page: { readonly rows: number; readonly wanted: number; readonly pending: number }): boolean {
    const { read_rows, read_pages, read_idle_pages, pending_rows } = this.#limits;
    this.#pages += 1;
    this.#rows += page.rows;
    this.#idle = page.wanted === 0 ? this.#idle + 1 : 0;
    this.#pending += page.pending;
    if (this.#pages > read_pages || this.#rows > read_rows) throw endless('its pages do not end');
    if (this.#idle > read_idle_pages) throw endless('its pages bring nothing that was asked for');
    if (this.#pending > pending_rows) throw endless('it reports too many pending transactions');
    return this.#most !== null && this.#pages >= this.#most && this.#rows > (this.#most - 1) * PAGE_ROWS;
  }
}

function endless(what: string): UpstreamFailure {
  return new UpstreamFailure('malformed', `The answer could not be used: ${what}.`);
}
