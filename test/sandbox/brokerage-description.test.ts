import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv, type ValidateFunction } from 'ajv';
import { type BrokerageSimulator, startBrokerageSimulator } from '../../sandbox/brokerage/server.ts';
import { isRecord } from '../../sandbox/shared/json.ts';
import { KEY, RawBrokerage } from './brokerage-visitor.ts';

const PUBLISHED = fileURLToPath(
  new URL('../../../shared/contracts/snaptrade/api-sdk11.0.3.yaml', import.meta.url),
);
const REDOCLY = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' };
const missing = existsSync(PUBLISHED) ? false : 'the published description is not here';

/** The description as JSON. Its examples in braces are left out: they are not indented as YAML wants it. */
async function published(): Promise<Record<string, unknown>> {
  const directory = await mkdtemp(join(tmpdir(), 'published-'));
  try {
    const yaml = (await readFile(PUBLISHED, 'utf8')).replace(/^( +)example: \{\n(?:.*\n)*?\1\}\n/gm, '');
    await writeFile(join(directory, 'api.yaml'), yaml);
    const args = ['bundle', 'api.yaml', '--ext', 'json', '-o', 'api.json'];
    await promisify(execFile)(REDOCLY, args, { cwd: directory, env: { ...process.env, ...QUIET } });
    const parsed: unknown = JSON.parse(await readFile(join(directory, 'api.json'), 'utf8'));
    assert.ok(isRecord(parsed));
    return parsed;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A schema of the description as JSON Schema has it, where members that it does not name are refused. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (!isRecord(schema)) return schema;
  const { nullable, discriminator: _, example: _example, ...rest } = schema;
  const made: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) made[name] = strict(value);
  const composed = 'allOf' in rest || 'oneOf' in rest || 'anyOf' in rest;
  if (isRecord(rest.properties) && !composed) made.additionalProperties = false;
  return nullable === true ? { anyOf: [{ type: 'null' }, made] } : made;
}

/** Checks answers by method, path of the description and status. */
class Published {
  readonly #ajv = new Ajv({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  checked = 0;

  constructor(api: Record<string, unknown>) {
    for (const format of ['uuid', 'date', 'date-time', 'url', 'int32', 'decimal'])
      this.#ajv.addFormat(format, FORMATS[format] ?? true);
    assert.ok(isRecord(api.components) && isRecord(api.components.schemas) && isRecord(api.paths));
    this.#ajv.addSchema({ $id: 'api', components: { schemas: strictEach(api.components.schemas) } });
    for (const [path, operations] of Object.entries(api.paths)) {
      if (!isRecord(operations)) continue;
      for (const [method, operation] of Object.entries(operations)) {
        if (!isRecord(operation) || !isRecord(operation.responses)) continue;
        for (const [status, response] of Object.entries(operation.responses)) {
          const content = isRecord(response) && isRecord(response.content) ? response.content : {};
          const json = content['application/json'];
          if (!isRecord(json)) continue;
          const schema: unknown = JSON.parse(JSON.stringify(strict(json.schema)).replaceAll('"#/', '"api#/'));
          assert.ok(isRecord(schema));
          this.#validators.set(`${method} ${path} ${status}`, this.#ajv.compile(schema));
        }
      }
    }
  }

  check(method: string, path: string, status: number, body: unknown): void {
    const validate = this.#validators.get(`${method.toLowerCase()} ${path} ${status}`);
    if (validate === undefined) return;
    this.checked += 1;
    assert.ok(validate(body), `${method} ${path} ${status}: ${this.#ajv.errorsText(validate.errors)}`);
  }
}

function strictEach(schemas: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, strict(schema)]));
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/,
  url: /^https?:/,
  decimal: /^-?\d+(?:\.\d+)?$/,
};

