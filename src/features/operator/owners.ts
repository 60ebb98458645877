import { type Account, findAccount, ownerOfAccount } from '../../storage/accounts.ts';
import type { Db } from '../../storage/database.ts';
import { ownerOfSync } from '../../storage/syncs.ts';
import { type OwnerId, publicId, type RowId } from '../../vocabulary/ids.ts';
import { wrongState } from './refusal.ts';

/** Finds what the operator names by its id, in whichever account record it is. */
export class Owners {
  readonly #db: Db;

  constructor(parts: { readonly db: Db }) {
    this.#db = parts.db;
  }

  /** @throws OperatorRefusal if there is no such sync */
  async ofSync(id: RowId<'sync'>): Promise<OwnerId> {
    const owner = await ownerOfSync(this.#db, id);
    if (owner !== null) return owner;
    throw wrongState(`There is no sync ${publicId('sync', id)}. List the syncs with GET /v2/syncs.`);
  }

  /** A linked account. @throws OperatorRefusal if there is none with this id */
  async account(id: RowId<'account'>): Promise<Account> {
    const owner = await ownerOfAccount(this.#db, id);
    const found = owner === null ? null : await findAccount(this.#db, owner, id);
    if (found !== null) return found;
    throw wrongState(`There is no account ${publicId('account', id)}. Link one first.`);
  }
}
