import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { claimAddress } from '../../../src/connectors/providers/simplefin/addresses.ts';
import { createSimplefinProvider } from '../../../src/connectors/providers/simplefin/connector.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { immediateClock } from './au-banking-bank.ts';
import { fails } from './provider-contract.ts';
import {
  accessOf,
  customerOf,
  OWN_URL,
  openSimplefin,
  SENT,
  type SimplefinWorld,
} from './simplefin-world.ts';

const never = new AbortController().signal;
const token = (url: string): string => Buffer.from(url).toString('base64');
const RULES = {
  bridge: new URL('http://127.0.0.1:9100/simplefin'),
  ownHosts: new Set(['hub.example']),
};

describe('A setup token', () => {
  test('is accepted for any https address, and for the configured bridge, in either alphabet and with line breaks', () => {
    for (const url of [
      'https://beta-bridge.simplefin.org/simplefin/claim/abc',
      'https://money.example:8443/claim/abc?x=1',
      'http://127.0.0.1:9100/simplefin/claim/abc',
    ]) {
      assert.equal(claimAddress(token(url), RULES).url?.href, url);
      assert.equal(claimAddress(Buffer.from(url).toString('base64url'), RULES).url?.href, url);
      assert.equal(claimAddress(` ${token(url).replace(/(.{20})/g, '$1\n')} `, RULES).url?.href, url);
    }
  });

  test('is refused with the reason, before any call', () => {
    const problemOf = (url: string) => claimAddress(token(url), RULES).problem;
    assert.equal(problemOf('http://money.example/claim/abc'), 'insecure');
    // Below another path of the bridge's host, the operator trusts nothing.
    assert.equal(problemOf('http://127.0.0.1:9100/other/claim/abc'), 'insecure');
    assert.equal(problemOf('http://127.0.0.1:9100/simplefinder/claim'), 'insecure');
    assert.equal(problemOf('https://hub.example/simplefin/claim/abc'), 'own');
    for (const url of [
      'ftp://money.example/claim',
      'https://u:p@money.example/simplefin',
      'https://money.example/',
    ])
      assert.equal(problemOf(url), 'unreadable');
    for (const text of ['', 'hello', 'https://money.example/claim/abc', token('x'.repeat(3_000))])
      assert.equal(claimAddress(text, RULES).problem, 'unreadable');
  });

  test('never raises, and never leads to http or to this service, whatever is entered', () => {
    const url = fc.oneof(fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }), fc.string());
    fc.assert(
      fc.property(fc.oneof(fc.string(), url.map(token), fc.base64String()), (text) => {
        const { url: found, problem } = claimAddress(text, RULES);
        assert.equal(found === null, problem !== null);
        if (found !== null) assert.ok(found.protocol === 'https:' && found.host !== 'hub.example');
      }),
    );
  });
});

