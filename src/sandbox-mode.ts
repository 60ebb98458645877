import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSimulated, type Party } from './party.ts';
import type { Clock } from './platform/clock.ts';
import { type Config, ConfigError } from './platform/config.ts';
import type { PreparedSimulator, Simulator, SimulatorParty } from './sandbox/shared/simulator.ts';

/** Simulators by the name of the party each stands in for. */
export type PreparedSandbox = ReadonlyMap<string, PreparedSimulator>;

/** The simulators that stand in for the outside parties without credentials. */
export interface Sandbox {
  readonly simulators: ReadonlyMap<string, Simulator>;
  close(): Promise<void>;
}

/** Below `PUBLIC_URL`: where providers send notifications, each to a path of its own. */
const PROVIDER_WEBHOOKS = '/provider-webhooks';

/** Below `PUBLIC_URL`: where people reach a simulator's pages, from whichever machine they reach the service. */
export function sandboxPath({ folder }: SimulatorParty): string {
  return `/sandbox/${folder}`;
}

/**
 * Loads the simulator of every party.
 * @throws Error whose message says what is wrong with the data file
 */
export async function prepareSimulators(
  parties: readonly Party[],
  dataFile: string | null,
): Promise<PreparedSandbox> {
  const prepared = new Map<string, PreparedSimulator>();
  for (const { row, simulator } of parties)
    if (simulator !== null) prepared.set(row.name, await simulator.prepare(dataFile));
  return prepared;
}

/**
 * Loads the simulators that the configuration asks for; null outside the sandbox.
 * @throws ConfigError when SANDBOX_DATA names no bank data file
 */
export async function prepareSandbox(
  parties: readonly Party[],
  config: Config,
): Promise<PreparedSandbox | null> {
  if (!config.sandbox) return null;
  const simulated = parties.filter((party) => isSimulated(party, parties, config));
  try {
    return await prepareSimulators(simulated, config.sandboxData);
  } catch (error) {
    if (config.sandboxData === null) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      { variable: 'SANDBOX_DATA', problem: `cannot be used: ${problem.replace(/\.$/, '')}` },
    ]);
  }
}

/** Starts them on free ports of the loopback interface, remembering consents in the data directory. */
export async function startSandbox(
  parties: readonly Party[],
  prepared: PreparedSandbox,
  config: Config,
  clock: Clock,
): Promise<Sandbox> {
  const directory = join(config.dataDir, 'sandbox');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const simulators = new Map<string, Simulator>();
  const close = async (): Promise<void> => {
    await Promise.all([...simulators.values()].map((simulator) => simulator.close()));
  };
  try {
    for (const { row, simulator } of parties) {
      const ready = prepared.get(row.name);
      if (simulator === null || ready === undefined) continue;
      if (!isSimulated({ row, simulator }, parties, config)) continue;
      const pagesUrl = `${config.publicUrl}${sandboxPath(simulator)}`;
      const stateFile = join(directory, `${simulator.folder}.json`);
      const webhooks = {
        url: `${config.publicUrl}${PROVIDER_WEBHOOKS}/${row.name}`,
        automatic: config.sandboxWebhooks,
      };
      simulators.set(row.name, await ready.start({ clock, pagesUrl, stateFile, webhooks }));
    }
    return { simulators, close };
  } catch (error) {
    await close();
    throw error;
  }
}
