import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { Type } from 'typebox';
import type { DestinationAccess } from '../../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import { VendorRefusal } from '../../../../src/connectors/destinations/kit/failures.ts';
import { readGrant } from '../../../../src/connectors/destinations/kit/oauth.ts';
import {
  PERSON_WAIT_MS,
  type VendorCall,
} from '../../../../src/connectors/destinations/kit/vendor-client.ts';
import { QuotaSpent, type QuotaUse } from '../../../../src/platform/quotas.ts';
import { withPatience } from '../../../support/patience.ts';
import { type Behaviour, HOUR, KitVendor, Ok } from './kit-vendor.ts';

const never = new AbortController().signal;
const ROW = 'Lunch with Ada';

/** The way to a grant in memory, for calls that need no other process. */
function accessTo(grant: string): DestinationAccess & { stored: string } {
  const access = {
    stored: grant,
    owner: 'owner',
    current: async () => access.stored,
    renew: async (spent: string, exchange: (grant: string, signal: AbortSignal) => Promise<string>) => {
      if (access.stored === spent) access.stored = await exchange(spent, never);
      return access.stored;
    },
  };
  return access;
}

type Call = Partial<VendorCall<typeof Ok>>;
const read: Call = { method: 'GET', path: '/rows', repeatable: true, writes: false };
const upsert: Call = { method: 'PUT', path: '/rows', body: { row: ROW }, repeatable: true, writes: true };
const append: Call = { method: 'POST', path: '/rows', body: { row: ROW }, repeatable: false, writes: true };

function callOf(more: Call): VendorCall<typeof Ok> {
  return {
    method: 'GET',
    path: '/rows',
    expect: Ok,
    quotas: () => [],
    repeatable: true,
    writes: false,
    signal: never,
    ...more,
  };
}

/** Calls, and lets the waits before further attempts pass. */
async function called(
  vendor: KitVendor,
  more: Call,
  access: DestinationAccess = accessTo(vendor.grant()),
  client = vendor.client(),
): Promise<unknown> {
  let over = false;
  const call = client.call(access, callOf(more)).finally(() => {
    over = true;
  });
  call.catch(() => undefined);
  while (!over) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (vendor.clock.sleeping > 0) vendor.clock.advance(500);
  }
  return call;
}

async function failureOf(work: Promise<unknown>): Promise<DestinationFailure> {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (raised: unknown) => raised,
  );
  assert.ok(error instanceof DestinationFailure, String(error));
  return error;
}

const behave = (vendor: KitVendor, ...behaviours: (Behaviour | 'ok')[]) =>
  vendor.behaviours.set('/rows', behaviours);

describe('a call', () => {
  test('carries the token, the headers of the vendor, the body and each value of the query', async () => {
    await using vendor = await new KitVendor().open();
    const path = '/rows?of=a&of=b%26c';
    const query = [['of', 'a'] as const, ['of', 'b&c'] as const];
    const client = vendor.client();
    assert.deepEqual(await client.call(accessTo(vendor.grant()), callOf({ ...append, query })), { ok: true });
    const [seen] = vendor.requests;
    assert.deepEqual([seen?.method, seen?.path, seen?.body], ['POST', path, JSON.stringify({ row: ROW })]);
    assert.equal(seen?.headers['kit-version'], '1');
    assert.equal(seen?.headers['content-type'], 'application/json');
    assert.match(seen?.headers.authorization ?? '', /^Bearer [0-9a-f]+$/);
  });
});

describe('a token', () => {
  test('that the vendor does not accept is renewed once, and the call is made again', async () => {
    await using vendor = await new KitVendor().open();
    const access = accessTo(vendor.grant());
    vendor.authorizationServer.expire(`Bearer ${readGrant(access.stored).access}`);
    await called(vendor, append, access);
    assert.deepEqual(
      vendor.requests.map(({ path }) => path),
      ['/rows', '/token', '/rows'],
    );
    assert.equal(vendor.applied, 1);
  });

  test('that is refused again after its renewal ends the call as destination_auth_failed', async () => {
    await using vendor = await new KitVendor().open();
    behave(vendor, { status: 401 }, { status: 401 }, { status: 401 });
    const failure = await failureOf(called(vendor, append));
    assert.deepEqual(
      [failure.code, failure.outcome, failure.retryable],
      ['destination_auth_failed', 'refused', false],
    );
    assert.deepEqual(
      vendor.requests.map(({ path }) => path),
      ['/rows', '/token', '/rows'],
    );
  });

  test('without a refresh token is not renewed', async () => {
    await using vendor = await new KitVendor().open();
    behave(vendor, { status: 401 });
    const failure = await failureOf(
      called(vendor, read, accessTo(vendor.grant({ refresh: null, expires: 0 }))),
    );
    assert.equal(failure.code, 'destination_auth_failed');
    assert.equal(vendor.count('/token'), 0);
  });

  test('is renewed five minutes before its end, and not earlier', async () => {
    await using vendor = await new KitVendor().open();
    const access = accessTo(vendor.grant());
    vendor.clock.advance(HOUR - 5 * 60_000 - 1);
    await called(vendor, read, access);
    assert.equal(vendor.count('/token'), 0);
    vendor.clock.advance(1);
    await called(vendor, read, access);
    assert.equal(vendor.count('/token'), 1);
    assert.equal(readGrant(access.stored).expires, vendor.clock.now() + HOUR);
  });

  test('without an end is not renewed early', async () => {
    await using vendor = await new KitVendor().open();
    const access = accessTo(vendor.grant({ expires: null }));
    await called(vendor, read, access);
    assert.equal(vendor.count('/token'), 0);
  });
});

