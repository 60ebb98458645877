import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { INTEGRATIONS } from '../../src/app/integrations.ts';
import { readConfig } from '../../src/app/read-config.ts';
import { openClock, openSandbox, type Sandbox } from '../../src/app/sandbox-mode.ts';
import { followSandboxClock, SandboxClock } from '../../src/features/operator/sandbox-clock.ts';
import { ShiftedClock, SimulatedClock, systemClock } from '../../src/platform/clock.ts';
import { ConfigError } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { LeapingClock } from '../connectors/destinations/notion/leaping-clock.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { scratchDirectory } from '../support/scratch.ts';

const PUBLIC_URL = 'http://sandbox.example.test';
const HOUR_MS = 3_600_000;

/** Two processes of one data directory, without the rest of what they are. */
describe('Simulators that several processes of a data directory share', () => {
  let dataDir = '';
  let database: TestDatabase;
  let serving: Sandbox;
  let reaching: Sandbox;
  const config = (env: Readonly<Record<string, string>> = {}) =>
    readConfig({ DATA_DIR: dataDir, PUBLIC_URL, DATABASE_URL: 'postgres://unused.example.test/x', ...env });
  const open = (hasLock: boolean, settings = config(), clock = systemClock): Promise<Sandbox> =>
    openSandbox({
      integrations: INTEGRATIONS,
      config: settings,
      clock,
      log: createLog({ level: 'silent' }),
      database: { kind: 'embedded', db: database.db },
      installation: { hasLock },
    });
  const addresses = ({ reached }: Sandbox): unknown[] =>
    [...reached].map(([name, { url, controlUrl, settings, secret }]) => [
      name,
      url,
      controlUrl,
      settings,
      secret,
    ]);

  before(async () => {
    dataDir = await scratchDirectory();
    database = await openTestDatabase();
    serving = await open(true);
    reaching = await open(false);
  });
  after(async () => {
    await serving.close();
    await reaching.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('are served by the one with the lock and reached by the others', async () => {
    assert.equal(reaching.simulators.size, 0);
    assert.deepEqual(addresses(reaching), addresses(serving));
    for (const { controlUrl } of reaching.reached.values()) {
      assert.equal((await fetch(`${controlUrl}/faults`)).status, 200, controlUrl);
    }
  });

  test('are refused to a process that would send browsers elsewhere, or that needs another one', async () => {
    const refused = (env: Readonly<Record<string, string>>, problem: RegExp): Promise<void> =>
      assert.rejects(
        open(false, config(env), new LeapingClock(new SimulatedClock(Date.now()))),
        (error) => error instanceof ConfigError && problem.test(error.message),
      );
    await refused({ PUBLIC_URL: 'http://other.example.test' }, /PUBLIC_URL is http:\/\/other\.example\.test/);
    await refused({ DATA_DIR: await scratchDirectory() }, /serves no simulators/);
  });

  test('come back at their addresses in the process that takes over', async () => {
    await serving.close();
    await reaching.takeOver();
    assert.equal(reaching.simulators.size, reaching.reached.size);
    for (const [name, { url, controlUrl, secret }] of reaching.simulators) {
      const before = reaching.reached.get(name);
      assert.deepEqual([url, controlUrl, secret], [before?.url, before?.controlUrl, before?.secret]);
    }
    await assert.rejects(open(true), /ports of which one is in use now/);
  });

  test('go by one clock, whichever process moves it', async () => {
    const clocks = await Promise.all([openClock(config(), INTEGRATIONS), openClock(config(), INTEGRATIONS)]);
    const [first, second] = clocks;
    assert.ok(first instanceof ShiftedClock && second instanceof ShiftedClock);
    await new SandboxClock(config(), first).forward('1h');
    await new SandboxClock(config(), second).forward('1h');
    await followSandboxClock(config(), first);
    assert.deepEqual([first.aheadMs, second.aheadMs], [2 * HOUR_MS, 2 * HOUR_MS]);
  });
});
