import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { generated } from '../../support/thorough.ts';
import { posted } from './support/bank.ts';
import { runAndDie } from './support/death.ts';
import type { Behaviour } from './support/receiver.ts';
import { closeDatabase, World } from './support/world.ts';

after(closeDatabase);

/** What goes wrong during one attempt: the statement the process dies at, and the receiver's answers in turn. */
const attempt = fc.record({
  dies: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 2 }),
  answers: fc.array(
    fc.constantFrom<Behaviour>(
      'ok',
      'ok',
      'drop_before',
      'drop_after',
      { status: 500 },
      { status: 400 },
      { status: 429 },
    ),
    { maxLength: 4 },
  ),
  bankFailsAtPage: fc.option(fc.integer({ min: 0, max: 6 }), { freq: 4 }),
});
const plan = fc.record({
  sizes: fc.array(fc.integer({ min: 0, max: 1300 }), { minLength: 1, maxLength: 3 }),
  pageSize: fc.constantFrom(90, 250, 1000),
  attempts: fc.array(attempt, { maxLength: 6 }),
});

test('whatever fails and however often, each row arrives, as new at most once, and the counts add up', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ sizes, pageSize, attempts }) => {
      const world = await World.open();
      try {
        let number = 0;
        const accounts = sizes.map((size) => {
          const account = world.account();
          world.bank.accounts.set(
            account,
            Array.from({ length: size }, () => posted(number++)),
          );
          return account;
        });
        world.bank.pageSize = pageSize;
        const sync = await world.sync(accounts);
        for (const { dies, answers, bankFailsAtPage } of attempts) {
          const from = world.receiver.requests.length;
          world.receiver.behave = (request) => answers[request - from] ?? 'ok';
          world.bank.beforePage = (_account, page) => {
            if (page === bankFailsAtPage) throw new ServiceError('upstream_unavailable');
          };
          await runAndDie(world, sync, dies ?? Number.POSITIVE_INFINITY);
        }
        world.receiver.behave = () => 'ok';
        world.bank.beforePage = () => undefined;
        const last = await world.run(sync);
        assert.equal(last.status, 'succeeded');
        assert.equal(world.receiver.rows().size, number, 'rows lost');
        const fresh = world.receiver.newCounts();
        assert.ok(
          [...fresh.values()].every((count) => count === 1),
          'rows doubled',
        );
        const runs = await world.allRuns(sync);
        assert.equal(
          runs.reduce((sum, run) => sum + run.added, 0),
          fresh.size,
        );
        assert.ok(runs.every((run) => ['succeeded', 'failed'].includes(run.status)));
        assert.deepEqual(world.receiver.faults, []);
      } finally {
        await world.close();
      }
    }),
    { numRuns: generated(40) },
  );
});
