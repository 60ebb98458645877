import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type {
  AuthorizationOutcome,
  CreatedTarget,
  CreationRequest,
  DestinationAccess,
  DestinationConnector,
  DestinationLinking,
} from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { DestinationTools } from '../destination-integration.ts';
import { asUpstream } from '../kit/failures.ts';
import { freshAccess, OAuth, writeGrant } from '../kit/oauth.ts';
import { VendorClient } from '../kit/vendor-client.ts';
import { AirtableApi } from './client.ts';
import { columnsOf, ID_COLUMN, newField, PRIMARY_COLUMN, TRANSACTION_COLUMNS } from './columns.ts';
import { judged } from './failures.ts';
import { checkTable, resourcesOf } from './resources.ts';
import { AirtableTable, missingTable } from './table.ts';
import { ColumnCache, freeName } from './table-columns.ts';
import { AirtableWriter, Balances } from './writer.ts';

/**
 * A table in an existing base: creating a base would need the id of a workspace, which Airtable shows only to
 * administrators. The table has the key in its description, and is found by it.
 */
async function createTarget(
  api: AirtableApi,
  access: DestinationAccess,
  { key, name, parent, target }: CreationRequest,
  signal: AbortSignal,
): Promise<CreatedTarget> {
  if (target !== null) return { target, mappings: [] };
  if (parent === null) {
    throw new DestinationFailure(
      'destination_resource_missing',
      'A table is made in an Airtable base: choose one as its parent.',
      {
        outcome: 'refused',
        retryable: false,
      },
    );
  }
  const by = { access, signal, askedBy: 'person' } as const;
  const tables = await api.tables(by, parent);
  const mark = `Filled by Tributary: ${key}`;
  const made =
    tables.find(({ description }) => description === mark) ??
    (await api.createTable(by, parent, { name: freeName(name, tables), description: mark, fields: FIELDS }));
  return { target: { base_id: parent, table_id: made.id }, mappings: [] };
}

/** The first is the one that Airtable shows first. */
const FIELDS = [
  ...TRANSACTION_COLUMNS.filter(({ key }) => key === PRIMARY_COLUMN),
  ...TRANSACTION_COLUMNS.filter(({ key }) => key !== PRIMARY_COLUMN),
].map((spec) => newField(spec, 0));

/** What people are asked to grant: access to records, tables and columns. */
const SCOPES = [
  'data.records:read',
  'data.records:write',
  'schema.bases:read',
  'schema.bases:write',
] as const;

/** Airtable has no call that ends a grant: people end it in the settings of their account. */
function linkingOf(oauth: OAuth, api: AirtableApi): DestinationLinking {
  return {
    begin: async (request) => oauth.page(request),
    complete: async (callback, signal): Promise<AuthorizationOutcome> => {
      const tokens = await oauth.exchange(callback, signal);
      if (typeof tokens === 'string') return { kind: 'refused', reason: tokens };
      const { access, refresh, expires } = tokens;
      const unnamed = writeGrant({ access, refresh: null, expires, holder: '' });
      const by = { access: freshAccess(unnamed), signal, askedBy: 'person' } as const;
      const holder = await asUpstream(() => api.whoAmI(by), signal);
      return {
        kind: 'linked',
        grant: writeGrant({ access, refresh, expires, holder }),
        name: 'Airtable',
      };
    },
  };
}

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
