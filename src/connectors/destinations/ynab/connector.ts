import type { Clock } from '../../../platform/clock.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { Quotas } from '../../../platform/quotas.ts';
import type { AuthorizationCallback } from '../../../vocabulary/authorization.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type {
  AuthorizationOutcome,
  DestinationConnector,
  DestinationLinking,
} from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { freshAccess, OAuth, type OAuthVendor, writeGrant } from '../kit/oauth.ts';
import { VendorClient } from '../kit/vendor-client.ts';
import { YnabApi } from './client.ts';
import { createAccounts } from './creation.ts';
import { judgeYnab, ynabRead } from './failures.ts';
import { checkPlan, ynabResources } from './resources.ts';
import { MOST_AT_ONCE } from './transaction-writes.ts';
import { YnabWriter } from './writer.ts';

interface YnabConnectorOptions {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly quotas: Quotas;
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly oauthUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Room for this many rows with the longest texts. */
const CHUNK_BYTES = 2 * 1024 * 1024;

/** YNAB, which skips what it has already imported: a chunk with an unknown outcome is sent again. */
export function ynabConnector(options: YnabConnectorOptions): DestinationConnector {
  const { clock, limits, baseUrl } = options;
  const oauth = new OAuth(oauthVendor(options), options);
  const vendor = { name: 'YNAB', baseUrl, headers: {}, judge: judgeYnab };
  const client = new VendorClient({ ...options, vendor, oauth });
  return {
    type: 'ynab',
    afterUnknown: 'resend',
    chunkRows: MOST_AT_ONCE,
    chunkBytes: CHUNK_BYTES,
    linking: ynabLinking(oauth, client, limits),
    resources: ynabResources(client, limits),
    checkTarget: (access, question, signal) => {
      const api = new YnabApi(client, access, limits, 'as a person');
      return ynabRead(() => checkPlan(api, question, signal), signal);
    },
    create: (access, request, signal) =>
      createAccounts(new YnabApi(client, access, limits, 'as a person'), request, signal),
    open: async ({ access, target, sync, recorded }) => {
      const plan = target.budget_id;
      if (access === null || plan === undefined || sync.type !== 'transactions') {
        throw new DestinationFailure('run_failed', 'The destination has no grant of YNAB or no plan.', {
          outcome: 'refused',
          retryable: false,
        });
      }
      return new YnabWriter(new YnabApi(client, access, limits, 'as a run'), plan, { sync, recorded }, clock);
    },
  };
}

/** YNAB's API cannot end a grant: people do that in its settings. Without a scope, a grant may write. */
function oauthVendor(settings: {
  readonly oauthUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}): OAuthVendor {
  const { oauthUrl, tokenUrl, clientId, clientSecret } = settings;
  return {
    name: 'YNAB',
    authorizeUrl: `${oauthUrl.replace(/\/+$/, '')}/oauth/authorize`,
    tokenUrl: `${tokenUrl.replace(/\/+$/, '')}/oauth/token`,
    revokeUrl: null,
    clientId,
    clientSecret,
    credentialsIn: 'body',
    bodies: 'form',
    scope: null,
    pkce: false,
    parameters: {},
  };
}

/** Signs people in. The grant contains the user, whose calls YNAB counts. */
function ynabLinking(oauth: OAuth, client: VendorClient, limits: Limits): DestinationLinking {
  return {
    begin: async (request) => oauth.page(request),
    complete: (callback, signal) => completed({ oauth, client, limits }, callback, signal),
  };
}

async function completed(
  parts: { readonly oauth: OAuth; readonly client: VendorClient; readonly limits: Limits },
  callback: AuthorizationCallback,
  signal: AbortSignal,
): Promise<AuthorizationOutcome> {
  const tokens = await parts.oauth.exchange(callback, signal);
  if (typeof tokens === 'string') return { kind: 'refused', reason: tokens };
  const { access, refresh, expires } = tokens;
  const unnamed = writeGrant({ access, refresh, expires, holder: '' });
  const api = new YnabApi(parts.client, freshAccess(unnamed), parts.limits, 'as a person');
  const holder = await ynabRead(() => api.user(signal), signal);
  return { kind: 'linked', grant: writeGrant({ access, refresh, expires, holder }), name: 'YNAB' };
}
