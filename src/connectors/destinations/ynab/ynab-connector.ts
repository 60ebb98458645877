import type { Clock } from '../../../platform/clock.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { DestinationConnector } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { OAuth } from '../kit/oauth.ts';
import { VendorClient } from '../kit/vendor-client.ts';
import type { Quotas } from '../quotas.ts';
import { createAccounts } from './account-creation.ts';
import { judge } from './judge.ts';
import { oauthVendor, ynabLinking } from './linking.ts';
import { ynabRead } from './read-failures.ts';
import { checkPlan, ynabResources } from './resources.ts';
import { MOST_AT_ONCE } from './transaction-writes.ts';
import { YnabApi } from './ynab-api.ts';
import { YnabWriter } from './ynab-writer.ts';

export interface YnabConnectorOptions {
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

/** Room for so many rows with the longest texts. */
const CHUNK_BYTES = 2 * 1024 * 1024;

/** YNAB, which skips what it has imported already: a chunk of unknown outcome is sent again. */
export function ynabConnector(options: YnabConnectorOptions): DestinationConnector {
  const { clock, limits, baseUrl } = options;
  const oauth = new OAuth(oauthVendor(options), options);
  const vendor = { name: 'YNAB', baseUrl, headers: {}, judge };
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