describe('an attempt that fails', () => {
  for (const [name, call] of Object.entries({ read, upsert })) {
    test(`is followed by up to three of the same, and no other layer adds any: ${name}`, async () => {
      await using vendor = await new KitVendor().open();
      behave(vendor, { status: 503 }, 'lost', { status: 500 });
      assert.deepEqual(await called(vendor, call), { ok: true });
      assert.equal(vendor.count('/rows'), 4);
      behave(vendor, ...Array.from({ length: 9 }, () => ({ status: 503 })));
      await failureOf(called(vendor, call));
      assert.equal(vendor.count('/rows'), 8);
    });
  }

  test('is not followed by another where the write is not repeatable and may have taken effect', async () => {
    for (const behaviour of ['lost', 'reset', { status: 500 }] as const) {
      await using vendor = await new KitVendor().open();
      behave(vendor, behaviour);
      const failure = await failureOf(called(vendor, append));
      assert.deepEqual([failure.outcome, failure.retryable], ['unknown', true]);
      assert.equal(vendor.count('/rows'), 1);
    }
  });

  test('is followed by another of a write that is not repeatable where it certainly took no effect', async () => {
    await using vendor = await new KitVendor().open();
    behave(vendor, { status: 429 });
    await called(vendor, append);
    assert.deepEqual([vendor.count('/rows'), vendor.applied], [2, 1]);
  });

  test('leaves the outcome of a write unknown, whatever the last attempt was answered', async () => {
    for (const last of [{ status: 422 }, { status: 429 }, { status: 401 }] as const) {
      await using vendor = await new KitVendor().open();
      behave(vendor, 'lost', last, last, last, last);
      assert.equal((await failureOf(called(vendor, upsert))).outcome, 'unknown', JSON.stringify(last));
    }
    await using vendor = await new KitVendor().open();
    behave(vendor, { status: 500 }, { status: 422 });
    assert.equal((await failureOf(called(vendor, upsert))).outcome, 'unknown');
  });

  test('never leaves the outcome of a read unknown', async () => {
    for (const behaviour of ['lost', { status: 500 }, { status: 200, body: '[]' }] as const) {
      await using vendor = await new KitVendor().open();
      behave(vendor, behaviour, behaviour, behaviour, behaviour);
      assert.equal((await failureOf(called(vendor, read))).outcome, 'refused', JSON.stringify(behaviour));
    }
  });

  test('whose answer cannot be used leaves the outcome of a write unknown', async () => {
    for (const body of ['[]', '<html>', '{"ok":true']) {
      await using vendor = await new KitVendor().open();
      behave(vendor, { status: 200, body });
      const failure = await failureOf(called(vendor, upsert));
      assert.deepEqual([failure.code, failure.outcome], ['run_failed', 'unknown']);
    }
  });

  test('is followed by the next after what the vendor asked for, or not at all', async () => {
    await using vendor = await new KitVendor().open();
    behave(vendor, { status: 429, headers: { 'retry-after': '30' } });
    const began = vendor.clock.now();
    await called(vendor, read);
    assert.ok(vendor.clock.now() - began >= 30_000);
    behave(vendor, { status: 429, headers: { 'retry-after': '3600' } });
    const failure = await failureOf(called(vendor, read));
    assert.deepEqual([failure.code, failure.retryable], ['rate_limited', true]);
    assert.equal(vendor.count('/rows'), 3);
  });

  test('without an answer ends at the deadline as timeout', async () => {
    await withPatience([100, 8000], async (read_deadline_ms) => {
      await using vendor = await new KitVendor().open();
      vendor.limits = { ...vendor.limits, read_deadline_ms };
      behave(vendor, 'hang');
      const failure = await failureOf(called(vendor, append));
      assert.deepEqual([failure.code, failure.outcome], ['timeout', 'unknown']);
    });
  });

  test('ends with the reason where it is called off', async () => {
    await using vendor = await new KitVendor().open();
    behave(vendor, 'hang');
    const leaving = new AbortController();
    const call = vendor
      .client()
      .call(accessTo(vendor.grant()), callOf({ ...append, signal: leaving.signal }));
    const reason = new Error('the process stops');
    leaving.abort(reason);
    await assert.rejects(call, (error) => error === reason);
  });
});

