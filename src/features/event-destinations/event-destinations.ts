import type { AddressGuard } from '../../platform/address-guard.ts';
import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { SECRET_OVERLAP_MS } from '../../platform/webhook-signature.ts';
import { validateWebhookUrl } from '../../platform/webhook-url.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import type { Db, Trx } from '../../storage/database.ts';
import {
  countEventDestinations,
  deleteEventDestination,
  type EventDestinationChange,
  type EventDestinationRow,
  findEventDestination,
  insertEventDestination,
  listEventDestinations,
  lockEventDestination,
  updateEventDestination,
} from '../../storage/event-destinations.ts';
import type { EventRow } from '../../storage/events.ts';
import type { Notices } from '../../storage/notices.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import { EVENT_SELECTORS } from '../../vocabulary/event-selectors.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import {
  type Metadata,
  type MetadataPatch,
  mergeMetadata,
  requireFittingMetadata,
} from '../../vocabulary/metadata.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { EVENT_DESTINATION_MOVES, StatusMove } from '../../vocabulary/states.ts';
import { requireMetadataRoom } from '../access/metadata-room.ts';
import type { EventLog } from '../events/event-log.ts';
import type { EventDestinationSecrets } from './event-destination-secrets.ts';

/** What an event destination subscribes to, each once. Raises `parameter_invalid` (`enabled_events`). */
function requireSelectors(given: readonly string[]): string[] {
  const selectors = [...new Set(given)];
  if (selectors.length === 0) {
    throw invalidParameter(
      'enabled_events',
      'Name at least one kind of event, a family such as sync_run.*, or *.',
    );
  }
  const unknown = selectors.find((selector) => !EVENT_SELECTORS.includes(selector));
  if (unknown !== undefined) {
    throw invalidParameter(
      'enabled_events',
      'Each entry must be a kind of event, a family such as sync_run.*, or *. The kinds are listed in docs/events.md.',
    );
  }
  return selectors;
}

/** The address in the spelling that is stored. Raises `parameter_invalid` (`webhook_endpoint.url`). */
function allowedUrl(guard: AddressGuard, text: string): string {
  const judged = validateWebhookUrl(guard, text);
  if ('refusal' in judged) throw invalidParameter('webhook_endpoint.url', judged.refusal);
  return judged.url;
}

/** The record of earlier failures, which enabling clears. */
const FRESH = { failures: 0, failing_since: null, failed_at: null, resume_at: null } as const;

type Id = RowId<'event_destination'>;

/** An event destination as its owner sees it. `secret` is set only in responses that create one. */
export interface EventDestination {
  readonly id: Id;
  readonly row: EventDestinationRow;
  readonly url: string;
  readonly secret: string | null;
}

export interface NewEventDestination {
  readonly name: string;
  readonly url: string;
  /** vocabulary/event-selectors.ts */
  readonly enabledEvents: readonly string[];
  readonly metadata: Metadata | null;
}

export interface EventDestinationPatch {
  readonly name?: string;
  readonly url?: string;
  readonly enabledEvents?: readonly string[];
  readonly metadata?: MetadataPatch;
}

export interface EventDestinationsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly guard: AddressGuard;
  readonly secrets: EventDestinationSecrets;
  readonly events: Pick<EventLog, 'record'>;
  readonly notices: Pick<Notices, 'publish'>;
}

/** Where events are sent (docs/events.md#event-destinations). */
export class EventDestinations {
  readonly #deps: EventDestinationsDependencies;

  constructor(deps: EventDestinationsDependencies) {
    this.#deps = deps;
  }

  /**
   * Raises `parameter_invalid` (`webhook_endpoint.url` for an address to which nothing may be sent, `enabled_events`,
   * `metadata`), `event_destination_limit_reached` and `event_destination_create_failed`.
   */
  async create(owner: OwnerId, input: NewEventDestination): Promise<EventDestination> {
    const { db, clock, limits, guard, secrets } = this.#deps;
    const id = rowId('event_destination', newRowId(clock));
    const url = allowedUrl(guard, input.url);
    requireFittingMetadata(input.metadata, limits.metadata_pairs);
    const { secret, sealed } = secrets.newSigningSecret(id);
    const now = new Date(clock.now());
    const row: EventDestinationRow = {
      id,
      account_record: owner,
      name: input.name,
      endpoint: secrets.sealUrl(id, url),
      signing_secret: sealed,
      previous_secret: null,
      previous_secret_until: null,
      enabled_events: requireSelectors(input.enabledEvents),
      status: 'enabled',
      disabled_reason: null,
      ...FRESH,
      fence: 0,
      lease_until: null,
      metadata: input.metadata,
      created: now,
      updated: now,
    };
    await inRetryableTransaction(db, 'event_destination_create_failed', async (trx) => {
      // Two concurrent requests must not both get the last slot.
      await lockAccountRecord(trx, owner);
      if ((await countEventDestinations(trx, owner)) >= limits.event_destinations) {
        const message = `There are already ${limits.event_destinations} event destinations.`;
        throw new ServiceError('event_destination_limit_reached', { message });
      }
      await insertEventDestination(trx, row);
      await this.#requireRoom(trx, owner, null, row.metadata);
    });
    return { id, row, url, secret };
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: Id): Promise<EventDestination> {
    return this.#composed(await findEventDestination(this.#deps.db, owner, id));
  }