describe('Every answer of the simulator is as the vendor publishes it', { skip: missing }, () => {
  let simulator: BrokerageSimulator;
  let description: Published;
  let raw: RawBrokerage;
  before(async () => {
    description = new Published(await published());
    simulator = await startBrokerageSimulator({ ...KEY, settings: { firstSyncDelayMs: 0 } });
    raw = new RawBrokerage(simulator.url);
  });
  after(() => simulator.close());

  const ask = async (method: string, template: string, more: Parameters<RawBrokerage['ask']>[2] = {}) => {
    const path = template.replace(/\{\w+\}/, more.id ?? '');
    const { status, body } = await raw.ask(method, path, more);
    description.check(method, template, status, body);
    return { status, body };
  };

  it('from registering a user to its deletion', async () => {
    await ask('GET', '/');
    await ask('GET', '/brokerages');
    await ask('GET', '/snapTrade/partners');
    const { body: user } = await ask('POST', '/snapTrade/registerUser', { body: { userId: 'u-1' } });
    assert.ok(isRecord(user));
    const as = { userId: 'u-1', userSecret: String(user.userSecret) };
    assert.equal((await ask('POST', '/snapTrade/registerUser', { body: { userId: 'u-1' } })).status, 400);
    assert.equal((await ask('GET', '/authorizations', { as: { ...as, userSecret: 'wrong' } })).status, 401);
    for (const customer of [
      'self-directed',
      'multi-currency',
      'derivatives',
      'hidden-holdings',
      'no-accounts',
    ]) {
      const { body: login } = await ask('POST', '/snapTrade/login', {
        as,
        body: { customRedirect: 'https://a.example/' },
      });
      assert.ok(isRecord(login));
      await fetch(`${login.redirectURI}/complete`, {
        method: 'POST',
        body: new URLSearchParams({ outcome: 'approve', customer }),
      });
    }
    await ask('GET', '/snapTrade/listUsers');
    await ask('GET', '/authorizations', { as });
    await ask('GET', '/accounts', { as });
    const summaries = simulator.control.connections();
    assert.equal(summaries.length, 5);
    for (const { id, accounts } of summaries) {
      await ask('GET', '/authorizations/{authorizationId}', { as, id });
      await ask('GET', '/authorizations/{authorizationId}/accounts', { as, id });
      for (const account of accounts) {
        for (const read of ['', '/balances', '/positions/all', '/activities'])
          await ask('GET', `/accounts/{accountId}${read}`, { as, id: account });
      }
    }
    const [{ id } = assert.fail()] = summaries;
    const refresh = '/authorizations/{authorizationId}/refresh';
    assert.equal((await ask('POST', refresh, { as, id })).status, 200);
    assert.equal((await ask('POST', refresh, { as, id })).status, 429);
    assert.equal((await ask('POST', refresh, { as, id: 'unknown' })).status, 404);
    assert.equal(
      (await ask('POST', '/authorizations/{authorizationId}/transactions/sync', { as, id })).status,
      200,
    );
    const disable = '/authorizations/{authorizationId}/disable';
    assert.equal((await ask('POST', disable, { as, id })).status, 200);
    assert.equal((await ask('POST', disable, { as, id })).status, 402);
    assert.equal((await ask('POST', refresh, { as, id })).status, 402);
    assert.equal((await ask('DELETE', '/connection/{connectionId}', { as, id })).status, 200);
    const { body: next } = await ask('POST', '/snapTrade/resetUserSecret', { body: as });
    assert.ok(isRecord(next) && next.userSecret !== as.userSecret);
    assert.equal((await ask('DELETE', '/snapTrade/deleteUser', { query: { userId: 'u-1' } })).status, 200);
    assert.ok(description.checked > 50, `${description.checked} answers were checked`);
  });

  it('finds an answer that is not', () => {
    const check = (body: unknown) => () => description.check('GET', '/snapTrade/listUsers', 200, body);
    check(['u-1'])();
    assert.throws(check([1]));
    assert.throws(() => description.check('POST', '/snapTrade/registerUser', 200, { userID: 'u-1' }));
  });
});
