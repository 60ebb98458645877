import type { Provider } from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';
import type { BreakerSettings } from './breakers.ts';
import type { GatewayCache } from './gateway-cache.ts';

/** What a gateway is built from. */
export interface ProviderGatewayOptions {
  /** The configured providers. */
  readonly providers: ReadonlyMap<ProviderIdentifier, Provider>;
  readonly cache: GatewayCache;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Pick<Metrics, 'upstreamCall'>;
  readonly breaker?: BreakerSettings;
}
