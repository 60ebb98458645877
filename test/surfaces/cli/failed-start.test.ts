import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../../src/platform/free-port.ts';
import { startTributary } from './run-tributary.ts';
import { madeDataDir } from './temporary-directory.ts';

/** Longer than a start and an orderly end take on a busy machine. */
const ENDS_WITHIN_MS = 45_000;

const nobody = await freePort('127.0.0.1');
const failures: readonly {
  readonly what: string;
  readonly break: (dataDir: string) => Promise<Readonly<Record<string, string>>>;
  readonly message: RegExp;
}[] = [
  {
    what: 'the simulated bank has no place for its state',
    break: async (dataDir) => {
      await writeFile(join(dataDir, 'sandbox'), 'a file where the directory belongs');
      return {};
    },
    message: /sandbox/,
  },
  {
    what: 'Redis cannot be reached',
    break: async () => ({ REDIS_URL: `redis://127.0.0.1:${nobody}` }),
    message: /Redis cannot be used at the address in REDIS_URL/,
  },
];

for (const failure of failures) {
  test(`A start that fails after the storage is open closes it again and ends with exit code 1: ${failure.what}`, async (t) => {
    const dataDir = await madeDataDir(t);
    const env = { DATA_DIR: dataDir, PORT: '0', ...(await failure.break(dataDir)) };
    const { child, ended } = startTributary(['serve', '--json'], env);
    t.after(() => child.kill('SIGKILL'));
    const late = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
    const { code, stderr, stdout } = await ended;
    clearTimeout(late);
    assert.equal(code, 1, `it hung or crashed: ${stderr}`);
    assert.match(stderr, failure.message);
    assert.equal(stdout, '');
  });
}
