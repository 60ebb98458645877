import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { QueryObserver } from '@tanstack/react-query';
import { EventReads } from '../../web/src/api/event-reads.ts';
import { ReadCache } from '../../web/src/api/queries.ts';

const FRESH_MS = 15_000;
/** Longer than data is left alone between two refetches. */
const APART_MS = 2_000;
const RUN_ENDED = {
  type: 'sync_run.succeeded',
  related_object: { id: 'run_1', object: 'sync_run', url: '/v2/sync_runs/run_1' },
} as const;

/** A service whose answers are as old as the requests, and are held back until they are let go. */
function slowService() {
  const answers: (() => void)[] = [];
  const service = { state: 'before', asked: 0, cancelled: 0 };
  return {
    service,
    read: ({ signal }: { readonly signal: AbortSignal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const { state } = service;
      service.asked += 1;
      signal.addEventListener('abort', () => {
        service.cancelled += 1;
        reject(signal.reason);
      });
      answers.push(() => resolve(state));
      return promise;
    },
    answer: async () => {
      for (const one of answers.splice(0)) one();
      await pass(0);
    },
  };
}

/** Lets timers and everything that waits for them come. */
async function pass(ms: number): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  mock.timers.tick(ms);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function opened() {
  const cache = new ReadCache({ defaultOptions: { queries: { staleTime: FRESH_MS, retry: false } } });
  const reads = new EventReads(cache);
  const { service, read, answer } = slowService();
  const query = { queryKey: ['syncs'], queryFn: read };
  /** A page that shows them. Returns what leaves it. */
  const show = ({ enabled = true } = {}) =>
    new QueryObserver(cache, { ...query, enabled }).subscribe(() => undefined);
  const shown = () => cache.getQueryData(query.queryKey);
  return { cache, reads, service, answer, show, shown };
}

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

describe('what an event changes is read again', () => {
  test('after an answer that is from before it, the first answer among them', async () => {
    const { reads, service, answer, show, shown } = opened();
    show();
    service.state = 'after';
    reads.onEvent(RUN_ENDED);
    await pass(0);
    assert.equal(service.asked, 1);
    await answer();
    await answer();
    assert.equal(shown(), 'after');
    assert.equal(service.asked, 2);
  });

  test('by the next page that shows it, if the page is left before', async () => {
    const { reads, service, answer, show, shown } = opened();
    const leave = show();
    await answer();
    reads.onEvent(RUN_ENDED);
    await pass(0);
    await answer();
    service.state = 'after';
    reads.onEvent(RUN_ENDED);
    leave();
    await pass(APART_MS);
    assert.equal(service.asked, 2);
    show();
    await answer();
    assert.equal(shown(), 'after');
  });

  test('by the page that is opened meanwhile', async () => {
    const { reads, service, answer, show, shown } = opened();
    const leave = show();
    await answer();
    reads.onEvent(RUN_ENDED);
    await pass(0);
    await answer();
    service.state = 'after';
    reads.onEvent(RUN_ENDED);
    leave();
    show();
    await pass(APART_MS);
    await answer();
    assert.equal(shown(), 'after');
  });

  test('by the next page, where leaving cancelled a read that was under way', async () => {
    const { cache, reads, service, answer, show, shown } = opened();
    const leave = show();
    await answer();
    cache.refetchQueries();
    service.state = 'after';
    reads.onEvent(RUN_ENDED);
    await pass(0);
    leave();
    await pass(0);
    assert.equal(service.cancelled, 1);
    show();
    await answer();
    assert.equal(shown(), 'after');
  });

  test('by the next page, where a read went on for a badge that requests nothing', async () => {
    const { cache, reads, service, answer, show, shown } = opened();
    show({ enabled: false });
    const leave = show();
    await answer();
    cache.refetchQueries();
    leave();
    service.state = 'after';
    reads.onEvent(RUN_ENDED);
    await pass(0);
    await answer();
    assert.equal(service.cancelled, 0);
    assert.equal(shown(), 'before');
    show();
    await answer();
    assert.equal(shown(), 'after');
  });

  test('once for many events, and a slow answer is never cancelled by them', async () => {
    const { reads, service, answer, show, shown } = opened();
    show();
    await answer();
    for (let count = 0; count < 50; count++) {
      service.state = `after ${count}`;
      reads.onEvent(RUN_ENDED);
      await pass(APART_MS / 10);
    }
    assert.equal(service.asked, 2);
    assert.equal(service.cancelled, 0);
    await answer();
    await answer();
    assert.equal(shown(), 'after 49');
    assert.equal(service.asked, 3);
  });

  test('after a gap, and what an event does not concern is left alone', async () => {
    const { reads, service, answer, show, shown } = opened();
    show();
    await answer();
    service.state = 'after';
    reads.onEvent({
      type: 'api_key.expiring',
      related_object: { id: 'key_1', object: 'api_key', url: '/v2/api_keys/key_1' },
    });
    await pass(APART_MS);
    assert.equal(service.asked, 1);
    reads.onGap();
    await pass(APART_MS);
    await answer();
    assert.equal(shown(), 'after');
  });
});

test('what a person changes is read again after an answer from before the change', async () => {
  const { cache, service, answer, show, shown } = opened();
  show();
  service.state = 'after';
  for (let again = 0; again < 3; again++) cache.invalidateQueries({ queryKey: ['syncs'] });
  await answer();
  await answer();
  assert.equal(shown(), 'after');
  assert.equal(service.asked, 2);
});
