import type { AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import { findGrantInForce, revokeOAuthGrant } from '../../storage/oauth-grants.ts';
import { deleteOAuthToken } from '../../storage/oauth-tokens.ts';
import { isRowId, type RowId } from '../../vocabulary/ids.ts';
import { MEMBER_ROLES, type MemberRole } from '../../vocabulary/member-roles.ts';
import {
  AGENT_SCOPES,
  type AgentScope,
  isAgentScope,
  type OAuthScope,
} from '../../vocabulary/oauth-scopes.ts';
import { impliedScopes, type Scope } from '../../vocabulary/scopes.ts';

/** The library's access to grants. They are created only on the consent page. */
export class OAuthGrants {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly notices: Notices }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#notices = deps.notices;
  }

  /** An active grant in the library's form, with the scopes that the person's role permits. */
  async find(id: string): Promise<AdapterPayload | undefined> {
    if (!isRowId('oauth_grant', id)) return undefined;
    const grant = await findGrantInForce(this.#db, id, new Date(this.#clock.now()));
    if (grant === null) return undefined;
    const scopes = grant.scopes.filter((scope) => mayGrant(grant.role, scope));
    return {
      kind: 'Grant',
      jti: id,
      accountId: grant.user_id,
      clientId: grant.client,
      resources: { [grant.resource]: scopes.join(' ') },
    };
  }

  /** Deletes one token; from the commit on, no process has it cached. */
  async removeToken(hash: Buffer): Promise<void> {
    const grant = await this.#db.transaction().execute(async (trx) => {
      const id = await deleteOAuthToken(trx, hash);
      if (id !== null) await this.#notices.publish(trx, { kind: 'oauth_grant', id });
      return id;
    });
    if (grant !== null) this.#notices.deliver({ kind: 'oauth_grant', id: grant });
  }

  /** From the commit on, none of its tokens works in any process. */
  async revoke(id: RowId<'oauth_grant'>): Promise<void> {
    const notice = { kind: 'oauth_grant', id } as const;
    await this.#db.transaction().execute(async (trx) => {
      await revokeOAuthGrant(trx, id, new Date(this.#clock.now()));
      await this.#notices.publish(trx, notice);
    });
    this.#notices.deliver(notice);
  }
}

/** Whether a member with the role can grant the scope: no one can grant what they may not do themselves. */
export function mayGrant(role: MemberRole, scope: OAuthScope): boolean {
  return isAgentScope(scope) || MEMBER_ROLES[role].scopes.includes(scope);
}

/** The scopes of a caller: those its token was issued for, and those they include. */
export interface HeldScopes {
  readonly scopes: ReadonlySet<Scope>;
  readonly agentScopes: ReadonlySet<AgentScope>;
}

/** The granted scopes that the person's role permits. */
export function heldScopes(granted: readonly OAuthScope[], role: MemberRole): HeldScopes {
  const held = granted.filter((scope) => mayGrant(role, scope));
  return {
    scopes: impliedScopes(held.filter((scope) => !isAgentScope(scope))),
    agentScopes: new Set(AGENT_SCOPES.filter((scope) => held.includes(scope))),
  };
}
