import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { sentUntilTaken } from '../../web/src/api/held-requests.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
afterEach(() => mock.timers.reset());

const refusal = (seconds: number, code: string) =>
  new Response(JSON.stringify({ error: { code } }), {
    status: 429,
    headers: { 'retry-after': String(seconds) },
  });

/** Sends against a service that always refuses, while time passes; when each attempt was made, in seconds. */
async function attempts(seconds: number, code: string): Promise<readonly number[]> {
  const began = Date.now();
  const made: number[] = [];
  let over = false;
  const sent = sentUntilTaken('/v2/syncs', async () => {
    made.push(Math.floor((Date.now() - began) / 1000));
    return refusal(seconds, code);
  }).finally(() => {
    over = true;
  });
  for (let turn = 0; !over && turn < 2_000; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(500);
  }
  assert.equal((await sent).status, 429);
  return made;
}

test('a refused request is sent again until two minutes have passed, and not after them', async () => {
  const made = await attempts(50, 'rate_limit_exceeded');
  assert.equal(made.length, 3);
  assert.ok((made.at(-1) ?? 0) <= 120, made.join());
  assert.deepEqual(await attempts(121, 'rate_limit_exceeded'), [0]);
});

test('a refusal by a bank or a vendor is shown at once', async () => {
  assert.deepEqual(await attempts(5, 'upstream_rate_limited'), [0]);
});
