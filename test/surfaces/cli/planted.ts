import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import type { Finding } from '../../../src/features/operator/finding.ts';
import { Inspection, type InspectionParts } from '../../../src/features/operator/inspection.ts';
import type { ServerDatabase } from '../../support/database.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { startService, type TestService } from '../../support/service.ts';
import { tributaryInProcess } from './run-tributary.ts';

/** An entry of ENCRYPTION_KEY. */
export const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

/** Changes a database as its administrator. */
export async function administered(
  server: Pick<ServerDatabase, 'url'>,
  work: (admin: pg.Client) => Promise<unknown>,
): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await work(admin).finally(() => admin.end());
}

/** An installation whose key was replaced, and nothing sealed again. */
export async function underOlderKey(): Promise<{ readonly env: Readonly<Record<string, string>> }> {
  const dataDir = await scratchDirectory();
  await seedDataDir(dataDir);
  const old = newKey('old');
  const { code, stderr } = await tributaryInProcess(['account', 'create', '--email', 'owner@example.test'], {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    ENCRYPTION_KEY: old,
  });
  assert.equal(code, 0, stderr);
  return { env: { DATA_DIR: dataDir, ENCRYPTION_KEY: `${newKey('new')},${old}` } };
}

/** What a running service finds of itself, which is changed first. */
export const inspected =
  (
    env: Readonly<Record<string, string>>,
    change: (service: TestService) => Promise<Partial<InspectionParts> | undefined>,
    integrations = INTEGRATIONS,
  ) =>
  async (t: TestContext): Promise<readonly Finding[]> => {
    const service = await startService(env, { integrations });
    t.after(() => service.close());
    const changed = await change(service);
    const { app } = service;
    const inspection = new Inspection({ ...app, encryption: app.operator.encryption, ...changed });
    return inspection.run(true, AbortSignal.timeout(60_000));
  };