describe('Linking at a SimpleFIN server', () => {
  let world: SimplefinWorld;
  before(async () => {
    world = await openSimplefin();
  });
  after(() => world.shut());

  test('makes a grant of each institution, keeps the access URL before anything else, and links it as the secret', async () => {
    const { control } = world.simulator;
    control.clearRequests();
    const outcome = await world.link('two-banks');
    assert.ok(outcome.kind === 'linked');
    assert.deepEqual(outcome.grants.map(({ institution }) => institution.name).toSorted(), [
      'Harbor National Bank',
      'Prairie Credit Union',
    ]);
    assert.equal(outcome.customer?.secret, world.kept.at(-1));
    assert.deepEqual(
      control.requests().map(({ method, path }) => `${method} ${path.replace(/claim\/.*/, 'claim/…')}`),
      ['POST /simplefin/claim/…', 'GET /simplefin/accounts'],
    );
    const names: string[] = [];
    for (const [index] of outcome.grants.entries()) {
      const accounts = await world.provider.listAccounts(accessOf(outcome, index), never);
      names.push(...accounts.map(({ name }) => name));
    }
    assert.deepEqual(names.toSorted(), [
      'Everyday Checking (4021)',
      'Harbor Visa Credit Card (9034)',
      'Share Savings (7715)',
    ]);
  });

  test('ends with a reason where the token was used, is unknown, or shares nothing', async () => {
    const { control } = world.simulator;
    const used = control.createToken('everyday');
    await world.enter(used);
    const refused = { kind: 'failed', reason: 'authentication_failed' };
    assert.deepEqual(await world.enter(used), refused);
    assert.deepEqual(await world.enter(token(`${world.simulator.baseUrl}/claim/none`)), refused);
    for (const { accountId } of control.customers().find((one) => one.customer === 'everyday')?.accounts ??
      [])
      control.setAccountClosed(accountId, true);
    assert.deepEqual(await world.link('everyday'), { kind: 'failed', reason: 'not_eligible' });
  });

  test('ends where the answer to the claim is lost, since the token may be used up', async () => {
    const { control } = world.simulator;
    for (const kind of [
      'drop-answer',
      'connection-reset',
      'malformed-json',
      'server-error',
      'html-page',
    ] as const) {
      control.addFault({ route: 'POST /simplefin/claim/*', kind });
      const kept = world.kept.length;
      assert.deepEqual(await world.link('cards'), { kind: 'failed', reason: 'institution_error' }, kind);
      assert.equal(world.kept.length, kept);
    }
  });

  test('ends where the accounts cannot be read after the claim, with the access kept for deletion', async () => {
    const { control } = world.simulator;
    control.addFault({ route: 'GET /simplefin/accounts', kind: 'unavailable', count: 2 });
    const kept = world.kept.length;
    assert.deepEqual(await world.link('cards'), { kind: 'failed', reason: 'institution_error' });
    assert.equal(world.kept.length, kept + 1);
    const { customer, secret } = customerOf(world.kept.at(-1) ?? '');
    assert.match((await world.provider.identifyCustomer({ customer, secret })) ?? '', /^[0-9a-f]{32}$/);
    await world.provider.deleteCustomer();
  });

  test('renews under the same consent with another token of the same person, whose accounts keep their ids', async () => {
    const first = accessOf(await world.link('two-banks~7'), 1);
    const before = await world.provider.listAccounts(first, never);
    const outcome = await world.link('two-banks~7', first);
    const renewed = accessOf(outcome, 0);
    assert.deepEqual([renewed.consent, renewed.institution], [first.consent, first.institution]);
    assert.notEqual(renewed.customer, first.customer);
    const ids = (await world.provider.listAccounts(renewed, never)).map(({ id }) => id);
    assert.deepEqual(
      ids,
      before.map(({ id }) => id),
    );
  });

  test('under version 1 keeps two people with the same institution apart', async () => {
    world.simulator.control.setVersion(1);
    try {
      const [one, other] = [await world.link('two-banks~8'), await world.link('two-banks~9')];
      const [mine, theirs] = [accessOf(one), accessOf(other)];
      assert.equal(mine.institution, theirs.institution);
      assert.notEqual(mine.consent, theirs.consent);
      assert.equal((await world.provider.listAccounts(mine, never)).length, 2);
      const again = accessOf(await world.link('two-banks~8', mine));
      assert.equal(again.consent, mine.consent);
      const mixed = { ...mine, customer: theirs.customer, secret: theirs.secret };
      await fails(world.provider.listAccounts(mixed, never), 'grant_rejected');
    } finally {
      world.simulator.control.setVersion(2);
    }
  });

  for (const version of [1, 2] as const)
    test(`says of one institution alone that its login is lost, under version ${version}`, async () => {
      const { control } = world.simulator;
      control.setVersion(version);
      control.setLoginLost('harbor', true);
      try {
        const outcome = await world.link(`two-banks~${10 + version}`);
        assert.ok(outcome.kind === 'linked');
        const states = new Map(
          await Promise.all(
            outcome.grants.map(async ({ institution }, index) => {
              const { state } = await world.provider.readConsent(accessOf(outcome, index), never);
              return [institution.name, state] as const;
            }),
          ),
        );
        assert.deepEqual(
          states,
          new Map([
            ['Prairie Credit Union', 'active'],
            ['Harbor National Bank', 'login_lost'],
          ]),
        );
        const works = outcome.grants.findIndex(({ institution }) => institution.name.startsWith('Prairie'));
        assert.equal((await world.provider.listAccounts(accessOf(outcome, works), never)).length, 2);
        await fails(world.provider.listAccounts(accessOf(outcome, 1 - works), never), 'grant_rejected');
      } finally {
        control.setVersion(2);
        control.setLoginLost('harbor', false);
      }
    });

  test('reads the other accounts while the server could not read one', async () => {
    const access = accessOf(await world.link('everyday~3'));
    const [one, other] = await world.provider.listAccounts(access, never);
    assert.ok(one && other);
    world.simulator.control.setAccountFailed(one.id.slice(one.id.indexOf(':') + 1), true);
    await fails(
      world.provider.readBalance(access, one.id, { live: false }, never),
      'temporarily_unavailable',
    );
    await world.provider.readBalance(access, other.id, { live: false }, never);
  });
});

