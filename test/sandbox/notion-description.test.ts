import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startNotionSimulator } from '../../sandbox/notion/server.ts';
import { isRecord } from '../../sandbox/shared/json.ts';
import { NotionConnector } from '../../src/connectors/destinations/notion/connector.ts';
import { AddressGuard } from '../../src/platform/address-guard.ts';
import { SimulatedClock } from '../../src/platform/clock.ts';
import { OutgoingHttp, type OutgoingRequest } from '../../src/platform/outgoing-http.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { rowId } from '../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../src/vocabulary/limits.ts';
import { LeapingClock } from '../connectors/destinations/notion/leaping-clock.ts';
import { quotasOn } from '../connectors/destinations/notion/scene.ts';
import { signIn } from '../connectors/destinations/notion/sign-in.ts';
import { openedSync } from '../connectors/destinations/support/opened-sync.ts';
import { NOW } from './notion-visitor.ts';
import { record } from './visitor.ts';

const CONTRACT = new URL('../../../shared/contracts/notion/notion-openapi.json', import.meta.url);
const skip = existsSync(CONTRACT) ? false : 'the published description is not beside the checkout';
const CLIENT = { clientId: 'id', clientSecret: 'secret' } as const;
/** Of what is called, these the published file leaves out: they are compared with the types of the vendor's client. */
const UNDESCRIBED = ['POST /v1/databases', 'POST /v1/oauth/token', 'POST /v1/oauth/revoke'];

interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** A way out that notes what goes over it. */
class NotingHttp extends OutgoingHttp {
  readonly exchanges: Exchange[] = [];

  override async request(request: OutgoingRequest) {
    const response = await super.request(request);
    const { method, url, headers = {}, body } = request;
    this.exchanges.push({
      method,
      url: new URL(url),
      headers,
      body: body === undefined ? null : JSON.parse(String(body)),
      status: response.status,
      answer: response.json(),
    });
    return response;
  }
}

