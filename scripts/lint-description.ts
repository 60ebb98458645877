import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { OPERATIONS } from '../src/operations/operation-table.ts';
import { describeV2 } from '../src/surfaces/v2/openapi/description.ts';

/** `npm run openapi:lint`: two linters read the description of v2. Exit code 0 only when neither finds an error or a warning. */
const LINTERS = [
  ['redocly', ['lint', '--config', 'redocly.yaml', '--max-problems', '1000', '--format', 'stylish']],
  ['spectral', ['lint', '--ruleset', '.spectral.yaml', '--fail-severity', 'warn']],
] as const;

/** Neither linter may send telemetry, or look for updates. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' };

function run(command: string, args: readonly string[]): Promise<number> {
  const bin = join(import.meta.dirname, '..', 'node_modules', '.bin');
  const env = { ...process.env, ...QUIET, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
  const child = spawn(command, args, { stdio: 'inherit', env, cwd: join(import.meta.dirname, '..') });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const folder = await mkdtemp(join(tmpdir(), 'tributary-openapi-'));
try {
  const file = join(folder, 'openapi.json');
  const text = JSON.stringify(describeV2(OPERATIONS, 'https://tributary.invalid'), null, 2);
  await writeFile(file, text);
  for (const [command, args] of LINTERS) {
    if ((await run(command, [...args, file])) !== 0) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
