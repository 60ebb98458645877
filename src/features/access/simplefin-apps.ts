import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import {
  findSimplefinApp,
  findSimplefinAppOwner,
  listSimplefinApps,
  revokeSimplefinApp,
  type SimplefinApp,
  type SimplefinAppChange,
  updateSimplefinApp,
} from '../../storage/simplefin-apps.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import type { Scope } from '../../vocabulary/scopes.ts';
import { missing } from '../../vocabulary/service-error.ts';

/** What an app of the bridge may do: read. */
export const APP_SCOPES: readonly Scope[] = ['data:read'];

/** Programs connected over the bridge, each with credentials of its own (docs/simplefin.md). */
export class SimplefinApps {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly notices: Notices }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#notices = deps.notices;
  }

  /** Raises `resource_missing`. */
  async find(owner: OwnerId, id: RowId<'simplefin_app'>): Promise<SimplefinApp> {
    const app = await findSimplefinApp(this.#db, owner, id);
    if (app === null) throw missing('app');
    return app;
  }

  list(owner: OwnerId, request: PageRequest): Promise<Page<SimplefinApp>> {
    return listSimplefinApps(this.#db, owner, request);
  }

  /** For the operator, who identifies an app by its id alone. Raises `resource_missing`. */
  async ownerOf(id: RowId<'simplefin_app'>): Promise<OwnerId> {
    const owner = await findSimplefinAppOwner(this.#db, id);
    if (owner === null) throw missing('app');
    return owner;
  }

  /** From the commit on, the change applies in every process. Raises `resource_missing`. */
  update(owner: OwnerId, id: RowId<'simplefin_app'>, change: SimplefinAppChange): Promise<SimplefinApp> {
    return this.#changed(id, (trx, now) => updateSimplefinApp(trx, owner, id, change, now));
  }

  /** From the commit on, its credentials work nowhere. Revoking it again changes nothing. Raises `resource_missing`. */
  revoke(owner: OwnerId, id: RowId<'simplefin_app'>): Promise<SimplefinApp> {
    return this.#changed(id, (trx, now) => revokeSimplefinApp(trx, owner, id, now));
  }

  /** Changes the app and makes every process forget what it has cached of it. */
  async #changed(
    id: RowId<'simplefin_app'>,
    change: (trx: Db, now: Date) => Promise<SimplefinApp | null>,
  ): Promise<SimplefinApp> {
    const notice = { kind: 'simplefin_app', id } as const;
    const app = await this.#db.transaction().execute(async (trx) => {
      const changed = await change(trx, new Date(this.#clock.now()));
      if (changed === null) throw missing('app');
      await this.#notices.publish(trx, notice);
      return changed;
    });
    this.#notices.deliver(notice);
    return app;
  }
}
