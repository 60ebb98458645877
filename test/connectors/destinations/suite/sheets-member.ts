import assert from 'node:assert/strict';
import { Scene } from '../sheets/scene.ts';
import { amountOf, connectionsOf, describeAs } from './simulated.ts';
import type { SuiteMember } from './suite-scene.ts';

const REFUSED = 'a text that Google refuses';

/** A spreadsheet, with chunks smaller than the connector's own, so that a run has several. */
export const SHEETS: SuiteMember = {
  name: 'Google Sheets',
  recognises: true,
  manyRows: 10_000,
  storyRows: { first: 220, standing: 60 },
  text: (given) => given,
  shown: ({ values }) => ({
    amount: amountOf(values.Amount, values.Currency),
    text: values.Description ?? '',
    status: values.Status ?? '',
  }),
  open: async () => {
    const scene = await Scene.open({ change: (connector) => ({ ...connector, chunkRows: 100 }) });
    const { world, google } = scene;
    const { control, received } = google.simulator;
    scene.edit({ addSheet: { properties: { sheetId: 1, title: 'second' } } });
    return {
      world,
      sync: (accounts, more) => scene.sync(accounts, more),
      rows: () => received.rows(),
      ...connectionsOf(control),
      refuse: (id) => {
        describeAs(world, id, REFUSED);
        control.refuseText(REFUSED);
      },
      place: (account, name) => ({ account, sheet_id: name === 'first' ? '0' : '1', sheet_name: name }),
      deleteRow: (id) => {
        const startIndex = scene.grid().findIndex((cells) => cells.includes(id));
        assert.ok(startIndex > 0, `${id} does not stand there`);
        const range = { sheetId: 0, dimension: 'ROWS', startIndex, endIndex: startIndex + 1 };
        scene.edit({ deleteDimension: { range } });
      },
      [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
    };
  },
};
