import { decimalFromMoney } from '../../../../src/vocabulary/money.ts';
import { World } from '../../../features/sync-engine/support/world.ts';
import { MANY_ROWS } from '../support/shares.ts';
import type { SuiteMember } from './suite-scene.ts';

/** A receiver as docs/webhooks.md asks for one. */
export const WEBHOOK: SuiteMember = {
  name: 'a webhook',
  // A receiver stores rows by id; it says nothing of what it has.
  recognises: false,
  manyRows: MANY_ROWS,
  onePlace: 'a webhook is one address',
  text: (given) => given,
  shown: ({ values }) => ({
    amount: decimalFromMoney({ amount: Number(values.amount), currency: values.currency ?? '' }),
    text: values.description ?? '',
    status: values.status ?? '',
  }),
  open: async () => {
    const world = await World.open({ delaysMs: [] });
    const { receiver } = world;
    return {
      world,
      sync: (accounts, more) => world.sync(accounts, more),
      rows: () =>
        [...receiver.rowsOfAccounts().values()].map((row) => ({
          id: row.transaction,
          place: '',
          values: Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
        })),
      requests: () => receiver.requests.length,
      drop: (request, when) => {
        const dropped = receiver.requests.length + request;
        receiver.behave = (number) => (number === dropped ? `drop_${when}` : 'ok');
      },
      [Symbol.asyncDispose]: () => world.close(),
    };
  },
};
