import assert from 'node:assert/strict';
import type { ReceivedRow } from '../../../../sandbox/shared/simulator.ts';
import { importIds } from '../../../../src/connectors/destinations/ynab/rows.ts';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import type { World } from '../../../features/sync-engine/support/world.ts';
import { MANY_ROWS } from '../support/shares.ts';
import { granted, Scene } from '../ynab/scene.ts';
import { connectionsOf, describeAs, writesOf } from './simulated.ts';
import type { SuiteMember } from './suite-scene.ts';

const MEMO_CHARACTERS = 500;
const REFUSED = 'a payee that YNAB refuses';

/** A plan in Australian dollars, in chunks smaller than the connector's own. */
export const YNAB: SuiteMember = {
  name: 'YNAB',
  recognises: true,
  manyRows: MANY_ROWS,
  storyRows: { first: 220, standing: 60 },
  uncertainResync: 'YNAB does not say since when a transaction is there',
  oneCurrency: { code: 'aud', because: 'a plan has one currency' },
  text: (given) => given.slice(0, MEMO_CHARACTERS),
  shown: ({ values: { Outflow: outflow = '', Inflow: inflow = '', Memo: memo = '', Cleared: cleared } }) => ({
    amount: outflow === '' ? inflow : `-${outflow}`,
    text: memo,
    status: cleared === 'cleared' ? 'posted' : 'pending',
  }),
  open: async () => {
    const scene = await Scene.open({ chunkRows: 100 });
    const { world, connector, destination } = scene;
    const { control } = scene.vendor;
    const rowIdOf = rowIds(world);
    const transactionOf = (id: string): string => {
      const row = control.rows().find((one) => rowIdOf(one) === id);
      const found = scene.shown().find((one) => one.importId === row?.id);
      return found?.id ?? assert.fail(`${id} is not there`);
    };
    return {
      world,
      sync: (accounts, more) => scene.sync(accounts, more),
      rows: () => control.rows().map((row) => ({ ...row, id: rowIdOf(row) })),
      ...connectionsOf(control, { world, destination, signIn: () => granted(connector) }),
      place: (account, name) => ({
        account,
        destination_account: scene.at(name === 'first' ? 'Everyday' : 'Savings'),
      }),
      refuse: (id) => {
        describeAs(world, id, REFUSED);
        control.change({ refusedPayees: [REFUSED] });
      },
      deleteRow: (id) => {
        control.deleteTransaction(transactionOf(id));
      },
      verified: {
        writes: writesOf(control, /^$/),
        edit: (id, text) => control.edit(transactionOf(id), { memo: text }),
        own: () => {
          const entry = {
            account: scene.at('Everyday'),
            date: posted(1, { day: 49 }).date ?? '',
            amount: -1000,
          };
          control.enter(scene.plan, entry);
        },
      },
      [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
    };
  },
};

/**
 * The bank's id of an imported row. A posted row that took the place of a pending one is known by the pending one's
 * import id (docs/destination-services.md#ynab): it is told by its memo.
 */
function rowIds({ bank }: World): (row: ReceivedRow) => string {
  const read = new Map<string, Transaction>();
  bank.beforePage = (account) => {
    for (const row of bank.accounts.get(account) ?? []) {
      const { posted, pending } = importIds(account, row.id);
      for (const id of [...posted, ...pending]) read.set(id, row);
    }
  };
  return ({ id, values }) => {
    const row = read.get(id);
    if (row === undefined || row.status === 'posted' || values.Cleared !== 'cleared') return row?.id ?? id;
    const settled = [...read.values()].find(
      ({ status, description }) => status === 'posted' && description === values.Memo,
    );
    return settled?.id ?? id;
  };
}
