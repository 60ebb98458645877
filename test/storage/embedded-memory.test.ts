import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { MIB, peakMemoryOf, watchMemory } from '../../scripts/lib/peak-memory.ts';
import { ServiceChild } from '../../scripts/lib/service-child.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { scratchDirectory } from '../support/scratch.ts';

/** The bars are 500 and 350 MiB (docs/benchmarks.md has what was measured); the rest is room for a busy machine. */
const FIRST_START_MIB = 550;
const RESTART_MIB = 375;
/** Enough that V8 finds the functions that every statement calls worth optimising. */
const STATEMENTS_ASKED = 400;

const skip = existsSync('/proc/self/status')
  ? false
  : 'the system does not say how much memory a process had';

test('Neither a first start on the embedded database nor a restart takes more memory than a small machine has', {
  skip,
}, async (t) => {
  const dataDir = await scratchDirectory();
  const service = new ServiceChild({ dataDir, port: await freePort('127.0.0.1'), env: {} });
  t.after(async () => {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  service.launch();
  const watch = watchMemory(service.pid ?? 0);
  await service.ready();
  const first = watch.stop() / MIB;
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.startsWith('database')),
    ['database'],
    'nothing is left of making it',
  );
  await service.stop();

  service.launch();
  await service.ready();
  for (let asked = 0; asked < STATEMENTS_ASKED; asked++) await service.command('account list', {});
  const again = (peakMemoryOf(service.pid ?? 0) ?? 0) / MIB;

  t.diagnostic(`first start ${first.toFixed(0)} MiB, restart ${again.toFixed(0)} MiB`);
  assert.ok(first > 100 && first <= FIRST_START_MIB, `the first start took ${first.toFixed(0)} MiB`);
  assert.ok(again > 100 && again <= RESTART_MIB, `the restart took ${again.toFixed(0)} MiB`);
});
