import type { Clock } from '../../platform/clock.ts';
import type { IntegrationSettings, IntegrationValues } from '../../platform/integration-settings.ts';
import type { Log } from '../../platform/log.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { Quotas } from '../../platform/quotas.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { LinkedProvider } from '../../vocabulary/provider-kinds.ts';
import type { Provider } from './provider-contract.ts';

/** What a provider's adapter gets in addition to its settings. */
export interface ProviderTools {
  readonly http: OutgoingHttp;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** Its vendor's quotas, counted across all processes and kept across restarts. */
  readonly quotas: Quotas;
  /** Addresses under which this service is reached: a person may enter one of them where a vendor's is asked for. */
  readonly ownUrls: readonly string[];
}

/** The row of a provider in the table of integrations. Its file loads nothing of the adapter before `open`. */
export interface ProviderIntegration extends IntegrationSettings {
  readonly kind: 'provider';
  readonly name: LinkedProvider;
  /** The adapter for the vendor, or for its simulator: only the values differ. */
  open(values: IntegrationValues, tools: ProviderTools): Promise<Provider>;
}
