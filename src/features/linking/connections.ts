import { type Account, accountsOfConnections } from '../../storage/accounts.ts';
import {
  type Connection,
  type ConnectionFilter,
  findConnection,
  listConnections,
  lockConnection,
  updateConnection,
} from '../../storage/connections.ts';
import { type Consent, currentConsents } from '../../storage/consents.ts';
import type { Notices } from '../../storage/notices.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { type MetadataPatch, mergeMetadata, requireFittingMetadata } from '../../vocabulary/metadata.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { ConnectionStatus } from '../../vocabulary/states.ts';
import { requireMetadataRoom } from '../access/metadata-room.ts';
import type { RereadTurn } from '../provider-gateway/gateway-types.ts';
import { connectionStatus } from './connection-status.ts';
import { type Duplicates, duplicatesAmong } from './duplicate-accounts.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import { askForListing } from './listing-requests.ts';

/** A connection with what its status and counts are computed from. */
export interface LinkedConnection {
  readonly id: RowId<'connection'>;
  readonly connection: Connection;
  readonly status: ConnectionStatus;
  readonly consent: Consent | null;
  /** Newest first. */
  readonly accounts: readonly Account[];
  /** Of its accounts, those that another connection of the owner brings as well. */
  readonly duplicates: Duplicates;
}

export interface ConnectionUpdate {
  readonly metadata: MetadataPatch;
  /** Whether the bank that was linked is the right one, although another had been chosen. */
  readonly settlesChoice: boolean;
}

const PAGE = 100;
/** Per account record. In practice there are fewer, but a list without pages needs a limit. */
export const MOST_AT_ONCE = 1000;

type Dependencies = Pick<LinkingDependencies, 'db' | 'clock' | 'limits' | 'jobs' | 'personal' | 'gateway'> & {
  readonly notices: Pick<Notices, 'publish' | 'deliver'>;
};

/** Connections as their owner sees them. */
export class Connections {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: RowId<'connection'>): Promise<LinkedConnection> {
    const connection = await findConnection(this.#deps.db, owner, id);
    const [linked] = connection === null ? [] : await this.#compose(owner, [connection]);
    if (linked === undefined) throw missing('connection');
    return linked;
  }

  /** Newest first. Revoked connections are shown only where `filter.statuses` names them. */
  async list(owner: OwnerId, filter: ConnectionFilter, page: PageRequest): Promise<Page<LinkedConnection>> {
    const now = new Date(this.#deps.clock.now());
    const found = await listConnections(this.#deps.db, owner, filter, page, now);
    return { ...found, items: await this.#compose(owner, found.items) };
  }

  /** Every connection but those being deleted, newest first; beyond MOST_AT_ONCE, the oldest are left out. */
  async all(owner: OwnerId): Promise<LinkedConnection[]> {
    const found: LinkedConnection[] = [];
    for (let after: string | null = null; found.length < MOST_AT_ONCE; ) {
      const page: Page<LinkedConnection> = await this.list(
        owner,
        { statuses: [], provider: null },
        { limit: PAGE, after, before: null },
      );
      found.push(...page.items);
      after = page.items.at(-1)?.id ?? null;
      if (!page.hasMore) break;
    }
    return found;
  }

  /** Raises `resource_missing`, and `parameter_invalid` if the metadata would have too many pairs. */
  async update(
    owner: OwnerId,
    id: RowId<'connection'>,
    { metadata: patch, settlesChoice }: ConnectionUpdate,
  ): Promise<LinkedConnection> {
    const { db, clock, limits } = this.#deps;
    await db.transaction().execute(async (trx) => {
      const connection = await lockConnection(trx, owner, id);
      if (connection === null || connection.revoked_at !== null) throw missing('connection');
      const metadata = mergeMetadata(connection.metadata, patch);
      requireFittingMetadata(metadata, limits.metadata_pairs);
      const change = {
        metadata: JSON.stringify(metadata),
        ...(settlesChoice && { chosen_institution_id: null, chosen_institution_name: null }),
        updated: new Date(clock.now()),
      };
      await updateConnection(trx, owner, id, change);
      const sizes = { before: connection.metadata, after: metadata };
      await requireMetadataRoom(trx, limits, { table: 'connections', owner, now: clock.now() }, sizes);
    });
    return this.read(owner, id);
  }

  /**
   * Queues a job that has the provider fetch from the bank again, if it supports that, and lists the connection's
   * accounts; and purges what every process has cached of it, unless that was done a moment ago. Raises
   * `resource_missing`, and `upstream_auth_failed` for personal credentials of another account record.
   */
  async refresh(owner: OwnerId, id: RowId<'connection'>): Promise<RereadTurn> {
    const { db, clock, personal, gateway, notices } = this.#deps;
    const connection = await findConnection(db, owner, id);
    if (connection === null || connection.revoked_at !== null) throw missing('connection');
    personal.requireReadable(connection.provider, owner);
    await updateConnection(db, owner, id, { refresh_asked_at: new Date(clock.now()) });
    await askForListing(this.#deps, db, connection).catch((cause: unknown) => {
      throw new ServiceError('sync_dispatch_failed', {
        message: 'The refresh could not be queued; request it again.',
        cause,
      });
    });
    const turn = await gateway.takeRereadTurn(id);
    if (turn.taken) {
      const notice = { kind: 'connection', id } as const;
      await notices.publish(db, notice).catch(async (error: unknown) => {
        // Else the next refresh would report this purge, which no process has made.
        await turn.giveBack().catch(() => undefined);
        throw error;
      });
      notices.deliver(notice);
    }
    return turn;
  }

  async #compose(owner: OwnerId, connections: readonly Connection[]): Promise<LinkedConnection[]> {
    const { db, clock } = this.#deps;
    const ids = connections.map((connection) => connection.id);
    const consents = await currentConsents(db, owner, ids);
    const all = await accountsOfConnections(db, owner, ids);
    const accounts = Map.groupBy(all, (row) => row.connection);
    const duplicates = await duplicatesAmong(this.#deps, owner, all);
    return connections.map((connection) => {
      const consent = consents.get(connection.id) ?? null;
      return {
        id: connection.id,
        connection,
        consent,
        status: connectionStatus(connection, consent, clock.now()),
        accounts: accounts.get(connection.id) ?? [],
        duplicates,
      };
    });
  }
}
