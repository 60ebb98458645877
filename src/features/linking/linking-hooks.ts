import type { Trx } from '../../storage/database.ts';
import type { RowId } from '../../vocabulary/ids.ts';

export interface LinkingHooks {
  /**
   * The connection is being revoked: whatever reads it stops. Called inside the transaction of the revocation, before
   * its accounts are deleted; what it writes commits with it.
   */
  readonly onConnectionRevoked: (
    trx: Trx,
    owner: RowId<'account_record'>,
    connection: RowId<'connection'>,
  ) => Promise<void>;
  /** The provider says that the connection has new data: whatever copies it is run. From a job, which is repeated where this raises. */
  readonly onProviderData: (owner: RowId<'account_record'>, connection: RowId<'connection'>) => Promise<void>;
}
