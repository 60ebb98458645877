import { type Offering, offers } from '../../connectors/providers/capability-members.ts';
import type { Provider } from '../../connectors/providers/provider-contract.ts';
import { retrying } from '../../platform/retry.ts';
import { retryBudgetClock, retryBudgetLeftMs } from '../../platform/retry-budget.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { CAPABILITIES, type Capability, type ProviderIdentifier } from '../../vocabulary/providers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { SetAside, SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import type { Breakers } from './breakers.ts';
import { type CallOwner, ConcurrencyLimit } from './concurrency-limit.ts';
import { Cooldowns } from './cooldowns.ts';
import { withDeadline } from './deadline.ts';
import { serviceErrorOf } from './failures.ts';
import type { ProviderGatewayOptions, RationedRead } from './gateway-options.ts';
import type { GatewayAccount, GatewayConnection } from './gateway-types.ts';

export type GrantRejectedListener = (connection: RowId<'connection'>) => Promise<void>;

type SetAsideFilter = (row: SetAsideRow) => boolean;

/** How often a job that waits for a breaker looks whether it lets it pass. */
const LOOK_MS = 5_000;
/** Rows of one read that cannot be read and have a line of the log each. */
const MOST_LOGGED = 10;

type Work<T, C extends Capability> = (adapter: Offering<C>, signal: AbortSignal) => Promise<T>;

/** Who is asked, and for whom: a provider for itself, or for one connection. */
interface Integration {
  readonly provider: ProviderIdentifier;
  readonly owner: CallOwner;
  readonly connection: GatewayConnection | null;
  /** Set for a read of one account, which its provider may ration. */
  readonly rationed?: RationedRead;
}

/** Every call to an adapter: capability, deadline, breaker, and one translation of what goes wrong. */
export class UpstreamCalls {
  readonly #options: ProviderGatewayOptions;
  readonly #breakers: Breakers;
  readonly #admission: ConcurrencyLimit;
  readonly #cooldowns: Cooldowns;
  readonly #listeners: GrantRejectedListener[] = [];
  readonly #offered: ReadonlyMap<ProviderIdentifier, ReadonlySet<Capability>>;

  constructor(options: ProviderGatewayOptions, breakers: Breakers) {
    this.#options = options;
    this.#breakers = breakers;
    this.#admission = new ConcurrencyLimit(options.limits, options.clock);
    this.#cooldowns = new Cooldowns(options.clock, options.pauses);
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
    return this.#call(integrationOf(connection), capability, signal, work);
  }

  /** A read of one account: not sent before the moment its provider named when it last refused one. */
  account<T, C extends Capability>(
    { id, connection }: Pick<GatewayAccount, 'id' | 'connection'>,
    capability: C,
    signal: AbortSignal,
    work: Work<T, C>,
  ): Promise<T> {
    const rationed = { owner: connection.owner, account: id, what: capability };
    return this.#call({ ...integrationOf(connection), rationed }, capability, signal, work);
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

  /** Runs one piece of work with the deadline of a read. Raises ServiceError, or `signal.reason`. */
  async #call<T, C extends Capability>(
    integration: Integration,
    capability: C,
    signal: AbortSignal,
    work: Work<T, C>,
  ): Promise<T> {
    const adapter = this.adapter(integration.provider, capability);
    return this.explained(integration, signal, () =>
      this.within(signal, (within) => this.counted(integration, within, () => work(adapter, within))),
    );
  }

  /** The deadline of a read around `work`, later by what a job in the background may wait for an unreachable vendor. */
  within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, limits } = this.#options;
    return withDeadline(clock, limits.read_deadline_ms + retryBudgetLeftMs(), signal, work);
  }

  /** Cooldown, breaker, pool and metrics around one answer of the provider. `signal` ends the wait for a turn. */
  async counted<T>(integration: Integration, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { clock, metrics } = this.#options;
    const started = clock.now();
    try {
      if (integration.rationed !== undefined) await this.#cooldowns.require(integration.rationed);
      const institution = integration.connection?.grant.institution ?? null;
      const { provider, owner } = integration;
      const about = integration.rationed?.account ?? integration.connection?.id ?? null;
      const result = await this.#oncePassable(signal, () =>
        this.#breakers.run({ provider, institution, owner, about }, () =>
          this.#admission.run({ provider, institution, owner }, signal, work),
        ),
      );
      metrics.upstreamCall(provider, 'ok', clock.now() - started);
      return result;
    } catch (error) {
      if (integration.rationed !== undefined) await this.#learn(integration.rationed, error);
      const outcome = error instanceof UpstreamFailure ? error.situation : 'aborted';
      metrics.upstreamCall(integration.provider, outcome, clock.now() - started);
      throw error;
    }
  }

  /** A job in the background waits for a breaker to let it pass, while its retry budget lasts. Nobody is asked meanwhile. */
  async #oncePassable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const patient = retryBudgetClock(this.#options.clock);
    if (patient === null) return work();
    const budgetMs = retryBudgetLeftMs();
    try {
      return await retrying(work, {
        delaysMs: new Array<number>(Math.ceil((2 * budgetMs) / LOOK_MS)).fill(LOOK_MS),
        jitter: true,
        shouldRetry: (error) => error instanceof UpstreamFailure && error.situation === 'breaker_open',
        clock: patient.clock,
        budgetMs,
        signal,
      });
    } finally {
      patient.end();
    }
  }

  /** The failure is reported as it is even where the pause that it asks for cannot be stored. */
  async #learn(read: RationedRead, error: unknown): Promise<void> {
    await this.#cooldowns
      .learn(read, error)
      .catch((failure: unknown) =>
        this.#options.log.warn('Failed to store a pause.', { account: read.account }, failure),
      );
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
  async explained<T>(integration: Integration, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      throw await this.explain(integration, error);
    }
  }

  /** The ServiceError that an UpstreamFailure means; any other error as it is. */
  async explain(integration: Integration, error: unknown): Promise<unknown> {
    if (!(error instanceof UpstreamFailure)) return error;
    const { provider, connection } = integration;
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
    await this.#options.cache
      .purge(connection)
      .catch((error: unknown) =>
        this.#options.log.warn('Failed to purge a dead grant.', { connection }, error),
      );
    for (const listener of this.#listeners) {
      try {
        await listener(connection);
      } catch (error) {
        this.#options.log.warn('Failed to record a rejected grant.', { connection }, error);
      }
    }
  }
}

/** A connection's provider, asked for its owner. */
export function integrationOf(connection: GatewayConnection): Integration {
  return { provider: connection.provider, owner: connection.owner, connection };
}
