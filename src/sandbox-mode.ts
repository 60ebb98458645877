import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from './platform/clock.ts';
import type { Config, FiskilConfig } from './platform/config.ts';
import type { BankDataset } from './sandbox/au-banking/dataset/bank-dataset.ts';
import { type AuBankingSimulator, startAuBankingSimulator } from './sandbox/au-banking/server.ts';

const CLIENT_ID = 'sandbox-client';
const CLIENT_SECRET = 'sandbox-secret';

export interface SandboxOptions {
  /** A bank data file to serve beside the generated people. */
  readonly dataset?: BankDataset;
}

/** The simulators that stand in for the outside parties while no credentials are configured (design section 8). */
export interface Sandbox {
  readonly auBanking: AuBankingSimulator;
  close(): Promise<void>;
}

/** Starts them on free ports of the loopback interface, remembering consents in the data directory. */
export async function startSandbox(
  config: Config,
  clock: Clock,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const directory = join(config.dataDir, 'sandbox');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const auBanking = await startAuBankingSimulator({
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    clock,
    stateFile: join(directory, 'au-banking.json'),
    ...(options.dataset === undefined ? {} : { dataset: options.dataset }),
  });
  return { auBanking, close: () => auBanking.close() };
}

/** Where `au_banking` is found: the vendor with the operator's credentials, or the simulator. Null when neither is there. */
export function auBankingSettings(config: Config, sandbox: Sandbox | null): Required<FiskilConfig> | null {
  if (config.fiskil.credentials !== null) return config.fiskil;
  if (sandbox === null) return null;
  const { url, clientId, clientSecret } = sandbox.auBanking;
  return { ...config.fiskil, baseUrl: url, credentials: { clientId, clientSecret } };
}
