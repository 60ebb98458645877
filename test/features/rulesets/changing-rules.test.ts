import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { localDate } from '../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { pending, posted } from '../sync-engine/support/bank.ts';
import { runAndDie } from '../sync-engine/support/death.ts';
import type { Behaviour } from '../sync-engine/support/receiver.ts';
import { closeDatabase } from '../sync-engine/support/world.ts';
import { RuledWorld, type TestRule } from './ruled-world.ts';

after(closeDatabase);

const skip = (field: string, operator: string, value: unknown): TestRule => ({
  when: [field, operator, value],
  do: [{ type: 'skip' }],
});
const RULES: Readonly<Record<string, readonly TestRule[]>> = {
  none: [],
  'skip pending': [skip('status', 'equals', 'pending')],
  'skip posted': [skip('status', 'equals', 'posted')],
  'skip even': [skip('description', 'matches', '[02468]$')],
  'skip all': [{ when: null, do: [{ type: 'skip' }] }],
  flip: [{ when: ['amount', 'equals', '5.00'], do: [{ type: 'flip_sign' }] }],
  note: [{ when: null, do: [{ type: 'set_memo', value: 'x' }] }],
};
const BEHAVIOURS: readonly Behaviour[] = ['ok', 'ok', 'ok', 'drop_before', 'drop_after', { status: 500 }];

const step = fc.record({
  rules: fc.constantFrom(...Object.keys(RULES)),
  behave: fc.constantFrom(...BEHAVIOURS),
  /** The statement before which the worker dies; the next step goes on with its run, under other rules. */
  dies: fc.option(fc.integer({ min: 3, max: 22 }), { nil: Number.POSITIVE_INFINITY }),
  /** What happens at the bank: row n comes as pending, comes as posted, or goes while it is pending. */
  moves: fc.array(fc.tuple(fc.constantFrom('pend', 'post', 'go'), fc.integer({ min: 1, max: 4 })), {
    maxLength: 3,
  }),
});

const about = (number: number) => ({
  day: 44,
  cents: number < 3 ? -500 : -700,
  description: `row ${number}`,
});

test('whatever rules come and go between runs, failures and deaths, in the end the destination holds what the bank reports', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      const ruled = await RuledWorld.open();
      const { world } = ruled;
      const account = world.account();
      const options = { data_from: localDate('2020-01-01'), include_pending: true };
      const sync = await world.sync([account], { options });
      const rows = new Map<number, Transaction>();
      const turn = async (rules: string, behave: Behaviour, dies: number): Promise<void> => {
        world.bank.accounts.set(account, [...rows.values()]);
        world.receiver.behave = () => behave;
        await ruled.apply(sync, ...(RULES[rules] ?? []));
        await runAndDie(world, sync, dies);
      };
      for (const { rules, behave, dies, moves } of steps) {
        for (const [move, number] of moves) {
          const status = rows.get(number)?.status;
          if (move === 'pend' && status === undefined) rows.set(number, pending(number, about(number)));
          if (move === 'post' && status !== 'posted') rows.set(number, posted(number, about(number)));
          if (move === 'go' && status === 'pending') rows.delete(number);
        }
        await turn(rules, behave, dies);
      }
      await turn('none', 'ok', Number.POSITIVE_INFINITY);
      assert.deepEqual(
        [...world.receiver.rows().keys()].toSorted(),
        [...rows.values()].map((row) => row.id).toSorted(),
      );
      for (const [id, count] of world.receiver.newCounts()) {
        if (!id.includes('_pend_')) assert.equal(count, 1, `${id} came as new ${count} times`);
      }
      for (const row of rows.values()) {
        const held = world.receiver.rows().get(row.id);
        assert.deepEqual([held?.amount, held?.memo, held?.status], [row.amount.amount, null, row.status]);
      }
      assert.deepEqual([await world.inDoubt(sync), world.receiver.faults], [[], []]);
      await world.close();
    }),
    { numRuns: 8 },
  );
});
