import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Trx } from '../../storage/database.ts';
import { type EventRow, insertEvent } from '../../storage/events.ts';
import type { Notices } from '../../storage/notices.ts';
import type { EventKind, SubjectOf } from '../../vocabulary/event-kinds.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';

/**
 * Called for every change of state to which someone may subscribe, inside the transaction that makes it: what it writes
 * is committed with the change or not at all. It must not use the network, and if it raises, the change is rolled back.
 */
export type EventTrigger = <K extends EventKind>(
  trx: Trx,
  owner: OwnerId,
  kind: K,
  subject: RowId<SubjectOf<K>>,
) => Promise<void>;

/** Records events with the changes they report, and triggers their fan-out once the change is committed. */
export class EventLog {
  readonly #clock: Clock;
  readonly #notices: Pick<Notices, 'hintOnceCommitted'>;

  constructor(deps: { readonly clock: Clock; readonly notices: Pick<Notices, 'hintOnceCommitted'> }) {
    this.#clock = deps.clock;
    this.#notices = deps.notices;
  }

  readonly trigger: EventTrigger = async (trx, owner, kind, subject) => {
    await this.record(trx, owner, kind, subject);
  };

  async record(trx: Trx, owner: OwnerId, kind: EventKind, subject: string): Promise<EventRow> {
    const id = rowId('event', newRowId(this.#clock));
    const event = { id, account_record: owner, kind, subject, created: new Date(this.#clock.now()) };
    await insertEvent(trx, event);
    await this.#notices.hintOnceCommitted(trx, { kind: 'event_recorded', id: owner });
    return { ...event, position: null };
  }
}
