import type { AdapterPayload, ClientMetadata } from 'oidc-provider';
import type { Clock } from '../../platform/clock.ts';
import { keyedMac } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { clientNetwork, clientSite } from '../../platform/network-addresses.ts';
import { Sealer } from '../../platform/sealing.ts';
import type { Db, Trx } from '../../storage/database.ts';
import {
  countRegistrations,
  deleteUnusedOAuthClients,
  findOAuthClient,
  insertOAuthClient,
  putOAuthClient,
  type RegistrationQuota,
} from '../../storage/oauth-clients.ts';
import { FIXED_LIMITS, type Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { asking } from './asking.ts';

/** The purpose for which these values are sealed. */
export const OAUTH_SEAL = 'oauth';

const HOUR_MS = 3_600_000;
export const REGISTRATION_RETRY_SECONDS = HOUR_MS / 1000;
export const TOO_MANY_REGISTRATIONS = 'Too many apps were registered from your network. Try again later.';
/** The formats of client ids: those issued here, and addresses. */
const CLIENT_ID = /^(?:[0-9A-Za-z]{1,100}|https:\/\/[\x21-\x7e]+)$/;

export interface OAuthClientDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly limits: Limits;
}

/** Apps that registered themselves (RFC 7591), and the metadata documents of others as of when they were connected. */
export class OAuthClients {
  readonly #deps: OAuthClientDeps;
  readonly #sealer: Sealer;

  constructor(deps: OAuthClientDeps) {
    this.#deps = deps;
    this.#sealer = new Sealer(deps.keyring, OAUTH_SEAL);
  }

  /**
   * Called before a registration is read. Raises `rate_limit_exceeded` if the network has registered too many within
   * the last hour.
   */
  async admit(address: string): Promise<void> {
    const { most, since } = this.#quota();
    if ((await countRegistrations(this.#deps.db, this.#network(address), since)) < most) return;
    throw new ServiceError('rate_limit_exceeded', {
      message: TOO_MANY_REGISTRATIONS,
      retryAfterSeconds: REGISTRATION_RETRY_SECONDS,
    });
  }

  /** False, with nothing added, if concurrent registrations from the network used up its limit. */
  async add(id: string, metadata: AdapterPayload, address: string): Promise<boolean> {
    const { db, clock, limits } = this.#deps;
    const now = clock.now();
    const client = {
      id,
      network: this.#network(address),
      site: keyedMac(this.#deps.keyring.derive('oauth-network'), 'site', clientSite(address)),
      metadata: this.#sealer.seal(JSON.stringify(metadata), contextOf(id)),
    };
    const since = new Date(now - limits.oauth_unused_client_hours * HOUR_MS);
    const room = { unused: limits.oauth_unused_clients, since };
    return insertOAuthClient(db, client, this.#quota(), room, new Date(now));
  }

  /**
   * What the client registered, or what its document said when it was connected; undefined for one that did neither, or
   * was deleted because it was never connected. A signed-in person is shown the current document: see ClientDocuments.
   */
  async find(id: string): Promise<AdapterPayload | undefined> {
    if (id.length > FIXED_LIMITS.url_characters || !CLIENT_ID.test(id)) return undefined;
    if (isDocumentId(id) && asking.getStore()?.user != null) return undefined;
    const client = await findOAuthClient(this.#deps.db, id);
    if (client === null) return undefined;
    const opened = this.#sealer.open(Buffer.from(client.metadata), contextOf(id));
    return JSON.parse(opened.toString('utf8'));
  }

  /**
   * Stores a client's document for as long as a grant refers to it, within the transaction that creates the grant, so
   * that tokens are renewed without fetching it again.
   */
  async keepDocument(trx: Trx, id: string, metadata: ClientMetadata): Promise<void> {
    const { clock, keyring } = this.#deps;
    const host = keyedMac(keyring.derive('oauth-network'), 'document', new URL(id).host);
    const client = {
      id,
      network: host,
      site: host,
      metadata: this.#sealer.seal(JSON.stringify(metadata), contextOf(id)),
    };
    await putOAuthClient(trx, client, new Date(clock.now()));
  }

  /** Deletes at most `limit` apps that were not connected in time, or no longer are; returns how many. */
  async sweep(limit: number): Promise<number> {
    const { db, clock, limits } = this.#deps;
    const before = new Date(clock.now() - limits.oauth_unused_client_hours * HOUR_MS);
    return deleteUnusedOAuthClients(db, before, limit);
  }

  #quota(): RegistrationQuota {
    const { clock, limits } = this.#deps;
    return { most: limits.oauth_registrations_per_hour, since: new Date(clock.now() - HOUR_MS) };
  }

  #network(address: string): Buffer {
    return keyedMac(this.#deps.keyring.derive('oauth-network'), clientNetwork(address));
  }
}

/** Whether the client id is the address of a document. */
export function isDocumentId(id: string): boolean {
  return id.startsWith('https://');
}

function contextOf(id: string): string {
  return `oauth_clients/${id}/metadata`;
}
