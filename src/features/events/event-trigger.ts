import type { Trx } from '../../storage/database.ts';
import type { EventKind, SubjectOf } from '../../vocabulary/event-kinds.ts';
import type { RowId } from '../../vocabulary/ids.ts';

/**
 * Called for every change of state that others may have subscribed to, inside the transaction that makes it: what it writes
 * commits with the change or not at all. It must not reach over the network, and what it raises undoes the change.
 */
export type EventTrigger = <K extends EventKind>(
  trx: Trx,
  owner: RowId<'account_record'>,
  kind: K,
  subject: RowId<SubjectOf<K>>,
) => Promise<void>;
