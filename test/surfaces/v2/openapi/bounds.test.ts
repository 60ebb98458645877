import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Operation } from '../../../../src/operations/operation.ts';
import { OPERATIONS } from '../../../../src/operations/operation-table.ts';
import { pathOf, unknownId } from '../../../conformance/asks.ts';
import { bodyOf, queryOf } from '../../../conformance/inputs.ts';
import { description, type Json, resolved } from '../../../support/description.ts';
import { startService, type TestOwner, type TestService } from '../../../support/service.ts';
import { agentOf } from '../../mcp/support/agent.ts';

/** A value that a request carries: where, how an error names it, and its schema in the description. */
interface Place {
  readonly operation: Operation;
  readonly in: 'path' | 'query' | 'body';
  /** Members and indexes that lead to it. */
  readonly at: readonly (string | number)[];
  readonly schema: Json;
}

/** Lists in one answer: `limit` is ignored there, whatever it says. */
const WITHOUT_PAGES = ['list_categories', 'list_provider_categories'];

function describedAs({ path, method }: Operation): Json {
  return description().paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
}

function placesOf(operation: Operation): Place[] {
  const { parameters, requestBody } = describedAs(operation);
  const sent = parameters
    .map(resolved)
    .filter((one: Json) => one.in !== 'header' && one.name !== 'include[]');
  return [
    ...sent.flatMap((one: Json) => inside(operation, one.in, [one.name], one.schema)),
    ...(requestBody === undefined
      ? []
      : inside(operation, 'body', [], requestBody.content['application/json'].schema)),
  ];
}

/** The value and every one in it. Conditions and actions of rules are parsed by hand (features/rules). */
function inside(operation: Operation, where: Place['in'], at: Place['at'], schema: Json): Place[] {
  const own = withoutNull(resolved(schema));
  const here = at.length === 0 ? [] : [{ operation, in: where, at, schema: own }];
  if (own.oneOf !== undefined) return here;
  return [
    ...here,
    ...Object.entries<Json>(own.properties ?? {}).flatMap(([name, member]) =>
      inside(operation, where, [...at, name], member),
    ),
    ...Object.values<Json>(own.patternProperties ?? {}).flatMap((member) =>
      inside(operation, where, [...at, 'key'], member),
    ),
    ...(own.type === 'array' ? inside(operation, where, [...at, 0], own.items) : []),
  ];
}

function withoutNull(schema: Json): Json {
  const [first, second] = schema.anyOf ?? [];
  return second?.type === 'null' ? withoutNull(resolved(first)) : schema;
}

const PLACES = OPERATIONS.flatMap(placesOf);

/** As an error names the place: what a query has in brackets keeps them, and has no index. */
function paramOf({ in: where, at }: Place): string {
  const [first, ...rest] = at;
  if (where === 'query') return String(first);
  return String(first) + rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
}

function nameOf(place: Place): string {
  return `${place.operation.id} ${paramOf(place)}`;
}

const ignored = ({ operation, at }: Place): boolean =>
  at[0] === 'limit' && WITHOUT_PAGES.includes(operation.id);

