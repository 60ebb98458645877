import assert from 'node:assert/strict';
import { sourceOf } from '../../../../src/connectors/destinations/actual/rows.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { Scene } from '../actual/scene.ts';
import { MANY_ROWS } from '../support/shares.ts';
import { connectionsOf } from './simulated.ts';
import type { SuiteMember } from './suite-scene.ts';

/** A budget in Australian dollars, in chunks smaller than the connector's own. */
export const ACTUAL: SuiteMember = {
  name: 'Actual Budget',
  recognises: true,
  manyRows: MANY_ROWS,
  storyRows: { first: 220, standing: 60 },
  oneCurrency: { code: 'aud', because: 'a budget has one currency' },
  text: (given) => given,
  shown: ({
    values: { Payment: payment = '', Deposit: deposit = '', Notes: notes = '', Cleared: cleared },
  }) => ({
    amount: payment === '' ? deposit : `-${payment}`,
    text: notes,
    status: cleared === 'cleared' ? 'posted' : 'pending',
  }),
  open: async () => {
    const scene = await Scene.open({ chunkRows: 100 });
    const { world } = scene;
    const { control } = scene.vendor;
    const transactionOf = (id: string): string => {
      const found = scene.shown().find((one) => sourceOf(one.importedId ?? '') === id);
      return found?.id ?? assert.fail(`${id} is not there`);
    };
    return {
      world,
      sync: (accounts, more) => scene.sync(accounts, more),
      rows: () => control.rows().map((row) => ({ ...row, id: sourceOf(row.id) ?? row.id })),
      ...connectionsOf(control),
      place: (account, name) => ({
        account,
        destination_account: scene.at(name === 'first' ? 'Everyday' : 'Savings'),
      }),
      deleteRow: (id) => {
        control.deleteTransaction(scene.budget, transactionOf(id));
      },
      verified: {
        writes: () => scene.summary.messages,
        edit: (id) => control.edit(scene.budget, transactionOf(id), { amount: 4242 }),
        edited: { found: '42.42', expected: '-7' },
        own: () => {
          const date = posted(1, { day: 49 }).date ?? '';
          control.enter(scene.budget, { account: scene.at('Everyday'), date, amount: -1000 });
        },
      },
      [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
    };
  },
};
