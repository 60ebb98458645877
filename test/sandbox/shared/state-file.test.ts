import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DelayedSave, StateFile } from '../../../sandbox/shared/state-file.ts';
import { scratchDirectory } from '../../support/scratch.ts';

async function saving() {
  const directory = await scratchDirectory();
  const path = join(directory, 'state.json');
  const state = { rows: 0, reads: 0 };
  const file = new StateFile(path, {
    read: () => {
      state.reads += 1;
      return { rows: state.rows };
    },
    restore: ({ rows }) => typeof rows === 'number',
  });
  const stored = async (): Promise<unknown> => JSON.parse(await readFile(path, 'utf8').catch(() => 'null'));
  return {
    path,
    state,
    save: new DelayedSave(file),
    stored,
    close: () => rm(directory, { recursive: true }),
  };
}

test('many changes in a row are saved on their own, together', async () => {
  const { path, state, save, stored, close } = await saving();
  for (let count = 1; count <= 1000; count++) {
    state.rows = count;
    save.changed();
  }
  assert.ok(!existsSync(path));
  for (let round = 0; (await stored()) === null; round++) {
    assert.ok(round < 6000, 'nothing was saved within a minute');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.deepEqual(await stored(), { rows: 1000 });
  assert.equal(state.reads, 1);
  await close();
});

test('a simulator that closes saves at once, and a change after that is saved too', async () => {
  const { state, save, stored, close } = await saving();
  state.rows = 1;
  save.changed();
  save.now();
  assert.deepEqual(await stored(), { rows: 1 });
  state.rows = 2;
  save.changed();
  save.now();
  assert.deepEqual(await stored(), { rows: 2 });
  await close();
});

test('without a file nothing is saved', () => {
  const save = new DelayedSave(null);
  save.changed();
  save.now();
});
