import type { JSONColumnType } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { OAuthScope } from '../vocabulary/oauth-scopes.ts';
import type { Moment, NullableMoment } from './identity-tables.ts';

/** Tokens and codes that the authorization server issues and a client sends back; stored only as SHA-256. */
export const OAUTH_TOKEN_KINDS = ['authorization_code', 'access_token', 'refresh_token'] as const;
export type OAuthTokenKind = (typeof OAUTH_TOKEN_KINDS)[number];

/**
 * An app that registered itself (RFC 7591) or that its metadata document describes. One that no person authorizes is
 * deleted again.
 */
export interface OAuthClientsTable {
  /** The client id. */
  id: string;
  /** A MAC of the network it registered from, or of the host of its metadata document. */
  network: Uint8Array;
  /** The same for the larger network, of which one holder can have many of these. */
  site: Uint8Array;
  /** What it registered, with its secret if it has one, or the content of its metadata document; sealed. */
  metadata: Uint8Array;
  created: Moment;
}

/**
 * A person's authorization of an app, for one resource of one account record; its status follows from its timestamps.
 */
export interface OAuthGrantsTable {
  id: RowId<'oauth_grant'>;
  account_record: OwnerId;
  user_id: RowId<'user'>;
  /** The client id: issued on registration, or the https address of its metadata. */
  client: string;
  client_name: string | null;
  /** Where the app had the person redirected: a host, or the URL scheme of a native app. */
  redirect_to: string;
  resource: string;
  scopes: OAuthScope[];
  /** When the last of its tokens expires. */
  expires_at: Moment;
  last_used_at: NullableMoment;
  revoked_at: NullableMoment;
  created: Moment;
  updated: Moment;
}

/** What the library stores of a token, except the token itself. */
export type OAuthTokenPayload = Readonly<Record<string, unknown>>;

export interface OAuthTokensTable {
  /** SHA-256 of the token. */
  id: Uint8Array;
  kind: OAuthTokenKind;
  grant_id: RowId<'oauth_grant'>;
  /** The scopes it was issued for: fewer than those of the grant if the app asked for fewer. */
  scopes: string[];
  /** How many refreshes preceded it; 0 for a code. */
  generation: number;
  payload: JSONColumnType<OAuthTokenPayload>;
  expires_at: Moment;
  /** For an access token: when it was first used, which does not consume it. */
  consumed_at: NullableMoment;
  created: Moment;
}

/** A request for authorization that a signed-in person has not answered yet. */
export interface OAuthInteractionsTable {
  /** SHA-256 of the id in the address and the cookie of the page. */
  id: Uint8Array;
  user_id: RowId<'user'>;
  payload: Uint8Array;
  expires_at: Moment;
  created: Moment;
}

export interface OAuthTables {
  oauth_clients: OAuthClientsTable;
  oauth_grants: OAuthGrantsTable;
  oauth_tokens: OAuthTokensTable;
  oauth_interactions: OAuthInteractionsTable;
}

/** A setup token that an app claims once; its status follows from its timestamps. */
export interface SimplefinSetupTokensTable {
  id: RowId<'simplefin_setup_token'>;
  account_record: OwnerId;
  /** The name of the app that claims it. */
  name: string;
  /** The initial value of that app's `two_decimals`. */
  two_decimals: boolean;
  /** The initial value of that app's `leave_out_extra`. */
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
  account_record: OwnerId;
  setup_token: RowId<'simplefin_setup_token'>;
  name: string;
  /** Whether it is sent amounts rounded to two decimals, for apps that treat the last two digits as cents. */
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
