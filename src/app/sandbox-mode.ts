import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  PreparedSimulator,
  ReachedSimulator,
  Simulator,
  SimulatorIntegration,
  SimulatorPorts,
} from '../../sandbox/shared/simulator.ts';
import { Periodic } from '../background/periodic.ts';
import { openSandboxClock } from '../features/operator/sandbox-clock.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import { freePort } from '../platform/free-port.ts';
import type { Log } from '../platform/log.ts';
import type { Db, OpenDatabase } from '../storage/database.ts';
import { claimSandboxPlace, SANDBOX_GONE_S } from '../storage/processes.ts';
import { type Integration, isReal, isSimulated } from './integrations.ts';
import {
  portsOf,
  readSandboxRecord,
  recordFile,
  type SandboxRecord,
  sandboxPlace,
  writeSandboxRecord,
} from './sandbox-record.ts';

/** Simulators by the name of the integration that each replaces. */
export type PreparedSandbox = ReadonlyMap<string, PreparedSimulator>;

/** The simulators that replace integrations without credentials, by the name of the integration. */
export interface Sandbox {
  /** All of them, in any process. */
  readonly reached: ReadonlyMap<string, ReachedSimulator>;
  /** Those in this process: all or none. */
  readonly simulators: ReadonlyMap<string, Simulator>;
  /** Serves them in this process, once the process that did so has ended and this one has its lock. */
  takeOver(): Promise<void>;
  close(): Promise<void>;
}

/** For a process that starts at the same time and opens its database first. */
const RECORD_WAIT_MS = 30_000;
const RECORD_RETRY_MS = 100;

/** Below `PUBLIC_URL`: where providers send notifications, each to a path of its own. */
const PROVIDER_WEBHOOKS = '/provider-webhooks';

/** Below `PUBLIC_URL`: where people reach a simulator's pages, from any machine that reaches the service. */
export function sandboxPath({ folder }: SimulatorIntegration): string {
  return `/sandbox/${folder}`;
}

/**
 * Loads the simulator of every integration.
 * @throws Error with a message that says what is wrong with the data file
 */
export async function prepareSimulators(
  integrations: readonly Integration[],
  dataFile: string | null,
): Promise<PreparedSandbox> {
  const prepared = new Map<string, PreparedSimulator>();
  for (const { row, simulator } of integrations)
    if (simulator !== null) prepared.set(row.name, await simulator.prepare(dataFile));
  return prepared;
}

/**
 * Loads the simulators that the configuration asks for.
 * @throws ConfigError if SANDBOX_DATA is not a bank data file
 */