describe('the description bounds what a request may carry', () => {
  const bounded = (schema: Json): boolean => {
    if (schema.enum !== undefined || schema.const !== undefined) return true;
    if (schema.type === 'boolean' || schema.type === 'null') return true;
    if (schema.oneOf !== undefined) return true;
    if (schema.type === 'integer') return schema.minimum !== undefined && schema.maximum !== undefined;
    if (schema.type === 'array') return schema.maxItems !== undefined;
    if (schema.type === 'object')
      return schema.properties !== undefined || schema.maxProperties !== undefined;
    const patterned = schema.pattern?.startsWith('^') && schema.pattern.endsWith('$');
    return schema.maxLength !== undefined || patterned;
  };

  test('every number, text, list and map has its bounds', () => {
    assert.ok(PLACES.length > 200);
    assert.deepEqual(PLACES.filter((place) => !ignored(place) && !bounded(place.schema)).map(nameOf), []);
  });

  test('the size of a page is 1 to 100, 20 when absent, wherever there are pages', () => {
    const limits = PLACES.filter(
      (place) => place.in === 'query' && place.at[0] === 'limit' && !ignored(place),
    );
    assert.ok(limits.length > 15);
    for (const place of limits) {
      const { type, minimum, maximum, default: usual } = place.schema;
      // Changes are no list: each answer costs a comparison of all rows, so it may have more.
      const [most, absent] = place.operation.id === 'list_changes' ? [500, undefined] : [100, 20];
      assert.deepEqual([type, minimum, maximum, usual], ['integer', 1, most, absent], nameOf(place));
    }
  });

  test('every day and moment has its format', () => {
    const days = PLACES.filter(({ at }) => ['from', 'to', 'data_from'].includes(String(at.at(-1))));
    assert.ok(days.length > 8);
    for (const place of days) assert.equal(place.schema.format, 'date', nameOf(place));
    const moments = PLACES.filter(({ at }) => String(at.at(-1)).endsWith('_at'));
    for (const place of moments) assert.equal(place.schema.format, 'date-time', nameOf(place));
  });

  test('every id has the pattern of what it names', () => {
    const named = ['id', 'account', 'accounts', 'connection', 'destination', 'sync_run', 'rule', 'rulesets'];
    const isId = ({ at, operation, schema }: Place): boolean =>
      schema.type === 'string' &&
      (at.some((part) => named.includes(String(part))) ||
        (operation.id.includes('categor') && ['parent', 'reassign_to'].includes(String(at[0]))));
    const ids = PLACES.filter(isId);
    assert.ok(ids.length > 70);
    for (const place of ids)
      assert.match(place.schema.pattern ?? '', /^\^(none\$\|\^)?[a-z]+_/, nameOf(place));
  });
});

describe('the description says of what form the answers are', () => {
  const schemas = Object.entries<Json>(description().components.schemas).flatMap(([name, schema]) =>
    Object.entries<Json>(schema.properties ?? {}).map(([field, member]) => ({
      name: `${name}.${field}`,
      object: name,
      field,
      schema: withoutNull(member),
    })),
  );

  test('ids have their prefix, but for those of a destination', () => {
    const ids = schemas.filter(({ field, object }) => field === 'id' && object !== 'destination_resource');
    assert.ok(ids.length > 30);
    for (const { name, schema } of ids) assert.match(schema.pattern ?? '', /^\^[a-z]+_/, name);
  });

  test('moments of the service and days have their format', () => {
    const own = /^(created|updated|last_seen|failing_since|next_attempt)$|_at$/;
    const moments = schemas.filter(({ field }) => own.test(field));
    assert.ok(moments.length > 40);
    for (const { name, schema } of moments) assert.equal(schema.format, 'date-time', name);
    const days = schemas.filter(({ field }) => /^(date|day|trade_date|post_date)$/.test(field));
    for (const { name, schema } of days) assert.equal(schema.format, 'date', name);
  });

  test('what the interface bounds is bounded', () => {
    const { api_key: key, money } = description().components.schemas;
    assert.deepEqual([key.properties.name.minLength, key.properties.name.maxLength], [1, 100]);
    assert.equal(key.properties.prefix.maxLength, 16);
    assert.equal(money.properties.currency.pattern, '^[a-z]{3}$');
    const [entry] = Object.entries<Json>(withoutNull(key.properties.metadata).patternProperties);
    const [pattern, value] = entry ?? assert.fail('metadata has no form');
    assert.match('k'.repeat(40), new RegExp(pattern));
    assert.doesNotMatch('k'.repeat(41), new RegExp(pattern));
    assert.equal(value.maxLength, 500);
  });
});

/** Values just outside of a bound of the schema, each bound in turn. */
function outsideOf({ schema, at }: Place, usual: unknown): unknown[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties } = schema;
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(minLength > 0 ? [''] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minItems > 0 && at[0] !== undefined && typeof usual === 'object' ? [[]] : []),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => usualItem(schema, usual))]),
    ...(maxProperties === undefined ? [] : [pairs(maxProperties + 1)]),
    ...(schema.enum === undefined ? [] : ['nonsense']),
    ...(schema.const === true ? [false] : []),
    ...(schema.pattern === undefined ? [] : ['!']),
    ...(schema.format === 'date' ? ['2026-02-30', '2026-1-1', '2026-01-01T00:00:00Z'] : []),
    ...(schema.format === 'date-time' ? ['2027-02-30T00:00:00Z', '2027-01-31'] : []),
  ];
}

