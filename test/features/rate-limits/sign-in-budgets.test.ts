import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openRateLimits, type RateLimits } from '../../../src/features/rate-limits/rate-limits.ts';
import type { SignInAttempts } from '../../../src/features/rate-limits/sign-in-attempts.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { newKeyEntry, parseKeyring } from '../../../src/platform/keyring.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Every limit of its own size, so that one that was compared with the counter of another would be noticed. */
const LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  sign_in_attempts: 3,
  sign_in_address_attempts: 1_000,
  sign_in_account_attempts: 7,
  second_factor_attempts: 11,
  password_reset_mails: 5,
  password_reset_account_mails: 13,
};
const MANY = 20;

/** How many of so many attempts were allowed, those after a refusal included: an attacker goes on. */
async function allowed(attempt: (at: number) => Promise<void>): Promise<number> {
  let count = 0;
  for (let at = 0; at < MANY; at++) {
    try {
      await attempt(at);
      count += 1;
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === 'too_many_auth_attempts', String(error));
    }
  }
  return count;
}

const email = 'someone@example.test';
const address = '192.0.2.1';
const network = (at: number): string => `198.51.100.${at}`;

const BUDGETS: Readonly<
  Record<string, { most: number; attempt: (signIns: SignInAttempts, at: number) => Promise<void> }>
> = {
  'passwords for one e-mail address from one network': {
    most: 3,
    attempt: (signIns) => signIns.arrive({ address, email, device: null }),
  },
  'passwords in one browser': {
    most: 3,
    attempt: (signIns) => signIns.arrive({ address, email, device: 'known' }),
  },
  'passwords for one e-mail address': {
    most: 7,
    attempt: (signIns, at) => signIns.arrive({ address: network(at), email, device: null }),
  },
  'codes of a second factor': { most: 11, attempt: (signIns) => signIns.secondFactor('person') },
  'mails for one e-mail address from one network': {
    most: 5,
    attempt: (signIns) => signIns.resetMail({ address, email, device: null }),
  },
  'mails from one browser': {
    most: 5,
    attempt: (signIns) => signIns.resetMail({ address, email, device: 'known' }),
  },
  'mails for one e-mail address': {
    most: 13,
    attempt: (signIns, at) => signIns.resetMail({ address: network(at), email, device: null }),
  },
  'invitations to one address': { most: 5, attempt: (signIns) => signIns.invitationMail(email) },
};

const { REDIS_URL } = process.env;
for (const [where, redisUrl, skip] of [
  ['the database', null, false],
  ['Redis', REDIS_URL ?? null, REDIS_URL === undefined],
] as const) {
  describe(`budgets of signing in, counted in ${where}`, { skip }, () => {
    let database: TestDatabase;
    const opened: RateLimits[] = [];
    before(async () => {
      database = await openTestDatabase();
    });
    after(async () => {
      for (const limits of opened) await limits.close();
      await database.close();
    });
    const open = async (limits: Limits): Promise<SignInAttempts> => {
      const keyring = parseKeyring(newKeyEntry(), 'test');
      const log = { warn: () => undefined };
      const one = await openRateLimits({
        redisUrl,
        database: database.database,
        keyring,
        limits: { ...limits, count_store_deadline_ms: 60_000 },
        clock: systemClock,
        log,
      });
      opened.push(one);
      return one.signIns;
    };

    for (const [what, { most, attempt }] of Object.entries(BUDGETS)) {
      test(`allow exactly their own limit of ${what}, whatever the other limits are`, async () => {
        const signIns = await open(LIMITS);
        assert.equal(await allowed((at) => attempt(signIns, at)), most);
      });
    }

    test('a network that used up its attempts uses up nothing of an e-mail address', async () => {
      const signIns = await open({ ...LIMITS, sign_in_address_attempts: 2 });
      const guess = (at: number) => signIns.arrive({ address, email: `${at}@example.test`, device: null });
      assert.equal(await allowed(guess), 2);
      assert.equal(await allowed(() => signIns.arrive({ address, email, device: null })), 0);
      const elsewhere = { address: network(1), email, device: null };
      assert.equal(await allowed(() => signIns.arrive(elsewhere)), 2);
    });
  });
}

test('strangers who fill the counters of guesses reset no count of a second factor, and a network fills no more than its share', async (t) => {
  const database = await openTestDatabase();
  t.after(() => database.close());
  const one = await openRateLimits({
    redisUrl: null,
    database: database.database,
    keyring: parseKeyring(newKeyEntry(), 'test'),
    limits: { ...LIMITS, sign_in_address_attempts: 60 },
    clock: systemClock,
    log: { warn: () => undefined },
  });
  t.after(() => one.close());
  const { signIns } = one;
  await signIns.arrive({ address: network(1), email, device: null });
  for (let at = 0; at < 11; at++) await signIns.secondFactor('person');
  const stranger = (at: number): Promise<void> =>
    signIns.arrive({ address, email: `${at}@example.test`, device: null }).catch(() => undefined);
  // Only where the process counts on its own are buckets dropped; a store keeps all, and asking it so often takes long.
  const count = database.database.pool === null ? 60_000 : 100;
  for (let at = 0; at < count; at++) await stranger(at);
  await assert.rejects(signIns.secondFactor('person'), ServiceError);
  for (let left = 2; left > 0; left--) await signIns.arrive({ address: network(1), email, device: null });
  await assert.rejects(signIns.arrive({ address: network(1), email, device: null }), ServiceError);
});
