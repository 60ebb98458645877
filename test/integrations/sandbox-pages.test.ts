import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { INTEGRATIONS } from '../../src/app/integrations.ts';
import { startService, type TestService } from '../support/service.ts';

/** What each simulator serves to applications and to no browser: tokens, revocations and the API, by its folder. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  airtable: [
    'POST /oauth2/v1/token',
    'GET /v0/meta/whoami',
    'GET /v0/meta/bases',
    'GET /v0/meta/bases/app1/tables',
    'POST /v0/meta/bases/app1/tables',
    'POST /v0/meta/bases/app1/tables/tbl1/fields',
    'GET /v0/app1/tbl1',
    'POST /v0/app1/tbl1',
    'PATCH /v0/app1/tbl1',
    'DELETE /v0/app1/tbl1',
    'POST /v0/app1/tbl1/listRecords',
    'GET /v0/app1/tbl1/rec1',
    'DELETE /v0/app1/tbl1/rec1',
  ],
  'au-banking': [
    'POST /v1/token',
    'POST /v1/end-users',
    'GET /v1/end-users',
    'GET /v1/end-users/1',
    'POST /v1/end-users/1',
    'DELETE /v1/end-users/1',
    'POST /v1/auth/session',
    'GET /v1/institutions',
    'GET /v1/institutions/1',
    'GET /v1/consent',
    'DELETE /v1/consent/1',
    'GET /v1/data-freshness',
    'GET /v1/banking/accounts',
    'GET /v1/banking/balances',
    'GET /v1/banking/transactions',
    'POST /v1/banking/transactions/category',
  ],
  brokerage: ['', '/api/v1'].flatMap((prefix) => [
    `GET ${prefix}/`,
    `POST ${prefix}/snapTrade/registerUser`,
    `DELETE ${prefix}/snapTrade/deleteUser`,
    `GET ${prefix}/snapTrade/listUsers`,
    `POST ${prefix}/snapTrade/resetUserSecret`,
    `GET ${prefix}/snapTrade/partners`,
    `POST ${prefix}/snapTrade/login`,
    `GET ${prefix}/brokerages`,
    `GET ${prefix}/authorizations`,
    `GET ${prefix}/authorizations/1`,
    `DELETE ${prefix}/authorizations/1`,
    `DELETE ${prefix}/connection/1`,
    `POST ${prefix}/authorizations/1/refresh`,
    `POST ${prefix}/authorizations/1/transactions/sync`,
    `POST ${prefix}/authorizations/1/disable`,
    `GET ${prefix}/authorizations/1/accounts`,
    `GET ${prefix}/connections/1/accounts`,
    `GET ${prefix}/accounts`,
    `GET ${prefix}/accounts/1`,
    `GET ${prefix}/accounts/1/balances`,
    `GET ${prefix}/accounts/1/positions/all`,
    `GET ${prefix}/accounts/1/activities`,
    `GET ${prefix}/accounts/1/returnRates`,
  ]),
  'csv-folder': [],
  'enable-banking': [
    'GET /application',
    'GET /aspsps',
    'POST /auth',
    'POST /sessions',
    'GET /sessions/1',
    'DELETE /sessions/1',
    'GET /accounts/1/balances',
    'GET /accounts/1/transactions',
  ],
  notion: [
    'POST /v1/oauth/token',
    'POST /v1/oauth/revoke',
    'POST /v1/oauth/introspect',
    'GET /v1/users/me',
    'POST /v1/search',
    'GET /v1/databases/1',
    'POST /v1/databases',
    'GET /v1/data_sources/1',
    'PATCH /v1/data_sources/1',
    'POST /v1/data_sources/1/query',
    'GET /v1/blocks/1/children',
    'POST /v1/pages',
    'GET /v1/pages/1',
    'PATCH /v1/pages/1',
  ],
  'nz-banking': [
    'POST /v1/token',
    'DELETE /v1/token',
    'GET /v1/me',
    'GET /v1/accounts',
    'GET /v1/accounts/1',
    'GET /v1/accounts/1/transactions',
    'GET /v1/accounts/1/transactions/pending',
    'GET /v1/transactions',
    'GET /v1/transactions/pending',
    'POST /v1/transactions/ids',
    'GET /v1/transactions/1',
    'DELETE /v1/authorisations/1',
    'POST /v1/refresh',
    'POST /v1/refresh/1',
    'GET /v1/webhooks',
    'POST /v1/webhooks',
    'DELETE /v1/webhooks/1',
    'GET /v1/connections',
    'GET /v1/connections/1',
    'GET /v1/categories',
    'GET /v1/categories/1',
    'GET /v1/webhook-events',
    'GET /v1/keys/1',
  ],
  // It speaks no HTTP but for its pages.
  postgres: [],
  sheets: [
    'POST /token',
    'POST /revoke',
    'POST /v4/spreadsheets',
    'GET /v4/spreadsheets/1',
    'POST /v4/spreadsheets/1:batchUpdate',
    'POST /v4/spreadsheets/1/values:batchGetByDataFilter',
    'POST /v4/spreadsheets/1/developerMetadata:search',
    'GET /drive/v3/about',
    'GET /drive/v3/files',
    'GET /drive/v3/files/1',
  ],
  'up-bank': [
    'GET /api/v1/util/ping',
    'GET /api/v1/accounts',
    'GET /api/v1/accounts/1',
    'GET /api/v1/accounts/1/transactions',
    'GET /api/v1/transactions',
    'GET /api/v1/transactions/1',
    'GET /api/v1/categories',
    'GET /api/v1/categories/1',
    'GET /api/v1/webhooks',
    'POST /api/v1/webhooks',
    'DELETE /api/v1/webhooks/1',
  ],
  simplefin: ['GET /simplefin/info', 'POST /simplefin/claim/1', 'GET /simplefin/accounts'],
  actual: [
    'POST /account/login',
    'GET /sync/list-user-files',
    'GET /sync/get-user-file-info',
    'GET /sync/download-user-file',
    'POST /sync/user-get-key',
    'POST /sync/sync',
  ],
  ynab: [
    'POST /oauth/token',
    'GET /v1/user',
    'GET /v1/plans',
    'GET /v1/plans/1/settings',
    'GET /v1/plans/1/accounts',
    'POST /v1/plans/1/accounts',
    'GET /v1/plans/1/accounts/1',
    'GET /v1/plans/1/accounts/1/transactions',
    'GET /v1/plans/1/categories',
    'GET /v1/plans/1/transactions',
    'POST /v1/plans/1/transactions',
    'PATCH /v1/plans/1/transactions',
    'GET /v1/plans/1/transactions/1',
    'DELETE /v1/plans/1/transactions/1',
  ],
};

const simulated = INTEGRATIONS.flatMap(({ row, simulator }) =>
  simulator === null ? [] : [{ name: row.name, folder: simulator.folder }],
);

async function statusOf(url: string, call: string): Promise<number> {
  const [method = '', path = ''] = call.split(' ');
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'grant_type=none' };
  const answer = await fetch(url + path, { method, redirect: 'manual', ...(method === 'GET' ? {} : form) });
  await answer.arrayBuffer();
  return answer.status;
}

describe('Under the address of the service, a simulator serves its pages and none of its API', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const { name, folder } of simulated) {
    test(`(${folder})`, async () => {
      const calls = CALLS[folder] ?? assert.fail(`the calls of ${folder} are not listed`);
      const { url } = service.app.sandbox?.simulators.get(name) ?? assert.fail(name);
      for (const call of calls) assert.notEqual(await statusOf(url, call), 404, `${call} is no call of it`);
      for (const call of calls)
        assert.equal(await statusOf(`${service.url}/sandbox/${folder}`, call), 404, call);
    });
  }
});
