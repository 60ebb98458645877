import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from '../../../src/platform/password-hash.ts';
import { addPerson, Browser } from '../../support/people.ts';
import { startService } from '../../support/service.ts';

const WRONG = 'wrong horse battery';
const ROUNDS = 15;
/** A machine that does much else gets more rounds; an answer without an argon2 is found however many there are. */
const MOST_ROUNDS = 90;

test('an unknown address and a wrong password take an argon2 each, and as long', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const owner = await service.owner();
  const known = await addPerson(service, owner);
  const browser = new Browser(service.url);
  const hash = await hashPassword(WRONG);
  const signIn = async (email: string) => assert.equal((await browser.signIn(email, WRONG)).status, 401);
  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    bare: () => verifyPassword('something else', hash),
    known: () => signIn(known.email),
    unknown: () => signIn('nobody@example.test'),
  };
  const times = new Map<string, number[]>();
  const leastOf = (kind: string): number => Math.min(...(times.get(kind) ?? [Number.NaN]));
  const alike = (): boolean => {
    const least = ['known', 'unknown'].map(leastOf);
    return Math.min(...least) > 0.7 * leastOf('bare') && Math.max(...least) < 2 * Math.min(...least);
  };
  // In turn, so that whatever else the machine does slows all alike; the first round only warms up.
  for (let round = 0; round <= ROUNDS || (round <= MOST_ROUNDS && !alike()); round += 1) {
    for (const [kind, work] of Object.entries(kinds)) {
      const began = performance.now();
      await work();
      if (round > 0) times.set(kind, [...(times.get(kind) ?? []), performance.now() - began]);
    }
  }
  assert.ok(alike(), `least in ms: ${Object.keys(kinds).map((kind) => `${kind} ${leastOf(kind)}`)}`);
});
