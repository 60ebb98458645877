import type { AddressGuard } from '../../platform/address-guard.ts';
import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { SECRET_OVERLAP_MS } from '../../platform/webhook-signature.ts';
import { validateWebhookUrl } from '../../platform/webhook-url.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import type { Db, Trx } from '../../storage/database.ts';
import {
  countSyncs,
  type DestinationChange,
  type DestinationRow,
  deleteDestination,
  findDestination,
  findWebhookByUrl,
  insertDestination,
  listDestinations,
  lockDestination,
  updateDestination,
} from '../../storage/destinations.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import { findOpenRun } from '../../storage/sync-runs.ts';
import { lockSync, syncsOfDestination, updateSync } from '../../storage/syncs.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
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
import { DESTINATION_MOVES, StatusMove } from '../../vocabulary/states.ts';
import { requireMetadataRoom } from '../access/metadata-room.ts';
import type { EventTrigger } from '../events/event-log.ts';
import { deleteHeldSync } from '../syncs/run-queue.ts';
import { nextRunOf } from '../syncs/sync-schedules.ts';
import { firstName, grantReplacement, newDestinationRow } from './destination-rows.ts';
import type { DestinationSecrets } from './destination-secrets.ts';
import type { SignedIn } from './destination-sign-ins.ts';
import type { GrantRevocations } from './grant-revocations.ts';
import { samePlace, type TargetChecks, validateTarget } from './target-checks.ts';

type Id = RowId<'destination'>;

/** A destination as its owner sees it. `secret` is set only in the answer that made it. */
export interface Destination {
  readonly id: Id;
  readonly row: DestinationRow;
  readonly target: DestinationRow['target'];
  readonly syncCount: number;
  readonly secret: string | null;
}

export interface NewDestination {
  readonly type: DestinationType;
  /** Null: the vendor's name of it; only if a secret was accepted. */
  readonly name: string | null;
  readonly target: Readonly<Record<string, string>> | null;
  /** For a type that connects by `secret`: the outcome of trying it; null for every other. */
  readonly signedIn: SignedIn | null;
  readonly metadata: Metadata | null;
}

/** What there is of a new destination before it is stored. */
type Begun = Pick<Destination, 'row' | 'target' | 'secret'>;

export interface DestinationPatch {
  readonly name?: string;
  readonly target?: Readonly<Record<string, string>>;
  /** A new secret that was accepted: its grant replaces the old one. */
  readonly signedIn?: SignedIn;
  readonly metadata?: MetadataPatch;
}

export interface DestinationsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly guard: AddressGuard;
  readonly secrets: DestinationSecrets;
  readonly events: EventTrigger;
  readonly revocations: Pick<GrantRevocations, 'scheduleOf'>;
  readonly targets: Pick<TargetChecks, 'requireNew' | 'requireAim'>;
}

/** Where syncs write to (docs/resources.md#destination). */
export class Destinations {
  readonly #deps: DestinationsDependencies;

  constructor(deps: DestinationsDependencies) {
    this.#deps = deps;
  }

  /**
   * A destination that takes no person at the vendor's page: a webhook, active at once and with its signing secret, or
   * one that a secret was accepted for, active if it has a target. Raises `not_supported` for the types that are
   * linked by signing in, `parameter_missing` (`name`, `target.…`), `parameter_invalid` (`target.…`), as for an address
   * nothing may be sent to, `destination_exists`, and what TargetChecks raise.
   */
  async create(
    owner: OwnerId,
    input: NewDestination,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Destination> {
    const { db, clock, limits, secrets, targets } = this.#deps;
    const id = rowId('destination', newRowId(clock));
    const begun = this.#begun(owner, id, input);
    requireFittingMetadata(input.metadata, limits.metadata_pairs);
    if (begun.row.status === 'active') await targets.requireNew({ ...input, owner }, begun.target, signal);
    const row: DestinationRow = { ...begun.row, metadata: input.metadata };
    await inRetryableTransaction(db, 'destination_create_failed', async (trx) => {
      const { url } = begun.target;
      if (row.sealed_target !== null && url !== undefined) {
        await requireFreeUrl(trx, owner, secrets.targetMacs({ url }), null);
      }
      await insertDestination(trx, row);
      await requireMetadataRoom(
        trx,
        limits,
        { table: 'destinations', owner, now: clock.now() },
        { before: null, after: row.metadata },
      );
    });
    return { id, row, target: begun.target, syncCount: 0, secret: begun.secret };
  }

  #begun(owner: OwnerId, id: Id, { type, name, target, signedIn }: NewDestination): Begun {
    const { clock, secrets } = this.#deps;
    const given = { id, account_record: owner, type, mac_key: secrets.newMacKey(id) };
    const now = new Date(clock.now());
    if (signedIn !== null) {
      const row = newDestinationRow({ ...given, name: name ?? firstName(signedIn.name, type) }, now);
      const granted = { ...row, grant: secrets.sealGrant(id, signedIn.grant) };
      if (target === null) return { row: granted, target: {}, secret: null };
      const aimed = validateTarget(type, target);
      return { row: { ...granted, target: aimed, status: 'active' }, target: aimed, secret: null };
    }
    if (DESTINATION_KINDS[type].connects !== 'url') {
      throw new ServiceError('not_supported', {
        param: 'type',
        message: `Destinations of type ${type} are connected with a destination link.`,
      });
    }
    if (name === null) {
      throw new ServiceError('parameter_missing', { param: 'name', message: 'name is required.' });
    }
    const url = this.#allowedUrl(validateTarget(type, target ?? {}).url ?? '');
    const { secret, sealed } = secrets.newSigningSecret(id);
    const row = newDestinationRow({ ...given, name }, now);
    return {
      row: { ...row, ...secrets.sealTarget(id, { url }), status: 'active', signing_secret: sealed },
      target: { url },
      secret,
    };
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: Id): Promise<Destination> {
    return this.#composed(await findDestination(this.#deps.db, owner, id), null);
  }

