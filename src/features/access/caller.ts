import type { AccountRecord } from '../../storage/account-records.ts';
import type { KnownApiKey } from '../../storage/api-keys.ts';
import type { CallerKind } from '../../vocabulary/caller-kinds.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { MemberRole } from '../../vocabulary/member-roles.ts';
import type { AgentScope } from '../../vocabulary/oauth-scopes.ts';
import type { Scope } from '../../vocabulary/scopes.ts';

/** What every caller has. */
interface CallerOf<K extends CallerKind> {
  readonly kind: K;
  /** As in CALLER_KINDS. Never the credential; random, so no two callers of any kind share one. */
  readonly id: string;
  readonly accountRecord: AccountRecord;
  /** Including the scopes that are implied by those granted. */
  readonly scopes: ReadonlySet<Scope>;
}

/** A caller with an API key. */
export interface ApiKeyCaller extends CallerOf<'api_key'> {
  readonly id: RowId<'api_key'>;
  readonly key: KnownApiKey;
}

/** A caller with the credentials of an app of the bridge. */
export interface BridgeAppCaller extends CallerOf<'bridge_app'> {
  /** Whether it gets amounts rounded to two decimals. */
  readonly twoDecimals: boolean;
  /** Whether it gets no `extra` members. */
  readonly leaveOutExtra: boolean;
}

/** An app that a person authorised: its token is for one resource, with the scopes that the person granted. */
export interface OAuthTokenCaller extends CallerOf<'oauth_token'> {
  readonly agentScopes: ReadonlySet<AgentScope>;
}

/** A person who has signed in to the web application, as a member of the account record. */
export interface SessionCaller extends CallerOf<'session'> {
  readonly user: RowId<'user'>;
  readonly role: MemberRole;
  /** When they signed in, epoch milliseconds. */
  readonly began: number;
}

/** The caller of a request: an account record, by a credential of one kind (docs/callers.md), with scopes. */
export type Caller = ApiKeyCaller | OAuthTokenCaller | SessionCaller | BridgeAppCaller;

const MINUTE_MS = 60_000;

/**
 * Whether the person signed in recently, so that it is surely they who use the browser: required for what outlasts the
 * session. `began`, `now`: epoch milliseconds.
 */
export function isFreshSignIn(
  began: number,
  now: number,
  limits: Pick<Limits, 'fresh_sign_in_minutes'>,
): boolean {
  return now - began < limits.fresh_sign_in_minutes * MINUTE_MS;
}
