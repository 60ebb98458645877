import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { DestinationConnector } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { DestinationTools } from '../destination-party.ts';
import { asUpstream } from '../kit/as-upstream.ts';
import { OAuth } from '../kit/oauth.ts';
import { VendorClient } from '../kit/vendor-client.ts';
import { AirtableApi } from './airtable-api.ts';
import { AirtableTable, missingTable } from './airtable-table.ts';
import { AirtableWriter } from './airtable-writer.ts';
import { Balances } from './balances.ts';
import { ColumnCache } from './column-cache.ts';
import { columnsOf, ID_COLUMN } from './columns.ts';
import { judged } from './failures.ts';
import { linkingOf, SCOPES } from './linking.ts';
import { checkTable, resourcesOf } from './resources.ts';
import { createTarget } from './target-creation.ts';

/** Ten full calls. */
const CHUNK_ROWS = 100;
const CHUNK_BYTES = 1024 * 1024;

export interface AirtableOptions extends Omit<DestinationTools, 'http'> {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly oauthUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Writes transactions as records of a table. A record is found again by its column Transaction ID. */
export function createAirtableConnector(options: AirtableOptions): DestinationConnector {
  const { http, clock, limits, quotas, baseUrl, tokenUrl, oauthUrl, clientId, clientSecret } = options;
  const oauth = new OAuth(
    {
      name: 'Airtable',
      authorizeUrl: `${oauthUrl}/oauth2/v1/authorize`,
      tokenUrl: `${tokenUrl}/oauth2/v1/token`,
      revokeUrl: null,
      clientId,
      clientSecret,
      credentialsIn: 'header',
      bodies: 'form',
      scope: SCOPES.join(' '),
      pkce: true,
      parameters: {},
    },
    { http, clock, limits },
  );
  const vendor = { name: 'Airtable', baseUrl, headers: {}, judge: judged };
  const api = new AirtableApi(new VendorClient({ vendor, oauth, http, clock, limits, quotas }));
  const cache = new ColumnCache();
  return {
    type: 'airtable',
    afterUnknown: 'resend',
    chunkRows: CHUNK_ROWS,
    chunkBytes: CHUNK_BYTES,
    linking: linkingOf(oauth, api),
    resources: resourcesOf(api, oauthUrl),
    checkTarget: (access, question, signal) =>
      asUpstream(() => checkTable(api, { access, signal, askedBy: 'person' }, question), signal),
    create: (access, request, signal) => createTarget(api, access, request, signal),
    open: async ({ access, target: { base_id: base, table_id: id }, sync, accountsWithRows }) => {
      if (access === null || base === undefined || id === undefined) {
        const known = { outcome: 'refused', retryable: false } as const;
        throw new DestinationFailure('run_failed', 'The destination has no grant, base or table.', known);
      }
      const columns = columnsOf(sync);
      const table = new AirtableTable({
        api,
        cache,
        name: [base, id, ...(sync.columns === null ? [] : columns.map(({ key }) => key))].join(' '),
        base,
        specs: columns,
        idKey: ID_COLUMN,
        locate: async (_by, tables) => {
          const found = tables.find((one) => one.id === id);
          if (found === undefined) throw missingTable();
          return found;
        },
      });
      const balances = new Balances(api, cache, base);
      return new AirtableWriter({
        ...{ api, oauth, clock, access, base, columns, tableId: id, table, balances },
        accountsWithRows,
      });
    },
  };
}
