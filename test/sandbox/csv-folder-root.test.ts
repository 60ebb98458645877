import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { test } from 'node:test';
import { prepareCsvFolder } from '../../sandbox/csv-folder/server.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { scratchDirectory } from '../support/scratch.ts';

test('a relative DATA_DIR, as the default one, gives the simulated folder an absolute path', async () => {
  const directory = await scratchDirectory();
  const stateFile = relative(process.cwd(), join(directory, 'csv-folder.json'));
  const simulator = await prepareCsvFolder().start({
    stateFile,
    pagesUrl: 'http://127.0.0.1/',
    clock: systemClock,
  });
  try {
    assert.ok(isAbsolute(simulator.settings.CSV_FOLDER_ROOT ?? ''));
  } finally {
    await simulator.close();
    await rm(directory, { recursive: true, force: true });
  }
});
