import type { DestinationType } from '../vocabulary/destination-kinds.ts';
import type { DestinationLinkFailureReason } from '../vocabulary/destinations.ts';
import type { RowId } from '../vocabulary/ids.ts';
import type { Moment, NullableMoment } from './identity-tables.ts';

/** Status is never stored: it follows from the moments. */
export interface DestinationLinksTable {
  id: RowId<'destination_link'>;
  account_record: RowId<'account_record'>;
  type: DestinationType;
  /** The destination whose grant this link replaces; null for a link that makes one. */
  renews: RowId<'destination'> | null;
  /** Set once completed: the resulting destination, which may have been deleted since. */
  destination: RowId<'destination'> | null;
  return_url: string;
  failure_reason: DestinationLinkFailureReason | null;
  /** Until then one callback is asking the vendor; the callback can be exchanged only once. */
  landing_until: NullableMoment;
  expires_at: Moment;
  completed_at: NullableMoment;
  failed_at: NullableMoment;
  created: Moment;
  updated: Moment;
}

export interface DestinationLinkTables {
  destination_links: DestinationLinksTable;
}
