import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type DescribedOperation,
  everyOperation,
  groupsOf,
} from '../../src/vocabulary/description/described-operation.ts';
import type { Description } from '../../src/vocabulary/description/description-document.ts';
import { EXAMPLES } from '../../src/vocabulary/description/examples.ts';
import { sampleRequest, sampleValues, type Values } from '../../src/vocabulary/description/sample-request.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let service: TestService;
let description: Description;
let operations: readonly DescribedOperation[];
let folder: string;
before(async () => {
  service = await startService();
  description = JSON.parse(await (await fetch(new URL('/v2/openapi.json', service.url))).text());
  operations = everyOperation(description);
  folder = await scratchDirectory();
});
after(() => service?.close());

function example(
  operation: DescribedOperation,
  language: keyof typeof EXAMPLES,
  values: Values = {},
): string {
  const all = { ...sampleValues(operation, description), ...values };
  return EXAMPLES[language].write(sampleRequest(operation, description, all));
}

describe('the examples of the API reference', () => {
  test('every operation of the description is shown, under one method', () => {
    const shown = groupsOf(description).flatMap(({ operations: own }) => own);
    assert.ok(shown.length > 90);
    for (const { method, path, id } of operations) {
      const same = shown.find((one) => one.path === path && (one.method === method || one.alsoByPatch));
      assert.ok(same !== undefined, id);
    }
  });

  test('every example names what its path needs, the address of this installation and the release', () => {
    for (const operation of operations) {
      for (const value of Object.values(sampleValues(operation, description))) {
        assert.notEqual(value, '', operation.id);
      }
      for (const { write } of Object.values(EXAMPLES)) {
        const text = write(sampleRequest(operation, description, sampleValues(operation, description)));
        assert.ok(text.includes(`${service.url}/v2/`) && text.includes(description.info.version), text);
        assert.ok(!/[{}]id[{}]/.test(text), text);
      }
    }
  });

  test('a shell reads each curl example as the request that the description asks for', async () => {
    for (const operation of operations) {
      const parsed = `curl() { printf '%s\\0' "$@"; }\nuuidgen() { echo a-key; }\n${example(operation, 'curl')}`;
      const { stdout } = await run('sh', ['-c', parsed], { env: { TRIBUTARY_API_KEY: 'trib_live_x' } });
      const words = stdout.split('\0').slice(0, -1);
      const after = (option: string) => words.filter((_, at) => words[at - 1] === option);
      const headers = after('--header');
      assert.equal(after('--request')[0] ?? 'GET', operation.method);
      assert.ok(headers.includes('Authorization: Bearer trib_live_x'));
      assert.ok(headers.includes(`Service-Version: ${description.info.version}`));
      const writes = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
      assert.equal(headers.includes('Idempotency-Key: a-key'), writes, operation.id);
      const [sent] = after('--data');
      assert.deepEqual(sent === undefined ? undefined : JSON.parse(sent), operation.body?.example);
    }
  });

  test('each TypeScript example holds against the types of Node', async () => {
    await mkdir(join(folder, 'ts'), { recursive: true });
    for (const operation of operations) {
      await writeFile(join(folder, 'ts', `${operation.id}.mts`), example(operation, 'typescript'));
    }
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')] },
      include: ['*.mts'],
    };
    await writeFile(join(folder, 'ts', 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const { stdout } = await run(tsc, ['-p', join(folder, 'ts')]).catch((error: { stdout: string }) => error);
    assert.equal(stdout, '');
  });

  test('values with quotes stay values: no example becomes another command', async () => {
    const operation = operations.find(({ id }) => id === 'get_account') ?? assert.fail();
    const hostile = "x'; echo owned; '\"`$(echo owned)\\";
    const { stdout } = await run('sh', [
      '-c',
      `curl() { printf '%s\\0' "$@"; }\n${example(operation, 'curl', { id: hostile })}`,
    ]);
    assert.equal(stdout.split('\0')[0], `${service.url}/v2/accounts/${encodeURIComponent(hostile)}`);
  });
});