  async list(owner: OwnerId, page: PageRequest): Promise<Page<EventDestination>> {
    const found = await listEventDestinations(this.#deps.db, owner, page);
    return { ...found, items: found.items.map((row) => this.#composed(row)) };
  }

  /** Waiting events are sent to the new address. Raises `resource_missing` and `parameter_invalid`, as `create`. */
  async update(owner: OwnerId, id: Id, patch: EventDestinationPatch): Promise<EventDestination> {
    const { limits, guard, secrets } = this.#deps;
    return this.#changed(owner, id, async (trx, old) => {
      const metadata = patch.metadata && mergeMetadata(old.metadata, patch.metadata);
      requireFittingMetadata(metadata, limits.metadata_pairs);
      await this.#requireRoom(trx, owner, old.metadata, metadata);
      return {
        ...(patch.name === undefined ? {} : { name: patch.name }),
        ...(patch.url === undefined ? {} : { endpoint: secrets.sealUrl(id, allowedUrl(guard, patch.url)) }),
        ...(patch.enabledEvents === undefined
          ? {}
          : { enabled_events: requireSelectors(patch.enabledEvents) }),
        ...(metadata === undefined ? {} : { metadata }),
      };
    });
  }

  /** Waiting events are discarded. Raises `resource_missing`. */
  async delete(owner: OwnerId, id: Id): Promise<void> {
    if (!(await deleteEventDestination(this.#deps.db, owner, id))) throw missing('event_destination');
  }

  /** It receives no new events; waiting ones wait until it is enabled. Raises `resource_missing`. */
  disable(owner: OwnerId, id: Id): Promise<EventDestination> {
    return this.#changed(owner, id, async (_trx, { status }) =>
      status === 'disabled'
        ? null
        : {
            moved: StatusMove.of(EVENT_DESTINATION_MOVES, 'disabled by the caller', status),
            disabled_reason: 'owner',
          },
    );
  }

  /** Clears earlier failures and sends waiting events at once. Raises `resource_missing`. */
  enable(owner: OwnerId, id: Id): Promise<EventDestination> {
    return this.#changed(owner, id, async (trx, { status }) => {
      if (status === 'enabled') return null;
      await this.#deps.notices.publish(trx, { kind: 'event_deliveries', id: owner });
      const moved = StatusMove.of(EVENT_DESTINATION_MOVES, 'enabled by the caller', status);
      return { moved, disabled_reason: null, ...FRESH };
    });
  }

  /**
   * A new signing secret; for a day, the old one signs too. Raises `resource_missing` and
   * `event_destination_rotate_failed`.
   */
  async rotateSecret(owner: OwnerId, id: Id): Promise<EventDestination> {
    const { db, clock, secrets } = this.#deps;
    const { secret, sealed } = secrets.newSigningSecret(id);
    const now = clock.now();
    const row = await inRetryableTransaction(db, 'event_destination_rotate_failed', async (trx) => {
      const old = await lockEventDestination(trx, owner, id);
      if (old === null) throw missing('event_destination');
      return updateEventDestination(trx, owner, id, {
        signing_secret: sealed,
        previous_secret: old.signing_secret,
        previous_secret_until: new Date(now + SECRET_OVERLAP_MS),
        updated: new Date(now),
      });
    });
    return { ...this.#composed(row), secret };
  }

  /**
   * An event that is sent only to this destination. Raises `resource_missing`, `destination_disabled` and
   * `ping_failed`.
   */
  ping(owner: OwnerId, id: Id): Promise<EventRow> {
    const { db, events } = this.#deps;
    return inRetryableTransaction(db, 'ping_failed', async (trx) => {
      const row = await lockEventDestination(trx, owner, id);
      if (row === null) throw missing('event_destination');
      if (row.status === 'disabled') throw new ServiceError('destination_disabled');
      return events.record(trx, owner, 'event_destination.ping', id);
    });
  }

  async #changed(
    owner: OwnerId,
    id: Id,
    change: (trx: Trx, old: EventDestinationRow) => Promise<EventDestinationChange | null>,
  ): Promise<EventDestination> {
    const { db, clock } = this.#deps;
    const row = await db.transaction().execute(async (trx) => {
      const old = await lockEventDestination(trx, owner, id);
      if (old === null) throw missing('event_destination');
      const changes = await change(trx, old);
      if (changes === null) return old;
      return updateEventDestination(trx, owner, id, { ...changes, updated: new Date(clock.now()) });
    });
    return this.#composed(row);
  }

  #composed(row: EventDestinationRow | null): EventDestination {
    if (row === null) throw missing('event_destination');
    return { id: row.id, row, url: this.#deps.secrets.url(row), secret: null };
  }

  async #requireRoom(
    trx: Trx,
    owner: OwnerId,
    before: Metadata | null,
    after: Metadata | null | undefined,
  ): Promise<void> {
    const { clock, limits } = this.#deps;
    const kind = { table: 'event_destinations', owner, now: clock.now() } as const;
    await requireMetadataRoom(trx, limits, kind, { before, after });
  }
}
