import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { scratchDirectory } from '../../support/scratch.ts';
import { commonService, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { type Forwarder, openForwarder } from './support/forwarder.ts';
import { LEFT_OUT_CHECKS, LEFT_OUT_SCENARIOS, leftOutAs } from './support/left-out-scenarios.ts';

const programOf = (name: string): string => fileURLToPath(import.meta.resolve(`${name}/dist/index.js`));
const NOW = programOf('@modelcontextprotocol/conformance');
const NEXT = programOf('mcp-conformance-next');

const RUNS = [
  { name: '0.1.16, every scenario', program: NOW, options: ['--suite', 'all'] },
  {
    name: '0.2 alpha, 2025-06-18',
    program: NEXT,
    options: ['--suite', 'all', '--spec-version', '2025-06-18'],
  },
  { name: '0.2 alpha, what 2025-11-25 requires', program: NEXT, options: ['--requirements', '2025-11-25'] },
  { name: '0.2 alpha, what 2026-07-28 requires', program: NEXT, options: ['--requirements', '2026-07-28'] },
] as const;

/** What the suites send no key for, so that one is added on the way. */
let forwarder: Forwarder;
let service: TestService;
const met = new Set<string>();
before(async () => {
  service = await commonService();
  forwarder = await openForwarder(service.url, (await service.owner()).key);
});
after(async () => {
  forwarder.close();
  await service.close();
});

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The checks of each scenario that was run, by its name. */
async function run(
  program: string,
  options: readonly string[],
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const directory = await scratchDirectory();
  const args = [program, 'server', '--url', `${forwarder.url}/mcp`, '-o', directory, ...options];
  // It exits with 1 where a scenario fails, also one that does not apply.
  await new Promise<void>(
    (resolve) => void execFile(process.execPath, args, { timeout: 600_000 }, () => resolve()),
  );
  const found = readdirSync(directory).map((name): [string, readonly Check[]] => {
    const checks: Json = JSON.parse(readFileSync(join(directory, name, 'checks.json'), 'utf8'));
    return [name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''), checks];
  });
  await rm(directory, { recursive: true, force: true });
  return new Map(found);
}

describe('the public conformance suites', () => {
  for (const { name, program, options } of RUNS) {
    test(`${name}: whatever applies passes, and every message is of the protocol's schema`, async () => {
      const scenarios = await run(program, options);
      assert.ok(scenarios.size > 20, String(scenarios.size));
      for (const [scenario, checks] of scenarios) {
        const failed = checks.filter(({ status }) => status === 'FAILURE');
        const reason = leftOutAs(scenario);
        if (reason !== null) met.add(reason);
        for (const check of failed) {
          assert.notEqual(check.id, 'wire-schema-valid', `${scenario}: ${check.errorMessage}`);
          if (reason !== null) continue;
          met.add(check.id);
          assert.ok(
            Object.hasOwn(LEFT_OUT_CHECKS, check.id),
            `${scenario} ${check.id}: ${check.errorMessage}`,
          );
        }
      }
    });
  }

  test('nothing is left out that the suites do not have', () => {
    for (const name of [...Object.keys(LEFT_OUT_SCENARIOS), ...Object.keys(LEFT_OUT_CHECKS)])
      assert.ok(met.has(name), name);
  });
});
