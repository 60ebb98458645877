import type { AddressGuard } from '../../platform/address-guard.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { EventLog } from '../events/event-log.ts';
import { EventDeliveries } from './event-deliveries.ts';
import { EventDestinationSecrets } from './event-destination-secrets.ts';
import { EventDestinations } from './event-destinations.ts';
import { EventFanOut, type EventFanOutDependencies } from './event-fan-out.ts';
import { EventFeed } from './event-feed.ts';
import { Events } from './events.ts';

export interface EventsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly guard: AddressGuard;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly metrics: Pick<Metrics, 'delivery'>;
  readonly notices: Pick<Notices, 'publish' | 'connected' | 'onNotice' | 'onLost'>;
  readonly eventLog: EventLog;
  readonly alsoTo: EventFanOutDependencies['alsoTo'];
}

/** Events, the event destinations that subscribe to them, and their delivery. */
export interface EventFeatures {
  readonly events: Events;
  readonly eventDestinations: EventDestinations;
  /** For the streams of this process. */
  readonly eventFeed: EventFeed;
  /** For the worker. */
  readonly eventFanOut: EventFanOut;
  readonly eventDeliveries: EventDeliveries;
}

export function createEventDestinations({ eventLog, ...options }: EventsOptions): EventFeatures {
  const secrets = new EventDestinationSecrets(options.keyring);
  const parts = { ...options, secrets, events: eventLog };
  return {
    events: new Events(parts),
    eventDestinations: new EventDestinations(parts),
    eventFeed: new EventFeed(parts),
    eventFanOut: new EventFanOut(parts),
    eventDeliveries: new EventDeliveries(parts),
  };
}
