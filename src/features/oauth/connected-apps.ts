import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import {
  findOAuthGrant,
  findOAuthGrantOwner,
  grantsInForceOf,
  listOAuthGrants,
  type OAuthGrant,
} from '../../storage/oauth-grants.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { missing } from '../../vocabulary/service-error.ts';
import type { ConnectedAppStatus } from '../../vocabulary/states.ts';
import type { OAuthGrants } from './oauth-grants.ts';

type Id = RowId<'oauth_grant'>;

/** A grant and its current status. */
export interface ConnectedApp extends OAuthGrant {
  readonly status: ConnectedAppStatus;
}

/** Apps that people connected to an account record, each with its own grant (docs/oauth.md). */
export class ConnectedApps {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #grants: OAuthGrants;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly grants: OAuthGrants }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#grants = deps.grants;
  }

  /** Raises `resource_missing`. */
  async find(owner: OwnerId, id: Id): Promise<ConnectedApp> {
    const grant = await findOAuthGrant(this.#db, owner, id);
    if (grant === null) throw missing('app');
    return this.#now(grant);
  }

  async list(owner: OwnerId, request: PageRequest): Promise<Page<ConnectedApp>> {
    const page = await listOAuthGrants(this.#db, owner, request);
    return { ...page, items: page.items.map((grant) => this.#now(grant)) };
  }

  /** The active ones that a person connected to the account record, newest first. */
  ofPerson(owner: OwnerId, user: RowId<'user'>): Promise<OAuthGrant[]> {
    return grantsInForceOf(this.#db, owner, user, new Date(this.#clock.now()));
  }

  /** Disconnects an app that the person connected. Raises `resource_missing`. */
  async revokeOwn(owner: OwnerId, user: RowId<'user'>, id: Id): Promise<void> {
    const grant = await findOAuthGrant(this.#db, owner, id);
    if (grant?.user_id !== user) throw missing('app');
    await this.#grants.revoke(id);
  }

  /** For the operator, who names an app only by its id. Raises `resource_missing`. */
  async ownerOf(id: Id): Promise<OwnerId> {
    const owner = await findOAuthGrantOwner(this.#db, id);
    if (owner === null) throw missing('app');
    return owner;
  }

  /** From the commit on, its tokens are refused in every process. Idempotent. Raises `resource_missing`. */
  async revoke(owner: OwnerId, id: Id): Promise<ConnectedApp> {
    await this.find(owner, id);
    await this.#grants.revoke(id);
    return this.find(owner, id);
  }

  #now(grant: OAuthGrant): ConnectedApp {
    if (grant.revoked_at !== null) return { ...grant, status: 'revoked' };
    return { ...grant, status: grant.expires_at.getTime() > this.#clock.now() ? 'active' : 'expired' };
  }
}
