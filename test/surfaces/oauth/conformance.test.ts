import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../src/platform/free-port.ts';
import type { Browser } from '../../support/people.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { commonService, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { answerConsent, openConsent, PUBLIC_APP, register, signIn } from './stage.ts';

const PROGRAM = fileURLToPath(import.meta.resolve('mcp-conformance-next/dist/index.js'));
const ADDRESS = /https?:\/\/\S+\/oauth\/authorize\?[^\s"]+/;
const TIME_LIMIT_MS = 60_000;

let service: TestService;
let browser: Browser;
before(async () => {
  service = await commonService();
  browser = await signIn(service, await service.owner());
});
after(() => service.close());

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The checks of every scenario, which build on each other; the person lets the suite's app in when it asks. */
async function run(): Promise<readonly Check[]> {
  const directory = await scratchDirectory();
  const port = await freePort('127.0.0.1');
  const redirect = `http://127.0.0.1:${port}/callback`;
  const { body: client } = await register(service, { ...PUBLIC_APP, redirect_uris: [redirect] });
  const child = spawn(
    process.execPath,
    [
      ...[PROGRAM, 'authorization', '--url', service.url, '-o', directory],
      ...['--client-id', client.client_id, '--resource', `${service.url}/mcp`, '--port', String(port)],
    ],
    { timeout: TIME_LIMIT_MS, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  let asked = false;
  const failures: unknown[] = [];
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
    const address = ADDRESS.exec(said)?.[0];
    if (address === undefined || asked) return;
    asked = true;
    letIn(new URL(address)).catch((error: unknown) => failures.push(error));
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  await new Promise<void>((resolve) => void child.once('close', () => resolve()));
  assert.deepEqual(failures, []);
  const checks = readdirSync(directory).flatMap((name): readonly Check[] => {
    const found: Json = JSON.parse(readFileSync(join(directory, name, 'checks.json'), 'utf8'));
    return found;
  });
  assert.ok(checks.length > 0, said);
  await rm(directory, { recursive: true, force: true });
  return checks;
}

async function letIn({ pathname, search }: URL): Promise<void> {
  const page = await openConsent(browser, pathname + search);
  await fetch(await answerConsent(browser, page, 'allow'));
}

test('the public conformance suite for authorization servers passes: its metadata, and a whole code grant', async () => {
  const checks = await run();
  assert.deepEqual(
    checks.filter(({ status }) => status !== 'SUCCESS'),
    [],
  );
  const passed = checks.map(({ id }) => id);
  assert.ok(passed.includes('authorization-server-metadata'), passed.join());
  assert.ok(passed.includes('authorization-code-grant'), passed.join());
});
