import { createAuBankingProvider } from './connectors/providers/au-banking/provider.ts';
import type { Provider } from './connectors/providers/provider-contract.ts';
import type { GatewayCache } from './features/provider-gateway/gateway-cache.ts';
import { ProviderGateway } from './features/provider-gateway/provider-gateway.ts';
import type { Clock } from './platform/clock.ts';
import type { Config, FiskilConfig } from './platform/config.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import type { OutgoingHttp } from './platform/outgoing-http.ts';
import type { ProviderIdentifier } from './vocabulary/providers.ts';

export interface GatewayParts {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly http: OutgoingHttp;
  readonly cache: GatewayCache;
  readonly auBanking: Required<FiskilConfig> | null;
}

/** The gateway over every provider that is set up. Adding a provider adds a line here. */
export function buildGateway({
  config,
  log,
  clock,
  metrics,
  http,
  cache,
  auBanking,
}: GatewayParts): ProviderGateway {
  const { limits } = config;
  const providers = new Map<ProviderIdentifier, Provider>();
  if (auBanking?.credentials != null) {
    const { baseUrl, version, credentials } = auBanking;
    providers.set(
      'au_banking',
      createAuBankingProvider({ http, clock, log, limits, baseUrl, version, ...credentials }),
    );
  }
  return new ProviderGateway({ providers, cache, limits, clock, log, metrics });
}