describe('a final refusal', () => {
  test('carries what the vendor said for the connector, and shows only its word', async () => {
    await using vendor = await new KitVendor().open();
    behave(vendor, { status: 422, body: JSON.stringify({ message: `${ROW} is not a number` }) });
    const failure = await failureOf(called(vendor, append));
    assert.ok(failure instanceof VendorRefusal);
    assert.deepEqual([failure.status, failure.word, failure.outcome], [422, 'BAD_ROW', 'refused']);
    assert.ok(failure.text.includes(ROW));
    assert.equal(failure.message, 'Kit answered 422: BAD_ROW.');
  });
});

describe('an answer', () => {
  test('that is larger than the call allows is refused', async () => {
    await using vendor = await new KitVendor().open();
    const body = JSON.stringify({ ok: true, more: 'x'.repeat(5000) });
    behave(vendor, { status: 200, body });
    await called(vendor, { ...read, maxResponseBytes: 6000 });
    behave(vendor, { status: 200, body });
    const failure = await failureOf(called(vendor, { ...read, maxResponseBytes: 4000 }));
    assert.deepEqual([failure.code, failure.outcome], ['run_failed', 'refused']);
    assert.equal(vendor.count('/rows'), 2);
  });

  test('that is too deep, or holds too much, is refused', async () => {
    await using vendor = await new KitVendor().open();
    vendor.limits = { ...vendor.limits, answer_depth: 32, answer_values: 100 };
    for (const more of [`${'['.repeat(32)}${']'.repeat(32)}`, `[${'1,'.repeat(200)}1]`]) {
      behave(vendor, { status: 200, body: `{"ok":true,"more":${more}}` });
      await failureOf(called(vendor, read));
    }
    behave(vendor, { status: 200, body: `{"ok":true,"more":${'['.repeat(31)}${']'.repeat(31)}}` });
    await called(vendor, read);
  });

  test('without a body is an empty object', async () => {
    await using vendor = await new KitVendor().open();
    behave(vendor, { status: 204, body: '' });
    const call = { ...callOf(read), expect: Type.Object({}) };
    assert.deepEqual(await vendor.client().call(accessTo(vendor.grant()), call), {});
  });
});

describe('quotas', () => {
  const quota = { name: 'kit-user', amount: 1, windowMs: 1000 };

  test('are counted for the holder of the grant before every request, also before the one after a renewal', async () => {
    await using vendor = await new KitVendor().open();
    const taken: QuotaUse[][] = [];
    const quotas = { take: async (uses: readonly QuotaUse[]) => void taken.push([...uses]) };
    const call = { ...read, quotas: (holder: string) => [{ quota, key: holder }] };
    behave(vendor, { status: 503 }, { status: 401 });
    await called(vendor, call, accessTo(vendor.grant()), vendor.client({ quotas }));
    assert.deepEqual(
      taken,
      Array.from({ length: vendor.count('/rows') }, () => [{ quota, key: 'ada' }]),
    );
    assert.equal(vendor.count('/rows'), 3);
  });

  test('that are used up for longer than the call can wait end it as rate_limited, and nothing was sent', async () => {
    await using vendor = await new KitVendor().open();
    const quotas = {
      take: async () => {
        throw new QuotaSpent(quota, 90_000);
      },
    };
    const failure = await failureOf(called(vendor, append, undefined, vendor.client({ quotas })));
    assert.deepEqual([failure.code, failure.outcome, failure.retryable], ['rate_limited', 'refused', true]);
    assert.equal(vendor.requests.length, 0);
  });

  test('may be waited for only as long as is left of the time of the call', async () => {
    await using vendor = await new KitVendor().open();
    const waits: number[] = [];
    const quotas = {
      take: async (_uses: readonly QuotaUse[], longestWaitMs: number) => {
        waits.push(longestWaitMs);
        await vendor.clock.sleep(1000);
      },
    };
    behave(vendor, { status: 429 });
    await called(vendor, { ...read, longestWaitMs: PERSON_WAIT_MS }, undefined, vendor.client({ quotas }));
    const [first = 0, second = 0] = waits;
    assert.equal(first, PERSON_WAIT_MS);
    assert.ok(second <= PERSON_WAIT_MS - 1500, String(second));
  });
});

test('no failure names a token, a secret or a row, in its message, its causes or anywhere else but a refusal', async () => {
  for (const behaviour of [
    'lost',
    'reset',
    { status: 500, body: ROW },
    { status: 401, body: ROW },
    { status: 200, body: ROW },
  ] as const) {
    await using vendor = await new KitVendor().open();
    behave(vendor, behaviour, behaviour, behaviour, behaviour);
    const access = accessTo(vendor.grant());
    const said = inspect(await failureOf(called(vendor, upsert, access)), { depth: 10 });
    const { access: token, refresh } = readGrant(access.stored);
    for (const secret of [ROW, token, refresh, 'own:secret']) assert.ok(!said.includes(secret ?? ''), said);
  }
});
