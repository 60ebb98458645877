import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientMetadata, errors, type default as Provider } from 'oidc-provider';
import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import type { Db } from '../../storage/database.ts';
import { countGrantsInForce, deleteSurplusGrants, insertOAuthGrant } from '../../storage/oauth-grants.ts';
import { publicId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { OAuthScope } from '../../vocabulary/oauth-scopes.ts';
import { gateOpens } from '../../vocabulary/plans.ts';
import { showableName } from '../../vocabulary/shown-names.ts';
import type { SessionCaller } from '../access/caller.ts';
import { planStateOf } from '../access/plan-gates.ts';
import { type AuditLog, byCaller, type Origin } from '../audit/audit-log.ts';
import { isDocumentId, type OAuthClients } from './oauth-clients.ts';
import { mayGrant } from './oauth-grants.ts';
import type { OAuthResource, OAuthResources } from './oauth-resources.ts';
import { type RedirectPlace, redirectPlace } from './redirect-rules.ts';

/** Time for the app to exchange its code; its first token extends the grant. */
const GRANT_MS = 300_000;

/** Why a requested scope cannot be granted: the person's role, or the plan. */
export type ScopeObjection = 'role' | 'plan';

export interface AskedScope {
  readonly scope: OAuthScope;
  readonly objection: ScopeObjection | null;
}

/** An authorization request of an app, as shown to the signed-in person. */
export interface AppRequest {
  readonly client: string;
  readonly clientName: string | null;
  /**
   * The host of the client id if that is the address of a metadata document; null for an app that registered itself.
   */
  readonly clientHost: string | null;
  readonly clientMetadata: ClientMetadata;
  readonly redirect: RedirectPlace;
  readonly redirectUri: string;
  readonly resource: OAuthResource;
  readonly asked: readonly AskedScope[];
  /** Whether the plan allows no apps at all. */
  readonly closed: boolean;
}

/** The outcome of a decision. */
export type AppDecision =
  | { readonly kind: 'go'; readonly url: string; readonly to: RedirectPlace['kind'] }
  | { readonly kind: 'nothing_chosen'; readonly request: AppRequest }
  | { readonly kind: 'full'; readonly request: AppRequest }
  | { readonly kind: 'gone' };

/** A browser's request and the response to it, as the library expects them. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export interface AppRequestDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly resources: OAuthResources;
  readonly provider: Provider;
  readonly clients: Pick<OAuthClients, 'keepDocument'>;
  readonly auditLog: Pick<AuditLog, 'record'>;
}

/** The operations of the consent page. All of them run for a person, in `asking`. */
export class AppRequests {
  readonly #deps: AppRequestDeps;

  constructor(deps: AppRequestDeps) {
    this.#deps = deps;
  }

  /** The request that the page shows; null if it has ended or belongs to another person. */
  async find({ req, res }: Exchange, person: SessionCaller): Promise<AppRequest | null> {
    const { provider, resources } = this.#deps;
    const params = await this.#paramsOf(req, res);
    if (params === null) return null;
    const { client_id: id, redirect_uri: redirectUri, resource: identifier, scope } = params;
    const resource = resources.find(identifier ?? '');
    const client = id === undefined ? undefined : await provider.Client.find(id);
    if (client === undefined || resource === null || redirectUri === undefined) return null;
    const scopes = new Set((scope ?? '').split(' '));
    return {
      client: client.clientId,
      clientName: client.clientName === undefined ? null : showableName(client.clientName),
      clientHost: URL.parse(client.clientId)?.host ?? null,
      clientMetadata: client.metadata(),
      redirect: redirectPlace(redirectUri),
      redirectUri,
      resource,
      asked: resource.scopes
        .filter((one) => scopes.has(one))
        .map((one) => ({ scope: one, objection: this.#objection(one, person) })),
      closed: !this.#gate('api_access', person),
    };
  }

  /** Grants the chosen ones of the requested scopes, and returns where to redirect the browser. */
  async allow(
    exchange: Exchange,
    person: SessionCaller,
    chosen: ReadonlySet<string>,
    from: Origin,
  ): Promise<AppDecision> {
    const request = await this.find(exchange, person);
    if (request === null || request.closed) return { kind: 'gone' };
    const granted = request.asked.filter(({ scope, objection }) => objection === null && chosen.has(scope));
    if (granted.length === 0) return { kind: 'nothing_chosen', request };
    const grantId = await this.#grant(
      request,
      person,
      granted.map(({ scope }) => scope),
      from,
    );
    if (grantId === null) return { kind: 'full', request };
    const login = { accountId: person.user, remember: false };
    return this.#answer(exchange, request.redirect.kind, { login, consent: { grantId } });
  }

  /** The app gets `access_denied`. */
  async deny(exchange: Exchange): Promise<AppDecision> {
    const params = await this.#paramsOf(exchange.req, exchange.res);
    if (params?.redirect_uri === undefined) return { kind: 'gone' };
    return this.#answer(exchange, redirectPlace(params.redirect_uri).kind, {
      error: 'access_denied',
      error_description: 'the person did not let the app in',
    });
  }

  async #answer(
    { req, res }: Exchange,
    to: RedirectPlace['kind'],
    result: Parameters<Provider['interactionResult']>[2],
  ): Promise<AppDecision> {
    try {
      return { kind: 'go', to, url: await this.#deps.provider.interactionResult(req, res, result) };
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return { kind: 'gone' };
      throw error;
    }
  }

  async #paramsOf(
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<Readonly<Partial<Record<string, string>>> | null> {
    try {
      const { params } = await this.#deps.provider.interactionDetails(req, res);
      return Object.fromEntries(
        Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      );
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return null;
      throw error;
    }
  }

  /** Null if the account record, or the person in it, has the maximum of connected apps. */
  async #grant(
    request: AppRequest,
    person: SessionCaller,
    scopes: OAuthScope[],
    from: Origin,
  ): Promise<string | null> {
    const { db, clock, limits, clients, auditLog } = this.#deps;
    const now = new Date(clock.now());
    const { accountRecord, user } = person;
    return db.transaction().execute(async (trx) => {
      await lockAccountRecord(trx, accountRecord.id);
      const { all, own } = await countGrantsInForce(trx, accountRecord.id, user, now);
      if (all >= limits.connected_apps || own >= limits.connected_apps_per_user) return null;
      // As many ended ones stay listed as there can be active ones.
      await deleteSurplusGrants(trx, accountRecord.id, now, limits.connected_apps);
      const id = rowId('oauth_grant', newRowId(clock));
      if (isDocumentId(request.client)) {
        await clients.keepDocument(trx, request.client, request.clientMetadata);
      }
      await insertOAuthGrant(trx, {
        id,
        account_record: accountRecord.id,
        user_id: user,
        client: request.client,
        client_name: request.clientName,
        redirect_to: request.redirect.shown,
        resource: request.resource.identifier,
        scopes,
        expires_at: new Date(now.getTime() + GRANT_MS),
        last_used_at: null,
        revoked_at: null,
        created: now,
        updated: now,
      });
      await auditLog.record(trx, accountRecord.id, {
        kind: 'connected_app.allowed',
        by: byCaller(person),
        from,
        target: publicId('oauth_grant', id),
      });
      return id;
    });
  }

  #objection(scope: OAuthScope, person: SessionCaller): ScopeObjection | null {
    if (!mayGrant(person.role, scope)) return 'role';
    return scope === 'brokerage:read' && !this.#gate('brokerage_data', person) ? 'plan' : null;
  }

  #gate(name: 'api_access' | 'brokerage_data', { accountRecord }: SessionCaller): boolean {
    return gateOpens(name, planStateOf(accountRecord, this.#deps.clock.now()));
  }
}
