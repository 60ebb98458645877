import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tributary } from '#client';
import { ServiceChild } from '../../scripts/lib/service-child.ts';
import { banksByName, linkCustomer } from '../../src/app/demo/demo-steps.ts';
import { LIMITS_ASIDE } from '../../src/app/demo/limits-aside.ts';
import { freePort } from '../../src/platform/free-port.ts';
import type { DatabaseSource } from '../../src/storage/database.ts';
import { createServerDatabase } from '../../test/support/database.ts';
import { type BenchChild, startChild } from './child.ts';

/** The service in a separate process, on a fresh database, with one linked customer of a simulated bank. */
export interface PreparedService {
  readonly service: ServiceChild;
  readonly v2: Tributary;
  readonly secret: string;
  readonly account: string;
  readonly bank: { readonly url: string; readonly controlUrl: string };
  /** Where the service keeps its data; no other process may open an embedded database while it runs. */
  readonly source: DatabaseSource;
  /** Starts another process of the same installation, with these additional variables. Stop it before `close`. */
  beside(env: Readonly<Record<string, string>>): Promise<ServiceChild>;
  close(): Promise<void>;
}

export async function prepareService(rows: number, nodeOptions: readonly string[]): Promise<PreparedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
  const database = await createServerDatabase();
  const simulator: BenchChild = startChild('simulator.ts', {});
  const { url, controlUrl } = await simulator.next();
  const bank = { url: String(url), controlUrl: String(controlUrl) };
  const env = {
    FISKIL_BASE_URL: bank.url,
    FISKIL_CLIENT_ID: 'bench',
    FISKIL_CLIENT_SECRET: 'bench',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    ...(database === null ? {} : { DATABASE_URL: database.url }),
    ...LIMITS_ASIDE,
  };
  const start = async (more: Readonly<Record<string, string>>): Promise<ServiceChild> => {
    const port = await freePort('127.0.0.1');
    const started = new ServiceChild({ dataDir, port, nodeOptions, env: { ...env, ...more } });
    started.launch();
    await started.ready();
    return started;
  };
  const service = await start({});
  const secret = await service.newKey();
  const v2 = new Tributary({ url: service.url, apiKey: secret });
  const [account] = await linkCustomer(
    v2,
    { provider: 'au_banking', bank: 'Banking Sandbox Data Holder', customer: `rows:${rows}` },
    await banksByName(v2, 'au_banking'),
    'http://127.0.0.1:1/linked',
    AbortSignal.timeout(60_000),
  );
  if (account === undefined) throw new Error('The linked customer has no account.');
  return {
    service,
    v2,
    secret,
    account,
    bank,
    beside: start,
    source: database === null ? { kind: 'embedded', dataDir } : { kind: 'postgres', url: database.url },
    close: async () => {
      await service.stop();
      await simulator.kill();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
