import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { Scene } from '../paperclip/scene.ts';
import { MANY_ROWS } from '../support/shares.ts';
import type { SuiteMember } from './suite-scene.ts';

const Text = Type.Tuple([
  Type.String(),
  Type.Integer(),
  Type.Union([Type.String(), Type.Null()]),
  Type.String(),
  Type.String(),
]);

/** The vendor of these tests, which appends and recognises nothing on its own. */
export const PAPERCLIP: SuiteMember = {
  name: 'a vendor that appends',
  recognises: true,
  manyRows: MANY_ROWS,
  text: (given) => given,
  shown: ({ values }) => {
    const [status, , , text, amount] = Value.Parse(Text, JSON.parse(values.text ?? ''));
    return { status, text, amount };
  },
  open: async () => {
    const scene = await Scene.open();
    const { vendor, world } = scene;
    return {
      world,
      sync: (accounts, more) => scene.sync(accounts, more),
      rows: () => scene.document.rows.map(({ id, tab, text }) => ({ id, place: tab, values: { text } })),
      requests: () => vendor.calls.length,
      drop: (request, when) => vendor.drop(request, when === 'before' ? 'reset' : 'lost'),
      refuse: (id) => void vendor.refused.add(id),
      place: (account, name) => ({ account, sheet_id: name, sheet_name: name }),
      deleteRow: (id) => {
        scene.document.rows = scene.document.rows.filter((row) => row.id !== id);
      },
      verified: {
        writes: () => vendor.calls.filter((call) => !/^GET|\/find$|\/token$/.test(call)).length,
        edit: (id, text) => {
          scene.document.rows = scene.document.rows.map((row) =>
            row.id === id ? { ...row, text: row.text.replace(posted(7).description, text) } : row,
          );
        },
        copy: (id) => {
          const row = scene.document.rows.find((one) => one.id === id) ?? assert.fail();
          scene.document.rows.push({ ...row, ref: 'copied' });
        },
      },
      [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
    };
  },
};