describe('A server that the operator did not configure', () => {
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: ['https://inside.example'] });
  after(() => http.close());
  const provider = createSimplefinProvider({
    http,
    clock: immediateClock,
    limits: DEFAULT_LIMITS,
    quotas: { take: async () => undefined },
    bridgeUrl: 'https://bridge.invalid/simplefin',
    createUrl: 'https://bridge.invalid/simplefin/create',
    ownUrls: [OWN_URL],
    dailyRequests: null,
  });
  const enter = async (url: string) => {
    const { memo } = await provider.beginLink({ ...SENT, state: 's', renew: null, entered: token(url) });
    return provider.completeLink({ ...SENT, memo, query: {}, renew: null }, never);
  };

  test('is not called at an address inside the network, even one that is trusted for another integration', async () => {
    for (const url of ['https://127.0.0.1:1/claim/a', 'https://10.0.0.5/claim/a', 'https://[::1]/claim/a'])
      assert.deepEqual(await enter(url), { kind: 'failed', reason: 'institution_error' });
  });

  test('counts against no breaker of others if it cannot be reached', async () => {
    const secret = 'https://u:p@127.0.0.1:1/simplefin';
    const access = { ...customerOf(secret), consent: 'x', institution: 'y' };
    await fails(provider.listAccounts(access, never), 'temporarily_unavailable');
  });
});

describe('The requests of a day', () => {
  test('are one for all accounts and reads of a moment, and end with the time at which they continue', async () => {
    const world = await openSimplefin({ dailyRequests: 4 });
    const { control } = world.simulator;
    try {
      const access = accessOf(await world.link('everyday'));
      control.clearRequests();
      const accounts = await world.provider.listAccounts(access, never);
      await Promise.all(
        accounts.map(({ id }) => world.provider.readBalance(access, id, { live: false }, never)),
      );
      await world.provider.readConsent(access, never);
      assert.deepEqual(control.requests(), []);
      const other = world.restarted();
      await other.listAccounts(access, never);
      assert.equal(control.requests().length, 1);
    } finally {
      await world.shut();
    }
  });

  test('are counted for each access, and a failed one counts too', async () => {
    const quotas = { used: 0 };
    const world = await openSimplefin({
      dailyRequests: 3,
      quotas: {
        take: async (uses) => {
          assert.deepEqual(
            uses.map(({ quota }) => [quota.amount, quota.windowMs]),
            [[3, 86_400_000]],
          );
          quotas.used += 1;
        },
      },
    });
    try {
      world.simulator.control.addFault({ route: 'GET /simplefin/accounts', kind: 'server-error' });
      await world.link('everyday');
      assert.equal(quotas.used, 2);
    } finally {
      await world.shut();
    }
  });

  test('fail with the wait once they are used up, without a call', async () => {
    const world = await openSimplefin({ dailyRequests: 1 });
    try {
      const access = accessOf(await world.link('everyday'));
      world.simulator.control.clearRequests();
      const [account] = await world.provider.listAccounts(access, never);
      assert.ok(account);
      const old = world.provider.transactionPages(
        access,
        {
          account: account.id,
          timezone: 'UTC',
          currency: 'usd',
          from: localDate('2026-01-01'),
          to: localDate('2026-12-31'),
          since: null,
          includePending: true,
        },
        never,
      );
      const failure = await fails(
        (async () => {
          for await (const _page of old);
        })(),
        'rate_limited',
      );
      assert.ok((failure.retryAfterSeconds ?? 0) > 80_000);
      assert.deepEqual(world.simulator.control.requests(), []);
    } finally {
      await world.shut();
    }
  });
});
