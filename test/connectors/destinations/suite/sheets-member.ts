import assert from 'node:assert/strict';
import { Scene } from '../sheets/scene.ts';
import { MANY_ROWS } from '../support/shares.ts';
import { amountOf, connectionsOf, describeAs, writesOf } from './simulated.ts';
import type { SuiteMember } from './suite-scene.ts';

const REFUSED = 'a text that Google refuses';

/** A spreadsheet, with chunks smaller than the connector's own, so that a run has several. */
export const SHEETS: SuiteMember = {
  name: 'Google Sheets',
  recognises: true,
  manyRows: MANY_ROWS,
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
        const startIndex = rowIndexOf(scene, id);
        const range = { sheetId: 0, dimension: 'ROWS', startIndex, endIndex: startIndex + 1 };
        scene.edit({ deleteDimension: { range } });
      },
      plainIds: () => {
        for (const [at, [id]] of scene.grid().entries()) {
          if (typeof id !== 'string' || !id.includes('/')) continue;
          scene.edit(typedRow(scene, at, 'Transaction ID', id.slice(id.indexOf('/') + 1)));
        }
      },
      verified: {
        writes: writesOf(control, /ByDataFilter$/),
        edit: (id, text) => scene.edit(typedRow(scene, rowIndexOf(scene, id), 'Description', text)),
        copy: (id) => {
          const cells = control.values(scene.spreadsheet, 0)[rowIndexOf(scene, id)] ?? [];
          scene.edit(...newRow(scene, cells));
        },
        own: () => scene.edit(...newRow(scene, [null, null, 'mine'])),
      },
      [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
    };
  },
};

function rowIndexOf(scene: Scene, id: string): number {
  const index = scene.grid().findIndex((cells) => cells.includes(id));
  assert.ok(index > 0, `${id} is not there`);
  return index;
}

function typedRow(scene: Scene, rowIndex: number, header: string, text: string) {
  const columnIndex = scene.grid()[0]?.indexOf(header) ?? assert.fail(header);
  return cellsAt(rowIndex, columnIndex, [text]);
}

/** A further row below the others. */
function newRow(scene: Scene, values: readonly (string | number | boolean | null)[]) {
  const rowIndex = scene.grid().length;
  return [{ appendDimension: { sheetId: 0, dimension: 'ROWS', length: 1 } }, cellsAt(rowIndex, 0, values)];
}

function cellsAt(
  rowIndex: number,
  columnIndex: number,
  values: readonly (string | number | boolean | null)[],
) {
  const cells = values.map((value) => {
    if (typeof value === 'number') return { userEnteredValue: { numberValue: value } };
    return value === null ? {} : { userEnteredValue: { stringValue: String(value) } };
  });
  const start = { sheetId: 0, rowIndex, columnIndex };
  return { updateCells: { start, rows: [{ values: cells }], fields: 'userEnteredValue' } };
}
