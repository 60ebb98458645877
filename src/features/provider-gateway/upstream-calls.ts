import { type Offering, offers } from '../../connectors/providers/capability-members.ts';
import type { Provider } from '../../connectors/providers/provider-contract.ts';
import { retryBudgetLeftMs } from '../../platform/retry-budget.ts';
import { inSpan } from '../../platform/tracing.ts';
import { providerNotSetUp } from '../../vocabulary/consoles.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { CAPABILITIES, type Capability, type ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { SetAside, SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import { withDeadline } from '../outside-calls/deadline.ts';
import { CallGuards, type CallOwner, type RationedRead } from './call-guards.ts';
import { serviceErrorOf } from './failures.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type { GatewayAccount, GatewayConnection, MostPages } from './gateway-types.ts';

export type GrantRejectedListener = (connection: RowId<'connection'>) => Promise<void>;

type SetAsideFilter = (row: SetAsideRow) => boolean;

/** How many unreadable rows of one read get their own line in the log. */
const MOST_LOGGED = 10;

type Work<T, C extends Capability> = (adapter: Offering<C>, signal: AbortSignal) => Promise<T>;

/** What a call is about: a provider itself, or one connection. */
interface CallTarget {
  readonly provider: ProviderIdentifier;
  readonly owner: CallOwner;
  readonly connection: GatewayConnection | null;
  /** Set for a read of one account, which its provider may ration. */
  readonly rationed?: RationedRead;
}

/** Every call to an adapter: capability, deadline, guards, and one translation of failures. */
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

  /** Adds a listener that is called when a provider says that a connection's grant is no longer valid. */
  onGrantRejected(listener: GrantRejectedListener): void {
    this.#listeners.push(listener);
  }

  /** What the provider supports; empty if it is not configured. */
  capabilities(provider: ProviderIdentifier): ReadonlySet<Capability> {
    return this.#offered.get(provider) ?? new Set();
  }

  /** Whether the provider was opened with one person's own credentials. */
  isPersonal(provider: ProviderIdentifier): boolean {
    return this.#options.providers.get(provider)?.personal === true;
  }

  /** False while this process knows that the provider as a whole cannot be reached. */
  connects(provider: ProviderIdentifier): boolean {
    return this.#guards.connects(provider);
  }

  /** Whether linking leads to no page of the vendor; false for a provider that is not set up. */
  linksDirectly(provider: ProviderIdentifier): boolean {
    return this.#options.providers.get(provider)?.linksDirectly === true;
  }

  /** What linking asks the person to enter; null for nothing, and for a provider that is not set up. */
  asks(provider: ProviderIdentifier): NonNullable<Provider['asks']> | null {
    return this.#options.providers.get(provider)?.asks ?? null;
  }

  /** Whether there is something to learn or choose before a person signs in at one of its institutions. */
  hasTerms(provider: ProviderIdentifier): boolean {
    return this.#options.providers.get(provider)?.readTerms !== undefined;
  }

  /** `owner`: whose share of the provider's calls it uses. */
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

  /** A read of one account: not sent before the time that its provider named when it last refused one. */
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
      message: providerNotSetUp(provider),
    });
  }

  /** The adapter. Raises `gateway_unavailable` if it is not set up, `not_supported` if it lacks the capability. */
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
    return inProviderSpan(target, capability, () =>
      this.within(target, signal, (within) => this.#guarded(target, within, () => work(adapter, within))),
    );
  }

  /** Work with several calls within the deadline of one read. Raises ServiceError, or `signal.reason`. */
  within<T>(target: CallTarget, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#explained(target, signal, () => this.#deadline(signal, work));
  }

  /**
   * Pages of a read that may take hours: the deadline of a read applies to each page, not to all of them. `open` starts
   * the read and gets the signal that ends it. Raises ServiceError.
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
            // The adapter learns of a missed deadline through its signal, and the breaker through the adapter.
            ended.abort(error);
            throw error;
          }),
        );
        if (next.done === true) return;
        if (next.value.length > 0) yield next.value;
      }
    } finally {
      ended.abort();
      // Not awaited: an adapter that ignores its signal must not delay the caller.
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
    let begins = true;
    try {
      for (;;) {
        const first = begins;
        const next = await inProviderSpan(target, target.rationed?.what ?? 'pages', () =>
          this.#guarded(target, signal, () => iterator.next(), first),
        );
        begins = false;
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
    begins = true,
  ): Promise<T> {
    const institution = connection?.grant.institution ?? null;
    const about = rationed?.account ?? connection?.id ?? null;
    return this.#guards.run({ provider, institution, owner, about, rationed, begins }, signal, work);
  }

  /**
   * Applies the deadline of a read to `work`, extended by the time that a background job may wait for an unreachable
   * vendor.
   */
  #deadline<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, limits } = this.#options;
    return withDeadline(clock, limits.read_deadline_ms + retryBudgetLeftMs(), signal, work);
  }

  /** Receives rows of one read of an account that cannot be read: counts all, logs the first, and passes them on. */
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
          row_id: id,
          day,
          field,
          reason,
        });
      next?.(row);
    };
  }

  /**
   * Turns an UpstreamFailure of `work` into the corresponding ServiceError, notifying listeners if the grant is no
   * longer valid.
   */
  async #explained<T>(target: CallTarget, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      throw await this.explain(target, error);
    }
  }

  /** The ServiceError for an UpstreamFailure; any other error unchanged. */
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

  /** What was cached under a grant is not shown once the grant is no longer valid. */
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

/** A call to an adapter as a part of what is traced; the requests that it takes are parts of it in turn. */
function inProviderSpan<T>(
  { provider, rationed }: CallTarget,
  capability: string,
  work: () => Promise<T>,
): Promise<T> {
  const attributes = {
    'tributary.provider': provider,
    'tributary.capability': capability,
    ...(rationed !== undefined && { 'tributary.account': publicId('account', rationed.account) }),
  };
  return inSpan(`provider ${capability}`, { attributes }, work);
}

/** A read of one account, which its provider may ration. */
export function readOf(
  { id, connection }: Pick<GatewayAccount, 'id' | 'connection'>,
  what: Capability,
): CallTarget {
  const { provider, owner } = connection;
  return { provider, owner, connection, rationed: { owner, account: id, what } };
}

/** How many rows count as one page. */
const PAGE_ROWS = 1000;

/**
 * Ends a read after a number of pages; and, if a provider's pages never end, by their number, their rows, and pages
 * that contain nothing requested. A page counts as 1,000 rows: vendors with smaller pages may send as many as it takes
 * to begin the last, or their accounts would end after a few hundred rows.
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
   * Counts a page, of which `wanted` rows were requested. Returns whether the read ends with it, although more may
   * follow. Raises UpstreamFailure `malformed` beyond a bound.
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
