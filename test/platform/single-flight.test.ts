import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { SingleFlight } from '../../src/platform/single-flight.ts';

test('callers of one key share one piece of work; other keys and later calls run their own', async () => {
  const flights = new SingleFlight<number>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return runs;
  };
  const results = await Promise.all([flights.run('a', work), flights.run('a', work), flights.run('b', work)]);
  assert.equal(runs, 2);
  assert.equal(results[0], results[1]);
  assert.equal(flights.size, 0);
  await flights.run('a', work);
  assert.equal(runs, 3);
});

test('an error is shared, also one thrown at once, and does not stick', async () => {
  const flights = new SingleFlight<number>();
  let runs = 0;
  const fail = (): Promise<number> => {
    runs += 1;
    throw new Error('no');
  };
  const results = await Promise.allSettled([flights.run('a', fail), flights.run('a', fail)]);
  assert.deepEqual(
    results.map((result) => result.status),
    ['rejected', 'rejected'],
  );
  assert.equal(runs, 1);
  assert.equal(flights.size, 0);
  assert.equal(await flights.run('a', async () => 5), 5);
});

test('work that may be joined does not inherit what the first caller carries along, such as its transaction', async () => {
  const carried = new AsyncLocalStorage<string>();
  const flights = new SingleFlight<string | undefined>();
  const seen = await carried.run('of the first caller', () =>
    flights.run('a', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return carried.getStore();
    }),
  );
  assert.equal(seen, undefined);
});