/** Values at the bounds, which are let in. */
function insideOf({ schema }: Place, usual: unknown): unknown[] {
  const { minimum, maximum, minLength, maxLength, maxItems, maxProperties, pattern, format } = schema;
  const free = pattern === undefined && format === undefined;
  return [
    ...(minimum === undefined ? [] : [minimum]),
    ...(maximum === undefined ? [] : [maximum]),
    ...(minLength === undefined || !free ? [] : ['x'.repeat(minLength)]),
    ...(maxLength === undefined || !free ? [] : ['x'.repeat(maxLength)]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems }, () => usualItem(schema, usual))]),
    ...(maxProperties === undefined ? [] : [pairs(maxProperties)]),
    ...(schema.enum === undefined ? [] : [schema.enum.at(-1)]),
    ...(format === 'date' ? ['2026-01-31'] : []),
    ...(format === 'date-time' ? ['2099-01-31T00:00:00+10:00'] : []),
  ];
}

const pairs = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));

/** An item that fits the schema of a list, so that only the length of the list is at fault. */
function usualItem(schema: Json, usual: unknown): unknown {
  if (Array.isArray(usual) && usual.length > 0) return usual[0];
  const item = withoutNull(resolved(schema.items));
  const prefix = /^\^([a-z]+)_\[/.exec(item.pattern ?? '')?.[1];
  if (prefix !== undefined) return `${prefix}_${'0'.repeat(22)}`;
  if (item.enum !== undefined) return item.enum[0];
  return item.type === 'object' ? {} : (item.pattern ?? '').includes('[0-5]') ? '08:30' : 'x';
}

/** What the checks of a schema say, in words that nothing else says. */
const OF_A_SCHEMA =
  /must (not have (more|fewer)|be between|be a day|be an RFC|have the form|match|be equal)|^No such/;

describe('the service checks by what it describes', () => {
  let service: TestService;
  let owner: TestOwner;
  before(async () => {
    service = await startService();
    owner = await service.owner();
  });
  after(() => service.close());

  const usualBody = (operation: Operation): Json => {
    const example = describedAs(operation).requestBody?.content['application/json'].example;
    return structuredClone(bodyOf(operation, unknownId) ?? example ?? {});
  };

  /** A request that says `value` at the place, and what is usual elsewhere. */
  async function ask(place: Place, value: unknown) {
    const { operation, in: where, at } = place;
    const path = pathOf(operation, unknownId);
    const query = new URLSearchParams(queryOf(operation, unknownId));
    const body = usualBody(operation);
    if (where === 'query') {
      const [name = ''] = at;
      query.delete(String(name));
      const values = Array.isArray(value) ? value : [value];
      for (const one of values) query.append(String(name), String(one));
    } else if (where === 'body') {
      put(body, at, value);
    }
    const part = operation.path.split('/').indexOf(`:${at[0]}`);
    const shown = where === 'path' ? path.split('/').toSpliced(part, 1, String(value)).join('/') : path;
    const search = query.size === 0 ? '' : `?${query}`;
    return owner.v2(operation.method, shown + search, operation.method === 'GET' ? undefined : body);
  }

  for (const operation of OPERATIONS) {
    const places = placesOf(operation).filter((place) => !ignored(place));
    test(operation.id, { timeout: 120_000 }, async () => {
      for (const place of places) {
        const usual = place.in === 'body' ? found(usualBody(operation), place.at) : undefined;
        for (const value of outsideOf(place, usual)) {
          const { status, body } = await ask(place, value);
          const about = `${nameOf(place)} = ${JSON.stringify(value).slice(0, 80)}: ${JSON.stringify(body)}`;
          const missing = /^\^(none\$\|\^)?[a-z]+_/.test(place.schema.pattern ?? '');
          assert.ok(status === 400 || (missing && status === 404), about);
          // An id that is not there may be named by the list it is in.
          const named = [paramOf(place), ...(status === 404 ? [paramOf(place).replace(/\[0\]$/, '')] : [])];
          const expected: unknown[] = status === 404 && place.in === 'path' ? [null] : named;
          assert.ok(expected.includes(body.error.param), about);
        }
        for (const value of insideOf(place, usual)) {
          const { body } = await ask(place, value);
          const { param, message } = body?.error ?? {};
          const refused =
            param === paramOf(place) && OF_A_SCHEMA.test(message) && !message.startsWith('No such');
          assert.ok(!refused, `${nameOf(place)} = ${JSON.stringify(value).slice(0, 80)}: ${message}`);
        }
      }
    });
  }
});

function found(body: Json, at: Place['at']): unknown {
  return at.reduce((inner, part) => inner?.[part], body);
}

/** What else an item needs, so that one member of it is all that is wrong. */
const ITEMS: Readonly<Record<string, object>> = {
  account_mappings: { account: unknownId('account') },
  mappings: { provider_category: 'TRAVEL', destination_category: null },
  rules: { conditions: null, actions: [{ type: 'skip' }] },
};

/** Sets the value at a place, with what lies on the way. */
function put(body: Json, at: Place['at'], value: unknown, path = at): void {
  const [part = '', ...rest] = at;
  if (rest.length === 0) {
    body[part] = value;
    return;
  }
  body[part] ??= typeof rest[0] === 'number' ? [] : structuredClone(ITEMS[String(path[0])] ?? {});
  put(body[part], rest, value, path);
}

test('an operator who sets a limit moves the bound of the description, of the check and of the tools alike [limit page_size_max]', async () => {
  const service = await startService({
    LIMIT_PAGE_SIZE_MAX: '7',
    LIMIT_PAGE_SIZE_DEFAULT: '5',
    LIMIT_METADATA_PAIRS: '2',
    LIMIT_PREVIEW_ROWS: '30',
    LIMIT_KEY_GRACE_DAYS: '3',
    LIMIT_MCP_BALANCE_ACCOUNTS: '2',
  });
  try {
    const owner = await service.owner();
    const text = await (await fetch(`${service.url}/v2/openapi.json`)).text();
    assert.ok(!text.includes('x-service-limits') && !text.includes('x-service-refusal'));
    const paths = JSON.parse(text).paths;
    const limit = paths['/v2/api_keys'].get.parameters.find((one: Json) => one.name === 'limit').schema;
    assert.deepEqual([limit.maximum, limit.default], [7, 5]);
    assert.equal((await owner.v2('GET', '/v2/api_keys?limit=7')).status, 200);
    assert.equal((await owner.v2('GET', '/v2/api_keys')).status, 200);
    const refused = await owner.v2('GET', '/v2/api_keys?limit=8');
    assert.equal(refused.body.error.message, 'limit: must be between 1 and 7.');
    const body = (id: string) => paths[id].post.requestBody.content['application/json'].schema.properties;
    assert.equal(body('/v2/api_keys/{id}/rotate').grace.default, '3d');
    assert.equal(body('/v2/rulesets').metadata.anyOf[0].maxProperties, 2);
    const preview = body('/v2/rulesets/{id}/preview').limit;
    assert.deepEqual([preview.maximum, preview.default], [30, 30]);
    assert.equal(
      (await owner.v2('POST', '/v2/rulesets', { name: 'n', metadata: pairs(3) })).body.error.param,
      'metadata',
    );
    const agent = agentOf(service.url, owner.key);
    const { body: listed } = await agent.ask('tools/list', {});
    const tool = (name: string) => listed.result.tools.find((one: Json) => one.name === name).inputSchema;
    assert.equal(tool('list_balances').properties.accountIds.maxItems, 2);
    const ids = Array.from({ length: 3 }, () => '01234567-89ab-7cde-8f01-23456789abcd');
    const { body: called } = await agent.ask('tools/call', {
      name: 'list_balances',
      arguments: { accountIds: ids },
    });
    assert.match(called.error.message, /must not have more than 2 items/);
  } finally {
    await service.close();
  }
});
