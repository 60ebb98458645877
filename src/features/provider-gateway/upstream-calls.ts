import type { Provider } from '../../connectors/providers/provider-contract.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Capability, ProviderIdentifier } from '../../vocabulary/providers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import { Admission } from './admission.ts';
import type { Breakers } from './breakers.ts';
import { Cooldowns, type RationedRead } from './cooldowns.ts';
import { withDeadline } from './deadline.ts';
import { serviceErrorOf } from './failures.ts';
import type { ProviderGatewayOptions } from './gateway-options.ts';
import type { GatewayAccount, GatewayConnection } from './gateway-types.ts';

export type GrantRejectedListener = (connection: RowId<'connection'>) => Promise<void>;

type Work<T> = (adapter: Provider, signal: AbortSignal) => Promise<T>;

/** Who is asked: a provider for itself, or for one connection. */
interface Party {
  readonly provider: ProviderIdentifier;
  readonly connection: GatewayConnection | null;
  /** Set for a read of one account, which its provider may ration. */
  readonly rationed?: RationedRead;
}

/** Every call to an adapter: capability, deadline, breaker, and one translation of what goes wrong. */
export class UpstreamCalls {
  readonly #options: ProviderGatewayOptions;
  readonly #breakers: Breakers;
  readonly #admission: Admission;
  readonly #cooldowns: Cooldowns;
  readonly #listeners: GrantRejectedListener[] = [];

  constructor(options: ProviderGatewayOptions, breakers: Breakers) {
    this.#options = options;
    this.#breakers = breakers;
    this.#admission = new Admission(options.pool);
    this.#cooldowns = new Cooldowns(options.clock);
  }

  onGrantRejected(listener: GrantRejectedListener): void {
    this.#listeners.push(listener);
  }

  capabilities(provider: ProviderIdentifier): ReadonlySet<Capability> {
    return this.#options.providers.get(provider)?.capabilities ?? new Set();
  }

  provider<T>(
    provider: ProviderIdentifier,
    capability: Capability,
    signal: AbortSignal,
    work: Work<T>,
  ): Promise<T> {
    return this.#call({ provider, connection: null }, capability, signal, work);
  }

  connection<T>(
    connection: GatewayConnection,
    capability: Capability,
    signal: AbortSignal,
    work: Work<T>,
  ): Promise<T> {
    return this.#call({ provider: connection.provider, connection }, capability, signal, work);
  }

  /** A read of one account: not sent before the moment its provider named when it last refused one. */
  account<T>(
    { id, connection }: Pick<GatewayAccount, 'id' | 'connection'>,
    capability: Capability,
    signal: AbortSignal,
    work: Work<T>,
  ): Promise<T> {
    const rationed = { account: id, what: capability };
    return this.#call({ provider: connection.provider, connection, rationed }, capability, signal, work);
  }

  /** The adapter, or `not_supported`. */
  adapter(provider: ProviderIdentifier, capability: Capability): Provider {
    const adapter = this.#options.providers.get(provider);
    if (adapter === undefined) {
      throw new ServiceError('not_supported', {
        message: `The provider ${provider} is not set up on this service.`,
      });
    }
    if (!adapter.capabilities.has(capability)) {
      throw new ServiceError('not_supported', {
        message: `The provider ${provider} does not offer this (${capability}).`,
      });
    }
    return adapter;
  }

  /** Runs one piece of work with the deadline of a read. Raises ServiceError, or `signal.reason`. */
  async #call<T>(party: Party, capability: Capability, signal: AbortSignal, work: Work<T>): Promise<T> {
    const adapter = this.adapter(party.provider, capability);
    return this.explained(party, signal, () =>
      this.within(signal, (within) => this.counted(party, () => work(adapter, within))),
    );
  }

  /** The deadline of a read around `work`. */
  within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withDeadline(this.#options.clock, this.#options.limits.read_deadline_ms, signal, work);
  }

  /** Cooldown, breaker, pool and metrics around one answer of the provider. */
  async counted<T>(party: Party, work: () => Promise<T>): Promise<T> {
    const { clock, metrics } = this.#options;
    const started = clock.now();
    try {
      if (party.rationed !== undefined) this.#cooldowns.require(party.rationed);
      const institution = party.connection?.grant.institution ?? null;
      const result = await this.#breakers.run(party.provider, institution, () =>
        this.#admission.run(party.provider, work),
      );
      metrics.upstreamCall(party.provider, 'ok', clock.now() - started);
      return result;
    } catch (error) {
      if (party.rationed !== undefined) this.#cooldowns.learn(party.rationed, error);
      const outcome = error instanceof UpstreamFailure ? error.situation : 'aborted';
      metrics.upstreamCall(party.provider, outcome, clock.now() - started);
      throw error;
    }
  }

  /** Turns an UpstreamFailure of `work` into the ServiceError it means, telling the listeners of a dead grant. */
  async explained<T>(party: Party, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      throw await this.explain(party, error);
    }
  }

  /** The ServiceError that an UpstreamFailure means; any other error as it is. */
  async explain(party: Party, error: unknown): Promise<unknown> {
    if (!(error instanceof UpstreamFailure)) return error;
    const { provider, connection } = party;
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

  /** What was kept under a grant is not shown once the grant is dead. */
  async #tell(connection: RowId<'connection'>): Promise<void> {
    await this.#options.cache
      .purge(connection)
      .catch((error: unknown) =>
        this.#options.log.warn('A dead grant was not purged.', { connection }, error),
      );
    for (const listener of this.#listeners) {
      try {
        await listener(connection);
      } catch (error) {
        this.#options.log.warn('A rejected grant could not be recorded.', { connection }, error);
      }
    }
  }
}