  async list(owner: OwnerId, page: PageRequest): Promise<Page<Destination>> {
    const found = await listDestinations(this.#deps.db, owner, page);
    const ids = found.items.map((row) => row.id);
    const counts = await countSyncs(this.#deps.db, owner, ids);
    const items = found.items.map((row) => ({
      id: row.id,
      row,
      target: this.#deps.secrets.target(row),
      syncCount: counts.get(row.id) ?? 0,
      secret: null,
    }));
    return { ...found, items };
  }

  /**
   * A target makes a draft active; a new secret replaces the grant and ends `reauth_required`. Raises
   * `resource_missing`, `parameter_invalid`, `parameter_missing` (`target.…`), `destination_exists`,
   * `destination_in_use` if a sync has already written to another place, and what TargetChecks raise.
   */
  async update(
    owner: OwnerId,
    id: Id,
    patch: DestinationPatch,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Destination> {
    const { db, clock, limits } = this.#deps;
    if (patch.target !== undefined) await this.#requireAim(owner, id, patch.target, patch, signal);
    const row = await db.transaction().execute(async (trx) => {
      // Before the destination's own row: the order in which creation takes the two.
      if (patch.target !== undefined) await lockAccountRecord(trx, owner);
      const old = await lockDestination(trx, owner, id);
      if (old === null) throw missing('destination');
      const granted =
        patch.signedIn === undefined
          ? {}
          : await grantReplacement(this.#deps, trx, old, patch.signedIn.grant, 'new secret accepted');
      const aimed = patch.target === undefined ? {} : await this.#aimed(trx, old, patch.target);
      const metadata = patch.metadata && mergeMetadata(old.metadata, patch.metadata);
      requireFittingMetadata(metadata, limits.metadata_pairs);
      const changed = await updateDestination(trx, owner, id, {
        ...(patch.name === undefined ? {} : { name: patch.name }),
        ...granted,
        ...aimed,
        ...(metadata === undefined ? {} : { metadata }),
        updated: new Date(clock.now()),
      });
      await requireMetadataRoom(
        trx,
        limits,
        { table: 'destinations', owner, now: clock.now() },
        { before: old.metadata, after: metadata },
      );
      return changed;
    });
    return this.#composed(row, null);
  }

  /** Before the transaction, because the vendor is called. What is sure to be refused is refused without that. */
  async #requireAim(
    owner: OwnerId,
    id: Id,
    given: Readonly<Record<string, string>>,
    { signedIn = null }: { readonly signedIn?: SignedIn | null },
    signal: AbortSignal,
  ): Promise<void> {
    const { db, targets } = this.#deps;
    const row = await findDestination(db, owner, id);
    if (row === null) throw missing('destination');
    const target = validateTarget(row.type, given);
    await requireMovable(db, row, target);
    await targets.requireAim(row, signedIn, target, signal);
  }

  async #aimed(
    trx: Trx,
    old: DestinationRow,
    given: Readonly<Record<string, string>>,
  ): Promise<DestinationChange> {
    const { account_record: owner, id, status } = old;
    const target = validateTarget(old.type, given);
    if (DESTINATION_KINDS[old.type].connects === 'url') {
      const url = this.#allowedUrl(target.url ?? '');
      const { secrets } = this.#deps;
      await requireFreeUrl(trx, owner, secrets.targetMacs({ url }), id);
      return secrets.sealTarget(id, { url });
    }
    await requireMovable(trx, old, target);
    if (status !== 'incomplete') return { target };
    // What was being made for it is not what it is aimed at.
    const moved = StatusMove.of(DESTINATION_MOVES, 'target set', status);
    return { target, moved, creation_key: null, creating_until: null };
  }

  /**
   * Deletes the destination and the syncs that write to it, and has its grant ended at the vendor. What was written
   * there stays. Raises `destination_in_use` while a run is writing.
   */
  async delete(owner: OwnerId, id: Id): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const row = await lockDestination(trx, owner, id);
      if (row === null) throw missing('destination');
      for (const sync of await syncsOfDestination(trx, owner, id)) {
        await lockSync(trx, owner, sync);
        if ((await findOpenRun(trx, owner, sync))?.status === 'running') {
          throw new ServiceError('destination_in_use', { message: 'A run is writing to the destination.' });
        }
        await deleteHeldSync(this.#deps, trx, owner, sync);
      }
      await this.#deps.revocations.scheduleOf(trx, row);
      await deleteDestination(trx, owner, id);
    });
  }

