import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { onlineManager } from '@tanstack/react-query';
import { RateLimitError } from '#client';
import { abandonedWrite, heldRequests, sentUntilTaken, showWait } from '../../web/src/api/held-requests.ts';
import { abandonWrites, writesBegun } from '../../web/src/api/open-writes.ts';
import { queries } from '../../web/src/api/queries.ts';

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
  const sent = sentUntilTaken(
    '/v2/syncs',
    async () => {
      made.push(Math.floor((Date.now() - began) / 1000));
      return refusal(seconds, code);
    },
    { writes: false },
  ).finally(() => {
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

/** How often a write is sent to a service that refuses it for five seconds; `meanwhile` happens when it was refused first. */
async function sendings(
  meanwhile: () => void,
  { writes = true, stays = false } = {},
): Promise<{ sent: number; status: number }> {
  let sent = 0;
  let over = false;
  const send = async () => {
    sent += 1;
    return sent === 1 ? refusal(5, 'rate_limit_exceeded') : new Response('{}');
  };
  const answer = sentUntilTaken('/v2/syncs', send, { writes, stays }).finally(() => {
    over = true;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  meanwhile();
  for (let at = 0; !over && at < 100; at++) {
    await turn();
    mock.timers.tick(500);
  }
  return { sent, status: (await answer).status };
}

test('a write that waits is not sent after its person left or cancelled, and they are told', async () => {
  assert.deepEqual(await sendings(() => undefined), { sent: 2, status: 200 });
  assert.equal(abandonedWrite.read(), null);
  assert.deepEqual(await sendings(() => abandonWrites()), { sent: 1, status: 429 });
  assert.notEqual(abandonedWrite.read(), null);
  abandonedWrite.seen();
  assert.equal(abandonedWrite.read(), null);
});

test('a write that is being sent when its person leaves is not sent again once it is refused', async () => {
  const sending = sendings(() => undefined);
  abandonWrites();
  assert.deepEqual(await sending, { sent: 1, status: 429 });
  abandonedWrite.seen();
});

test('leaving gives up no read, nothing from before the dialog that was cancelled, and no undoing', async () => {
  const taken = { sent: 2, status: 200 };
  assert.deepEqual(await sendings(() => abandonWrites(), { writes: false }), taken, 'a read');
  assert.deepEqual(await sendings(() => abandonWrites(writesBegun())), taken, 'from before the dialog');
  assert.deepEqual(await sendings(() => abandonWrites(), { stays: true }), taken, 'undoing');
  assert.equal(abandonedWrite.read(), null);
});

test('a write is given up also while an undo that was begun before it still waits', async () => {
  const undoing = sendings(() => undefined, { stays: true });
  const cancelled = sendings(() => abandonWrites());
  assert.deepEqual(await Promise.all([undoing, cancelled]), [
    { sent: 2, status: 200 },
    { sent: 1, status: 429 },
  ]);
  abandonedWrite.seen();
});

test('a wait that begins or ends says nothing more of a write that was abandoned', async () => {
  await sendings(() => abandonWrites());
  let told = 0;
  const stop = abandonedWrite.watch(() => {
    told += 1;
  });
  showWait(5_000)();
  assert.equal(heldRequests.read(), null);
  assert.equal(told, 0);
  abandonedWrite.seen();
  assert.equal(told, 1);
  stop();
});

describe('a write that waits its turn', () => {
  const turns = async (count = 5) => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Begins a write in a queue of that name. */
  const begin = (scope: string, send: () => Promise<unknown>) => {
    const mutation = queries.getMutationCache().build(queries, { scope: { id: scope }, mutationFn: send });
    mutation.execute(undefined).catch(() => undefined);
    return mutation;
  };
  const refused = async (id: string) => {
    const send = async () =>
      new Response(JSON.stringify({ error: { code: 'rate_limit_exceeded' } }), {
        status: 429,
        headers: { 'retry-after': '5', 'request-id': id },
      });
    const { status, headers } = await sentUntilTaken('/v2/syncs', send, { writes: true });
    throw new RateLimitError('Too many.', {
      status,
      type: null,
      code: 'rate_limit_exceeded',
      param: null,
      docUrl: null,
      requestId: headers.get('request-id'),
      retryAfterMs: 5_000,
    });
  };

  afterEach(() => {
    queries.clear();
    abandonedWrite.seen();
  });

  test('is not sent after the one before it was abandoned, and no other is dropped', async () => {
    const sent: string[] = [];
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    begin('rules', () => refused('req_1'));
    begin('rules', async () => sent.push('behind the abandoned one'));
    begin('categories', () => taken);
    begin('categories', async () => sent.push('in another queue'));
    await turns();
    onlineManager.setOnline(false);
    begin('offline', async () => sent.push('of a device that was offline'));
    await turns();
    abandonWrites();
    await turns();
    onlineManager.setOnline(true);
    take();
    await queries.resumePausedMutations();
    await turns();
    assert.deepEqual(sent.toSorted(), ['in another queue', 'of a device that was offline']);
  });

  test('is sent while the notice of an earlier abandonment is open, however many waits begin and end', async () => {
    const sent: string[] = [];
    begin('rules', () => refused('req_2'));
    await turns();
    abandonWrites();
    await turns();
    assert.notEqual(abandonedWrite.read(), null);
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    begin('rules', () => taken);
    begin('rules', async () => sent.push('next'));
    await turns();
    showWait(5_000)();
    take();
    await turns();
    assert.deepEqual(sent, ['next']);
  });

  test('is sent after one that is given up because it waited too long', async () => {
    const sent: string[] = [];
    begin('rules', () => refused('req_3'));
    begin('rules', async () => sent.push('next'));
    for (let second = 0; second < 160; second++) {
      await turns();
      mock.timers.tick(1_000);
    }
    await turns();
    assert.deepEqual(sent, ['next']);
  });
});
