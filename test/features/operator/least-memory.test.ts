import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/app/read-config.ts';
import { checkMachine, thisMachine } from '../../../src/features/operator/machine-checks.ts';
import { tableRows } from '../../house/markdown.ts';
import { readText } from '../../house/tree.ts';
import { scratchDirectory } from '../../support/scratch.ts';

const MIB = 2 ** 20;

async function warned(mebibytes: number, env: Record<string, string> = {}): Promise<boolean> {
  const config = readConfig({ DATA_DIR: await scratchDirectory(), ...env });
  const machine = { ...thisMachine(Date.now), memory: () => mebibytes * MIB };
  const findings = await checkMachine(config, {}, machine);
  return findings.some(({ check }) => check === 'memory');
}

test('doctor asks for as much memory as docs/self-hosting.md#memory says the service takes, and no more', async () => {
  const most = tableRows(readText('docs/self-hosting.md'), 'Memory').map(({ 'Memory, MiB': text = '' }) =>
    Number(/(\d+)(?: more)?$/.exec(text)?.[1]),
  );
  const [first = NaN, restart = NaN, sync = NaN] = most;
  const needed = Math.max(first, restart + sync);
  assert.equal(await warned(needed), false);
  assert.equal(await warned(needed - 1), true);
  // Postgres has its own memory.
  assert.equal(await warned(needed - 1, { DATABASE_URL: 'postgres://127.0.0.1/tributary' }), false);
});
