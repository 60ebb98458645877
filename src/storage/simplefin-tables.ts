import type { RowId } from '../vocabulary/ids.ts';
import type { Moment, NullableMoment } from './identity-tables.ts';

/** What an app claims once to become one; status follows from its moments. */
export interface SimplefinSetupTokensTable {
  id: RowId<'simplefin_setup_token'>;
  account_record: RowId<'account_record'>;
  /** The name of the app that claims it. */
  name: string;
  /** What `two_decimals` of that app is at first. */
  two_decimals: boolean;
  /** What `leave_out_extra` of that app is at first. */
  leave_out_extra: boolean;
  /** SHA-256 of the token in the claim address. */
  token_hash: Uint8Array;
  expires_at: Moment;
  claimed_at: NullableMoment;
  /** The app that claimed it. */
  app: RowId<'simplefin_app'> | null;
  revoked_at: NullableMoment;
  created: Moment;
  updated: Moment;
}

/** A program with credentials of its own for the bridge. */
export interface SimplefinAppsTable {
  id: RowId<'simplefin_app'>;
  account_record: RowId<'account_record'>;
  setup_token: RowId<'simplefin_setup_token'>;
  name: string;
  /** Whether it is sent amounts rounded to two decimals, for apps that take the last two digits for cents. */
  two_decimals: boolean;
  /** Whether it is sent no `extra` members. */
  leave_out_extra: boolean;
  /** SHA-256 of user name, colon and password. */
  credentials_hash: Uint8Array;
  last_used_at: NullableMoment;
  revoked_at: NullableMoment;
  created: Moment;
  updated: Moment;
}

export interface SimplefinTables {
  simplefin_setup_tokens: SimplefinSetupTokensTable;
  simplefin_apps: SimplefinAppsTable;
}