  /** A new signing secret; for a day the old one signs too. Raises `not_a_webhook`. */
  async rotateSecret(owner: OwnerId, id: Id): Promise<Destination> {
    const { db, clock, secrets } = this.#deps;
    const { secret, sealed } = secrets.newSigningSecret(id);
    const now = clock.now();
    const row = await inRetryableTransaction(db, 'destination_rotate_failed', async (trx) => {
      const old = await lockDestination(trx, owner, id);
      if (old === null) throw missing('destination');
      if (!DESTINATION_KINDS[old.type].signingSecret) throw new ServiceError('not_a_webhook');
      return updateDestination(trx, owner, id, {
        signing_secret: sealed,
        previous_secret: old.signing_secret,
        previous_secret_until: new Date(now + SECRET_OVERLAP_MS),
        updated: new Date(now),
      });
    });
    return this.#composed(row, secret);
  }

  /** Makes a disabled webhook active, its failures forgotten, its syncs scheduled again. */
  async enable(owner: OwnerId, id: Id): Promise<Destination> {
    const { db, clock, limits } = this.#deps;
    const now = clock.now();
    const row = await db.transaction().execute(async (trx) => {
      const old = await lockDestination(trx, owner, id);
      if (old === null) throw missing('destination');
      if (old.status !== 'disabled') return old;
      for (const sync of await syncsOfDestination(trx, owner, id)) {
        const held = await lockSync(trx, owner, sync);
        if (held === null) continue;
        const next = nextRunOf(held, now, limits);
        await updateSync(trx, owner, sync, {
          next_run_at: held.enabled ? next : null,
          ...(held.attention === 'destination_disabled' ? { attention: null } : {}),
        });
      }
      return updateDestination(trx, owner, id, {
        moved: StatusMove.of(DESTINATION_MOVES, 'enabled', old.status),
        failed_runs: 0,
        first_failed_at: null,
        updated: new Date(now),
      });
    });
    return this.#composed(row, null);
  }

  async #composed(row: DestinationRow | null, secret: string | null): Promise<Destination> {
    if (row === null) throw missing('destination');
    const counts = await countSyncs(this.#deps.db, row.account_record, [row.id]);
    const target = this.#deps.secrets.target(row);
    return { id: row.id, row, target, syncCount: counts.get(row.id) ?? 0, secret };
  }

  /** In the one spelling that is stored. */
  #allowedUrl(text: string): string {
    const judged = validateWebhookUrl(this.#deps.guard, text);
    if ('refusal' in judged) throw invalidParameter('target.url', judged.refusal);
    return judged.url;
  }
}

/** The ledger is about the old place, so rows would be missing in the new one. Webhooks have no place. */
async function requireMovable(
  db: Db | Trx,
  { account_record: owner, id, type, status, target: old }: DestinationRow,
  target: Readonly<Record<string, string>>,
): Promise<void> {
  if (DESTINATION_KINDS[type].connects === 'url' || status === 'incomplete') return;
  if (samePlace(old, target) || (await syncsOfDestination(db, owner, id)).length === 0) return;
  throw new ServiceError('destination_in_use', {
    param: 'target',
    message: 'A sync writes to this destination; delete the sync, or connect another destination.',
  });
}

/** Under the account record's lock, so that two at once cannot both find the URL free. */
async function requireFreeUrl(
  trx: Trx,
  owner: OwnerId,
  macs: readonly string[],
  own: Id | null,
): Promise<void> {
  await lockAccountRecord(trx, owner);
  const taken = await findWebhookByUrl(trx, owner, macs);
  if (taken !== null && taken !== own) throw new ServiceError('destination_exists', { param: 'target.url' });
}
