import { type Account, findAccount } from '../../storage/accounts.ts';
import type { Db } from '../../storage/database.ts';
import { findSync } from '../../storage/syncs.ts';
import { type OwnerId, publicId, type RowId } from '../../vocabulary/ids.ts';
import type { AccountRecords } from '../access/account-records.ts';
import { wrongState } from './refusal.ts';

/** Finds what the operator names by its id, in whichever account record it is. */
export class Owners {
  readonly #db: Db;
  readonly #accountRecords: Pick<AccountRecords, 'list'>;

  constructor(parts: { readonly db: Db; readonly accountRecords: Pick<AccountRecords, 'list'> }) {
    this.#db = parts.db;
    this.#accountRecords = parts.accountRecords;
  }

  /** @throws OperatorRefusal if there is no such sync */
  async ofSync(id: RowId<'sync'>): Promise<OwnerId> {
    for (const { id: owner } of await this.#accountRecords.list()) {
      if ((await findSync(this.#db, owner, id)) !== null) return owner;
    }
    throw wrongState(`There is no sync ${publicId('sync', id)}. List the syncs with GET /v2/syncs.`);
  }

  /** A linked account. @throws OperatorRefusal if there is none with this id */
  async account(id: RowId<'account'>): Promise<Account> {
    for (const { id: owner } of await this.#accountRecords.list()) {
      const found = await findAccount(this.#db, owner, id);
      if (found !== null) return found;
    }
    throw wrongState(`There is no account ${publicId('account', id)}. Link one first.`);
  }
}
