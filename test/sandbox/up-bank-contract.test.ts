import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { isRecord } from '../../sandbox/shared/json.ts';
import { PERSONAS } from '../../sandbox/up-bank/personas/catalog.ts';
import { startUpBankSimulator, type UpBankSimulator } from '../../sandbox/up-bank/server.ts';
import { list, record } from './visitor.ts';

const CONTRACT = new URL('../../../shared/contracts/up/openapi.json', import.meta.url);
const skip = existsSync(CONTRACT) ? false : 'the published description is not beside the checkout';
const NOW = Date.parse('2026-11-20T06:00:00Z');

/** OpenAPI 3.0 says `nullable` where JSON Schema has a type more. */
function asJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asJsonSchema);
  if (!isRecord(node)) return node;
  const { nullable, example: _example, ...rest } = node;
  const schema = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, asJsonSchema(value)]));
  return nullable === true ? { anyOf: [{ type: 'null' }, schema] } : schema;
}

/** Checks an answer of an operation against the description, which has to have its status. */
function validator() {
  const contract = record(JSON.parse(readFileSync(CONTRACT, 'utf8')));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'up', components: asJsonSchema(contract.components) });
  const components = record(record(contract.components).schemas);
  const check = (schema: string, value: unknown): void => {
    assert.ok(schema in components, `${schema} is described`);
    const validate = ajv.getSchema(`up#/components/schemas/${schema}`);
    assert.ok(validate, schema);
    assert.ok(
      validate(value),
      `${schema}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 400)}`,
    );
  };
  return { paths: record(contract.paths), check };
}

async function withUp(work: (simulator: UpBankSimulator, get: Get) => Promise<void>): Promise<void> {
  const simulator = await startUpBankSimulator({
    token: 'up:t',
    webhookSecret: 's',
    clock: { now: () => NOW },
    webhookDelaysMs: [],
  });
  const get: Get = async (path, method = 'GET', body = undefined) => {
    const response = await fetch(path.startsWith('http') ? path : `${simulator.baseUrl}${path}`, {
      method,
      headers: { authorization: 'Bearer up:t', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, body: record(parsed ?? {}) };
  };
  try {
    await work(simulator, get);
  } finally {
    await simulator.close();
  }
}
type Get = (
  path: string,
  method?: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;

test('every answer about every persona is as Up’s published description says', { skip }, async () => {
  const { check } = validator();
  await withUp(async ({ control }, get) => {
    const found = { held: 0, foreign: 0, roundUp: 0, transfer: 0 };
    for (const { logIn } of [...PERSONAS, { logIn: 'rows:70' }]) {
      control.choose(logIn);
      check('PingResponse', (await get('/util/ping')).body);
      const accounts = (await get('/accounts')).body;
      check('ListAccountsResponse', accounts);
      for (const account of list(accounts, 'data').map(record)) {
        check('GetAccountResponse', (await get(`/accounts/${String(account.id)}`)).body);
      }
      let next: string | null = '/transactions?page[size]=100';
      for (let pages = 0; next !== null && pages < 3; pages++) {
        const { body: answer } = await get(next);
        check('ListTransactionsResponse', answer);
        for (const row of list(answer, 'data').map(record)) {
          const attributes = record(row.attributes);
          if (attributes.status === 'HELD') found.held += 1;
          if (attributes.foreignAmount !== null) found.foreign += 1;
          if (attributes.roundUp !== null) found.roundUp += 1;
          if (record(record(row.relationships).transferAccount).data !== null) found.transfer += 1;
        }
        const to = record(answer.links).next;
        next = typeof to === 'string' ? to : null;
      }
    }
    for (const [what, count] of Object.entries(found)) assert.ok(count > 0, `no row was ${what}`);
    check('ListCategoriesResponse', (await get('/categories')).body);
    check('GetCategoryResponse', (await get('/categories/groceries')).body);
  });
});

test('refusals, webhooks and their events are as the description says', { skip }, async () => {
  const { check, paths } = validator();
  const events: unknown[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += String(part);
    });
    request.on('end', () => {
      events.push(JSON.parse(body));
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = receiver.address();
  const url = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/`;
  try {
    await withUp(async ({ control }, get) => {
      for (const [path, status] of [
        ['/accounts/nobody', 404],
        ['/nothing', 404],
        ['/accounts?page[size]=101', 400],
        ['/accounts?colour=red', 400],
        ['/transactions?filter[since]=2026-01-01', 400],
        ['/transactions?filter[category]=nothing', 404],
        ['/transactions?page[after]=x', 400],
      ] as const) {
        const answer = await get(path);
        assert.equal(answer.status, status, path);
        check('ErrorResponse', answer.body);
      }
      const made = await get('/webhooks', 'POST', { data: { attributes: { url } } });
      assert.equal(made.status, 201);
      check('CreateWebhookResponse', made.body);
      const id = String(record(made.body.data).id);
      check('ListWebhooksResponse', (await get('/webhooks')).body);
      check('GetWebhookResponse', (await get(`/webhooks/${id}`)).body);
      check('WebhookEventCallback', (await get(`/webhooks/${id}/ping`, 'POST')).body);
      const [account] = list((await get('/accounts')).body, 'data').map(record);
      const [row = ''] = control.appendTransactions(String(account?.id), [
        { amount: '-5.00', description: 'Cup', status: 'PENDING' },
      ]);
      control.settle(row);
      await control.webhooksSent();
      const types = events.map((event) => {
        check('WebhookEventCallback', event);
        return String(record(record(record(event).data).attributes).eventType);
      });
      assert.deepEqual(types.toSorted(), ['PING', 'TRANSACTION_CREATED', 'TRANSACTION_SETTLED']);
      for (let more = 1; more < 10; more++) await get('/webhooks', 'POST', { data: { attributes: { url } } });
      assert.equal((await get('/webhooks', 'POST', { data: { attributes: { url } } })).status, 400);
      assert.equal((await get(`/webhooks/${id}`, 'DELETE')).status, 204);
      control.revokeToken();
      const refused = await get('/util/ping');
      assert.equal(refused.status, 401);
      check('ErrorResponse', refused.body);
    });
  } finally {
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  }
  for (const path of ['/accounts/{accountId}/transactions', '/util/ping', '/webhooks/{webhookId}/ping'])
    assert.ok(path in paths);
});