/** Checks an exchange against the description; the name of the operation, or null if it has none. */
function validator() {
  const contract = record(JSON.parse(readFileSync(CONTRACT, 'utf8')));
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'notion', ...contract });
  const paths = Object.entries(record(contract.paths));
  const pointer = (parts: readonly string[]): string =>
    `notion#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const check = (parts: readonly string[], value: unknown, what: string): void => {
    const validate = ajv.getSchema(pointer(parts));
    assert.ok(validate, pointer(parts));
    assert.ok(
      validate(value),
      `${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 300)}`,
    );
  };
  return ({ method, url, body, status, answer }: Exchange): string | null => {
    const found = paths.find(([path, item]) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
      return pattern.test(url.pathname) && isRecord(item) && method.toLowerCase() in item;
    });
    if (found === undefined) return null;
    const [path, item] = found;
    const operation = record(record(item)[method.toLowerCase()]);
    const at = ['paths', path, method.toLowerCase()];
    const name = `${method} ${path}`;
    const json = ['content', 'application/json', 'schema'];
    if (operation.requestBody !== undefined) check([...at, 'requestBody', ...json], described(body), name);
    const known = (Array.isArray(operation.parameters) ? operation.parameters : []).filter(isRecord);
    for (const parameter of url.searchParams.keys())
      assert.ok(
        known.some((one) => one.name === parameter),
        `${name} has no ${parameter}`,
      );
    const responses = record(operation.responses);
    const described4xx = status >= 400 && !(String(status) in responses) ? '400' : String(status);
    check([...at, 'responses', described4xx, ...json], answer, `${name} ${status}`);
    return name;
  };
}

/** The file still has databases as parents of rows, which the version it is of calls data sources. */
function described(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body.parent) || body.parent.type !== 'data_source_id') return body;
  return { ...body, parent: { type: 'database_id', database_id: body.parent.data_source_id } };
}

test('every call of the adapter and every answer of the simulator is as the published description says', {
  skip,
}, async () => {
  const world = new SimulatedClock(NOW);
  const clock = new LeapingClock(world);
  const simulator = await startNotionSimulator({ ...CLIENT, clock });
  const http = new NotingHttp({ guard: new AddressGuard([]), trustedOrigins: [simulator.url] });
  try {
    const connector = new NotionConnector(
      { ...CLIENT, baseUrl: simulator.url, oauthUrl: simulator.url },
      { http, clock, limits: DEFAULT_LIMITS, quotas: quotasOn(clock) },
    );
    const grant = await signIn(connector);
    const access = { owner: 'o', current: async () => grant, renew: async () => assert.fail() };
    const signal = AbortSignal.timeout(60_000);
    const [listed] = await connector.resources.list(
      access,
      { type: 'database', parent: null, limit: 5 },
      signal,
    );
    const wanted = {
      name: 'New',
      parent: null,
      target: null,
      type: 'transactions',
      mappingMode: 'bulk',
      accounts: [],
    } as const;
    await connector.create(access, { ...wanted, key: 'k', again: false }, signal);
    await connector.create(access, { ...wanted, key: 'j', again: true }, signal);
    const target = { database_id: listed?.id ?? '' };
    const writer = await connector.open({
      owner: 'o',
      target,
      secrets: [],
      recorded: async () => new Set<string>(),
      accountsWithRows: async () => null,
      access,
      sync: openedSync(),
    });
    const account = rowId('account', newRowId(clock));
    const row = (id: string, remoteRef: string | null = null) => ({
      id,
      account,
      text: JSON.stringify([
        id,
        '2026-01-01',
        'Coffee',
        '-4.50',
        'AUD',
        'debit',
        null,
        null,
        'A',
        'posted',
        'payment',
      ]),
      replaces: null,
      remoteRef,
    });
    const head = {
      eventId: 'e',
      run: rowId('sync_run', newRowId(clock)),
      number: 1,
      total: 1,
      rowForm: 1,
      again: false,
    };
    const none = { added: [], updated: [], removed: [] };
    const write = (chunk: object) =>
      writer.write({ ...head, created: clock.now(), ...none, ...chunk }, signal);
    const { remoteRefs } = await write({ added: [row('txn_1'), row('txn_2')] });
    const ref = (id: string) => remoteRefs.get(id) ?? assert.fail();
    simulator.control.trash(ref('txn_1'), true);
    await write({
      updated: [row('txn_1', ref('txn_1'))],
      removed: [{ ...row('txn_2', ref('txn_2')), text: null }],
    });
    await writer.lookUp([row('txn_1')], clock.now(), signal);
    simulator.control.purge(target.database_id);
    await assert.rejects(
      connector
        .open({
          owner: 'o',
          target,
          secrets: [],
          recorded: async () => new Set<string>(),
          accountsWithRows: async () => null,
          access,
          sync: openedSync(),
        })
        .then((gone) => gone.lookUp([row('txn_1')], 0, signal)),
    );
    await connector.linking.revoke?.(grant, signal);

    const check = validator();
    const names = new Set<string>();
    for (const exchange of http.exchanges) {
      assert.equal(exchange.headers['notion-version'], '2025-09-03');
      const name = check(exchange);
      if (name === null)
        assert.ok(UNDESCRIBED.includes(`${exchange.method} ${exchange.url.pathname}`), exchange.url.pathname);
      else names.add(name);
    }
    assert.deepEqual([...names].toSorted(), [
      'GET /v1/blocks/{block_id}/children',
      'GET /v1/data_sources/{data_source_id}',
      'GET /v1/databases/{database_id}',
      'GET /v1/pages/{page_id}',
      'PATCH /v1/data_sources/{data_source_id}',
      'PATCH /v1/pages/{page_id}',
      'POST /v1/data_sources/{data_source_id}/query',
      'POST /v1/pages',
      'POST /v1/search',
    ]);
    assert.ok(
      http.exchanges.some(({ status }) => status === 400) &&
        http.exchanges.some(({ status }) => status === 404),
    );
  } finally {
    await http.close();
    await simulator.close();
  }
});
