import type { Clock } from '../../platform/clock.ts';
import type { IntegrationSettings, IntegrationValues } from '../../platform/integration-settings.ts';
import type { OutgoingAddresses } from '../../platform/outgoing-addresses.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { Quotas } from '../../platform/quotas.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { DestinationConnector } from './destination-contract.ts';

/** What a connector gets in addition to its settings. */
export interface DestinationTools {
  readonly http: OutgoingHttp;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Its vendor's quotas, counted across all processes. */
  readonly quotas: Quotas;
}

/** What its row gets. */
export interface DestinationIntegrationTools extends DestinationTools {
  /** The only way to a server that does not speak HTTP. */
  readonly addresses: OutgoingAddresses;
}

/** The row of a destination in the table of integrations. Its file loads nothing of the connector before `open`. */
export interface DestinationIntegration extends IntegrationSettings {
  readonly kind: 'destination';
  readonly name: DestinationType;
  /** The connector for the vendor, or for its simulator: only the values differ. */
  open(values: IntegrationValues, tools: DestinationIntegrationTools): Promise<DestinationConnector>;
}
