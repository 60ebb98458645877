import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import type { Db } from '../../storage/database.ts';
import {
  countSavedViews,
  deleteSavedView,
  findSavedView,
  insertSavedView,
  listSavedViews,
  type SavedView,
  type SavedViewChange,
  updateSavedView,
} from '../../storage/saved-views.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';

type Id = RowId<'saved_view'>;

export interface SavedViewsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Filters of transactions that people keep under a name, on every device (docs/web.md#saved-views). */
export class SavedViews {
  readonly #deps: SavedViewsDependencies;

  constructor(deps: SavedViewsDependencies) {
    this.#deps = deps;
  }

  /** Raises `parameter_invalid` if the account record has the maximum. */
  async create(owner: OwnerId, { name, query }: Pick<SavedView, 'name' | 'query'>): Promise<SavedView> {
    const { db, clock, limits } = this.#deps;
    const now = new Date(clock.now());
    const id = rowId('saved_view', newRowId(clock));
    const row: SavedView = { id, account_record: owner, name, query, created: now, updated: now };
    await db.transaction().execute(async (trx) => {
      // Under its lock, two devices cannot both take the last place.
      await lockAccountRecord(trx, owner);
      if ((await countSavedViews(trx, owner)) >= limits.saved_views) {
        throw new ServiceError('parameter_invalid', {
          message: `There are already ${limits.saved_views} saved views, which is the maximum; delete one first.`,
        });
      }
      await insertSavedView(trx, row);
    });
    return row;
  }

  list(owner: OwnerId, page: PageRequest): Promise<Page<SavedView>> {
    return listSavedViews(this.#deps.db, owner, page);
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: Id): Promise<SavedView> {
    return present(await findSavedView(this.#deps.db, owner, id));
  }

  /** Raises `resource_missing`. */
  async update(owner: OwnerId, id: Id, change: SavedViewChange): Promise<SavedView> {
    const { db, clock } = this.#deps;
    return present(await updateSavedView(db, owner, id, change, new Date(clock.now())));
  }

  /** Raises `resource_missing`. */
  async delete(owner: OwnerId, id: Id): Promise<void> {
    if (!(await deleteSavedView(this.#deps.db, owner, id))) throw missing('saved view');
  }
}

function present(row: SavedView | null): SavedView {
  if (row === null) throw missing('saved view');
  return row;
}
