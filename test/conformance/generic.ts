import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Operation } from '../../src/operations/operation.ts';
import type { ErrorCode } from '../../src/vocabulary/error-codes.ts';
import { impliedScopes, SCOPES, type Scope } from '../../src/vocabulary/scopes.ts';
import { addPerson, Browser } from '../support/people.ts';
import type { TestOwner, TestService } from '../support/service.ts';
import { v2Client } from '../support/v2-client.ts';
import { emptyAsk, send, takesBody, unknownId } from './asks.ts';
import { unplanted } from './category-codes.ts';
import { askAbout, queryOf } from './inputs.ts';
import { changedFilter } from './list-pages.ts';
import type { Provocations } from './provocation.ts';

const NOBODYS = 'trib_live_00000000000000000000000000000000000000';
const TOO_LARGE = `{"name":"${'x'.repeat(70_000)}"}`;
const VERSION = 'service-version';

/**
 * Answered before an operation has a say in it, by one piece of code for all. `npm test` asks every fourth operation
 * for each of them and, because they begin at different ones, every operation for some.
 */
export const ANSWERED_BEFORE: ReadonlySet<ErrorCode> = new Set([
  'api_key_missing',
  'api_key_invalid',
  'oauth_token_invalid',
  'too_many_auth_attempts',
  'ip_not_allowed',
  'version_required',
  'version_invalid',
  'version_unknown',
  'plan_upgrade_required',
  'rate_limit_exceeded',
  'body_invalid',
  'body_too_large',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_key_in_use',
  'gateway_unavailable',
  'internal_error',
]);

/** Codes that any operation with the trait answers in the same way, before it does any work. */
export const GENERIC: Provocations = {
  api_key_missing: ({ stage }, operation) => send(stranger(stage.service, ''), emptyAsk(operation)),
  api_key_invalid: ({ stage }, operation) => send(stranger(stage.service, NOBODYS), emptyAsk(operation)),
  oauth_token_invalid: ({ stage }, operation) =>
    send(stranger(stage.service, `trib_oat_${'0'.repeat(43)}`), emptyAsk(operation)),
  too_many_auth_attempts: async ({ stage }, operation) => {
    const wrong = stranger(
      stage.hurried,
      `${NOBODYS.slice(0, 10)}${operation.id.replaceAll('_', '')}00000000`,
    );
    await send(wrong, emptyAsk(operation));
    return send(wrong, emptyAsk(operation));
  },
  ip_not_allowed: async ({ stage, things }, operation) =>
    send(await stage.key(things.owner, { allowedIps: ['192.0.2.1'] }), emptyAsk(operation)),
  version_required: ({ things }, operation) => send(things.owner, emptyAsk(operation), { [VERSION]: '' }),
  version_invalid: ({ things }, operation) =>
    send(things.owner, emptyAsk(operation), { [VERSION]: 'wattle' }),
  version_unknown: ({ things }, operation) =>
    send(things.owner, emptyAsk(operation), { [VERSION]: '2026-10-01.banksia' }),
  plan_upgrade_required: async ({ stage }, operation) => send(await stage.saver(), emptyAsk(operation)),
  insufficient_scope: async ({ stage, things }, operation) =>
    send(await stage.key(things.owner, { scopes: scopesWithout(operation) }), emptyAsk(operation)),
  fresh_sign_in_required: async ({ stage, things }, operation) => {
    const person = await addPerson(stage.service, things.owner);
    const browser = new Browser(stage.service.url);
    await browser.signIn(person.email);
    await sql`update web_sessions set created = created - interval '1 day'`.execute(
      stage.service.app.database.db,
    );
    const { freshSignIn } = operation;
    const members = typeof freshSignIn === 'boolean' ? [] : freshSignIn;
    const body = members.length === 0 ? undefined : Object.fromEntries(members.map((name) => [name, {}]));
    return send(browser, { ...emptyAsk(operation), body });
  },
  rate_limit_exceeded: async ({ stage }, operation) => {
    const owner = await stage.limited();
    await send(owner, emptyAsk(operation));
    return send(owner, emptyAsk(operation));
  },
  parameter_invalid: ({ things }, operation) =>
    send(things.owner, {
      ...emptyAsk(operation),
      query: 'nonsense=1',
      body: takesBody(operation) ? {} : undefined,
    }),
  parameter_missing: ({ things }, operation) =>
    send(things.owner, { ...emptyAsk(operation), body: takesBody(operation) ? {} : undefined }),
  include_invalid: ({ things }, operation) =>
    send(things.owner, {
      ...emptyAsk(operation),
      query: 'include[]=nonsense',
      body: takesBody(operation) ? {} : undefined,
    }),
  body_invalid: ({ things }, operation) => send(things.owner, { ...emptyAsk(operation), body: '{"name":' }),
  body_too_large: ({ things }, operation) => send(things.owner, { ...emptyAsk(operation), body: TOO_LARGE }),
  idempotency_key_invalid: ({ things }, operation) =>
    send(things.owner, askAbout(operation, unknownId), { 'idempotency-key': 'k'.repeat(256) }),
  idempotency_key_reused: async ({ stage, things }, operation) => {
    const owner = await stage.key(things.owner, {});
    const used = { 'idempotency-key': 'once' };
    await owner.v2('POST', `/v2/connections/${things.owner.connection}`, { metadata: {} }, used);
    return send(owner, askAbout(operation, unknownId), used);
  },
  idempotency_key_in_use: async ({ stage, things }, operation) => {
    const ask = askAbout(operation, unknownId);
    // Two keys: one has one heavy request in progress here.
    const owners = [things.owner, await stage.key(things.owner, {})];
    // A busy machine may not deliver both requests in time.
    for (const waitMs of [40, 400, 4000]) {
      const used = { 'idempotency-key': `both ${operation.id} ${waitMs}` };
      const both = owners.map((owner) => () => send(owner, ask, used));
      const answers = await stage.whileIdempotencyWaits(waitMs, both);
      const refused = answers.find((answer) => answer.body?.error?.code === 'idempotency_key_in_use');
      if (refused !== undefined) return refused;
    }
    return assert.fail('the second request never met the first');
  },
  categories_seed_failed: unplanted,
  page_invalid: ({ things }, operation) =>
    send(things.owner, {
      ...emptyAsk(operation, things.ids),
      query: [queryOf(operation, things.ids), 'page=nonsense'].filter((part) => part !== '').join('&'),
    }),
  resource_missing: ({ things }, operation) => send(things.owner, askAbout(operation, unknownId)),
  page_filters_changed: ({ things }, operation) => changedFilter(things.owner, operation, things.ids),
  gateway_unavailable: ({ stage }, operation) => send(stage.away.owner, emptyAsk(operation)),
  internal_error: ({ stage }, operation) => send(stage.unlucky, emptyAsk(operation)),
};

function stranger(service: TestService, key: string): Pick<TestOwner, 'v2'> {
  if (key !== '') return { v2: v2Client(service.url, key) };
  const ask = v2Client(service.url, 'unused');
  return { v2: (method, path, body) => ask(method, path, body, { authorization: '' }) };
}

function scopesWithout(operation: Operation): Scope[] {
  const { scope } = operation;
  return SCOPES.filter((held) => scope === null || !impliedScopes([held]).has(scope));
}