async function prepareSandbox(
  integrations: readonly Integration[],
  config: Config,
): Promise<PreparedSandbox> {
  const simulated = integrations.filter((integration) => isSimulated(integration, integrations, config));
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

/** How the simulators of a process are opened. */
export interface SandboxOptions {
  readonly integrations: readonly Integration[];
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Pick<OpenDatabase, 'kind' | 'db'>;
  /** Those already loaded. */
  readonly sandbox?: PreparedSandbox;
  /** For a process that shares its data directory with others; absent if it is the only one. */
  readonly installation?: Installation;
}

/** A process that may share its data directory, its database and so its simulators with others. */
export interface Installation {
  /** Whether this process has the lock of the data directory: it serves the simulators, and the others reach them. */
  readonly hasLock: boolean;
}

/**
 * Starts the simulators on the loopback interface, remembering consents in the data directory; or reaches those that
 * another process of the data directory serves. They keep their ports across restarts, so that addresses stay valid.
 * @throws ConfigError if they cannot be reached, with what to change
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { config, clock, log, database, installation } = options;
  await mkdir(directoryOf(config), { recursive: true, mode: 0o700 });
  const claiming = new Periodic({ clock, log }, 'claim of the sandbox', () =>
    claimSandbox(database.db, config),
  );
  const claims = installation !== undefined && database.kind === 'postgres';
  // Checked first, so that no simulator is started that is not used.
  if (claims) await claimSandbox(database.db, config);
  let simulators: ReadonlyMap<string, Simulator> = new Map();
  const serveHere = async (): Promise<ReadonlyMap<string, Simulator>> => {
    if (simulators.size === 0) simulators = await serveSimulators(options);
    return simulators;
  };
  const reached = installation?.hasLock === false ? await reachSimulators(options) : await serveHere();
  if (claims) claiming.start();
  return {
    reached,
    get simulators() {
      return simulators;
    },
    takeOver: async () => void (await serveHere()),
    close: async () => {
      await claiming.stop();
      await Promise.all([...simulators.values()].map((simulator) => simulator.close()));
    },
  };
}

/** @throws ConfigError if the database is used with the simulators of another data directory */
async function claimSandbox(db: Db, config: Config): Promise<void> {
  if (await claimSandboxPlace(db, await sandboxPlace(config))) return;
  throw new ConfigError([
    {
      variable: 'DATA_DIR',
      problem:
        'is not the one of the processes that use this database with the sandbox on, or they run on another machine. ' +
        'The simulators of one directory do not know the consents given at those of another: run every process on ' +
        'one machine with the same DATA_DIR, or set up providers, or turn the sandbox off with SANDBOX=off. ' +
        `If those processes have ended, start this one again in ${SANDBOX_GONE_S} seconds`,
    },
  ]);
}

function directoryOf({ dataDir }: Config): string {
  return join(dataDir, 'sandbox');
}

async function serveSimulators(options: SandboxOptions): Promise<ReadonlyMap<string, Simulator>> {
  const { config, installation } = options;
  if (installation === undefined) return startSimulators(options, null);
  const before = await readSandboxRecord(config);
  const simulators = await startSimulators(options, before).catch((error: unknown) => {
    if (!isPortTaken(error)) throw error;
    // No other process needs them if the database is in this process.
    if (config.databaseUrl === null) return startSimulators(options, null);
    throw new ConfigError([
      {
        variable: 'DATA_DIR',
        problem:
          `has simulators that other processes reach on ports of which one is in use now (${error.message}). Stop the ` +
          `program that uses it, or stop all processes of Tributary, delete ${recordFile(config)} and start them again`,
      },
    ]);
  });
  await writeSandboxRecord(config, simulators);
  return simulators;
}

/** @throws the error of a simulator that fails to start, after closing those that had started */
async function startSimulators(
  { integrations, config, clock, sandbox, installation }: SandboxOptions,
  before: SandboxRecord | null,
): Promise<ReadonlyMap<string, Simulator>> {
  const prepared = sandbox ?? (await prepareSandbox(integrations, config));
  const simulators = new Map<string, Simulator>();
  try {
    for (const { row, simulator } of simulatedIntegrations(integrations, config)) {
      const ready = prepared.get(row.name);
      if (ready === undefined) continue;
      const earlier = before?.simulators.get(row.name);
      const started = await ready.start({
        clock,
        pagesUrl: `${config.publicUrl}${sandboxPath(simulator)}`,
        stateFile: join(directoryOf(config), `${simulator.folder}.json`),
        ports: earlier !== undefined ? portsOf(earlier) : installation && (await newPorts()),
        webhooks: {
          url: `${config.publicUrl}${PROVIDER_WEBHOOKS}/${row.name}`,
          automatic: config.sandboxWebhooks,
        },
      });
      simulators.set(row.name, started);
    }
    return simulators;
  } catch (error) {
    await Promise.all([...simulators.values()].map((simulator) => simulator.close()));
    throw error;
  }
}

/** Ports that no outgoing connection takes while the simulators are restarted. */
async function newPorts(): Promise<SimulatorPorts> {
  const host = '127.0.0.1';
  return { vendor: await freePort(host), control: await freePort(host), database: await freePort(host) };
}

/** Waits for a process that starts at the same time. */
async function reachSimulators(options: SandboxOptions): Promise<SandboxRecord['simulators']> {
  const { integrations, config, clock } = options;
  const wanted = simulatedIntegrations(integrations, config).map(({ row }) => row.name);
  const end = clock.now() + RECORD_WAIT_MS;
  let problem = '';
  for (;;) {
    const record = await readSandboxRecord(config);
    problem = problemOf(record, wanted, config);
    if (record !== null && problem === '') return record.simulators;
    if (clock.now() > end) throw new ConfigError([{ variable: 'DATA_DIR', problem }]);
    await clock.sleep(RECORD_RETRY_MS);
  }
}

function problemOf(record: SandboxRecord | null, wanted: readonly string[], config: Config): string {
  if (record === null) {
    return 'is used by another process, which serves no simulators. Start every process of it with the same settings';
  }
  const missing = wanted.filter((name) => !record.simulators.has(name));
  if (missing.length > 0) {
    return (
      `is used by another process, which does not simulate ${missing.join(', ')}. ` +
      'Start every process of it with the same settings'
    );
  }
  if (record.publicUrl !== config.publicUrl) {
    return (
      `is used by another process, whose simulators send browsers to ${record.publicUrl}, and here PUBLIC_URL is ` +
      `${config.publicUrl}. Set PUBLIC_URL to one address for all of them`
    );
  }
  return '';
}

function simulatedIntegrations(integrations: readonly Integration[], config: Config) {
  return integrations.flatMap(({ row, simulator }) =>
    simulator !== null && isSimulated({ row, simulator }, integrations, config) ? [{ row, simulator }] : [],
  );
}

function isPortTaken(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/**
 * The clock of a process. It can be moved if every integration is simulated; with a real integration it is the
 * machine's.
 * @throws Error if the file that stores an earlier move cannot be read
 */
export async function openClock(config: Config, integrations: readonly Integration[]): Promise<Clock> {
  /** Needs no settings by the operator: nothing is contacted unless an owner connects it. */
  const isUnset = ({ row }: Integration) =>
    Object.keys(config.integrations[row.name]?.texts ?? {}).length === 0;
  const canMove =
    config.sandbox &&
    integrations.every((integration) => isUnset(integration) || !isReal(integration, config));
  return canMove ? openSandboxClock(config) : systemClock;
}
