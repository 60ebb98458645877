import { Scene } from '../airtable/scene.ts';
import { grantOf } from '../airtable/sign-in.ts';
import { syncTo } from '../support/linked-world.ts';
import { amountOf, connectionsOf, writesOf } from './simulated.ts';
import type { SuiteMember } from './suite-scene.ts';

/** A table, in chunks of two calls: ten records are a call. */
export const AIRTABLE: SuiteMember = {
  name: 'Airtable',
  recognises: true,
  manyRows: 1_000,
  storyRows: { first: 45, standing: 35 },
  text: (given) => given,
  onePlace: 'rows become records of one table',
  shown: ({ values }) => ({
    amount: amountOf(values.Amount, values.Currency),
    text: values.Description ?? '',
    status: values.Status ?? '',
  }),
  open: async () => {
    const scene = await Scene.open({ chunkRows: 20 });
    const { world, control, destination } = scene;
    const refused: string[] = [];
    return {
      world,
      sync: (accounts, more) => syncTo(world, destination, accounts, more),
      rows: () => control.rows(),
      ...connectionsOf(control, { world, destination, signIn: () => grantOf(scene.connector.linking) }),
      refuse: (id) => {
        refused.push(id);
        control.refuseTexts(refused);
      },
      deleteRow: (id) => control.deleteRecord(scene.recordOf(id)),
      verified: {
        writes: writesOf(control, /\/listRecords$/),
        edit: (id, text) => control.editRecord(scene.recordOf(id), { Description: text }),
        copy: (id) => void control.copyRecord(scene.recordOf(id)),
        own: () => void control.addRecord(scene.table, { Description: 'mine' }),
      },
      [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
    };
  },
};
