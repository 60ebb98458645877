import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { defused } from '../../../../src/vocabulary/csv-lines.ts';
import { Scene } from '../csv-folder/scene.ts';
import { syncTo } from '../support/linked-world.ts';
import { MANY_ROWS } from '../support/shares.ts';
import type { SuiteMember } from './suite-scene.ts';

/** Files of a folder, in chunks that the stories of the fault suite need more than one of. A change of a file is a request. */
export const CSV_FOLDER: SuiteMember = {
  name: 'a folder of CSV files',
  recognises: true,
  manyRows: MANY_ROWS,
  storyRows: { first: 45, standing: 35 },
  text: defused,
  onePlace: 'each account has a folder of its own',
  shown: ({ values }) => ({
    amount: values.Amount ?? '',
    text: values.Description ?? '',
    status: values.Status ?? '',
  }),
  open: () => openMember(25),
};

/** With the connector's own chunks, for rows in their thousands. */
export const CSV_FOLDER_IN_BULK: SuiteMember = { ...CSV_FOLDER, open: () => openMember() };

async function openMember(chunkRows?: number) {
  const scene = await Scene.open(chunkRows === undefined ? {} : { chunkRows });
  const { world, changes, destination } = scene;
  return {
    world,
    sync: (accounts: Parameters<typeof syncTo>[2], more: Parameters<typeof syncTo>[3]) =>
      syncTo(world, destination, accounts, more),
    rows: () => scene.rows(),
    requests: () => changes.count,
    drop: (after: number, when: 'before' | 'during' | 'after') => changes.fail(after, when),
    deleteRow: (id: string) => scene.editLines((lines) => lines.filter((line) => !line.includes(id))),
    verified: {
      writes: () => changes.count,
      edit: (id: string, text: string) =>
        scene.editLines((lines) =>
          lines.map((line) => {
            if (!line.includes(id)) return line;
            const { values } = scene.rows().find((row) => row.id === id) ?? assert.fail();
            return line.replace(values.Description ?? '', text);
          }),
        ),
      copy: (id: string) => scene.copyRow(id),
      own: () => scene.editLines((lines) => [...lines, ',,mine']),
    },
    [Symbol.asyncDispose]: async () => {
      await world.close();
      await rm(scene.root, { recursive: true, force: true });
    },
  };
}
