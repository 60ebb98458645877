import { join, resolve } from 'node:path';
import { request } from 'undici';
import { systemClock } from '../../platform/clock.ts';
import { type Config, ConfigError, type Environment } from '../../platform/config.ts';
import type { IntegrationSettings } from '../../platform/integration-settings.ts';
import { KEY_FILE_NAME } from '../../platform/key-file.ts';
import { CHECKS, type CheckName } from './check-table.ts';
import { checkChoices, checkVariables } from './configuration-checks.ts';
import { checkEmbedded, checkPostgres } from './database-checks.ts';
import { type Finding, fail, findingsFrom, ok, reasonOf, warn } from './finding.ts';
import {
  checkBackups,
  checkEncryptionKey,
  checkMachine,
  closeToOthers,
  type DataDirectory,
  lookAt,
  type Machine,
  ROTATE_IF_READ,
  thisMachine,
} from './machine-checks.ts';
import { checkNetwork } from './network-checks.ts';
import { isOurHealth } from './port-checks.ts';

const REACH_DEADLINE_MS = 5_000;

/** What a diagnosis looks at. */
export interface Examined {
  readonly env: Environment;
  readonly integrations: readonly IntegrationSettings[];
  /** Raises ConfigError. */
  readonly readConfig: () => Config;
  /** Asks a process that has the storage open. */
  readonly inspect: (config: Config) => Promise<readonly Finding[]>;
  readonly machine?: Machine;
}

/**
 * Checks everything the service needs, with one finding each and what to do about it (docs/operator.md#checks). No key
 * is generated in place of a lost one, and no secret is in a finding.
 */
export async function diagnose(examined: Examined): Promise<Finding[]> {
  const { env, integrations, inspect, machine = thisMachine(() => systemClock.now()) } = examined;
  const variables = checkVariables(env, integrations);
  let config: Config;
  try {
    config = examined.readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      ...error.problems.map(({ variable, problem }) => fail('configuration', `${variable} ${problem}`)),
      ...variables,
    ];
  }
  const directory = await lookAt(config);
  const ofMachine = await checkMachine(config, env, machine);
  const key = await findingsFrom([['encryption key', () => checkEncryptionKey(config, directory)]]);
  const before = [...ofMachine.filter(({ check }) => check === 'data directory'), ...key];
  return [
    ok('configuration', config.sandbox ? 'understood; sandbox mode' : 'understood'),
    ...variables,
    ...checkChoices(config, integrations),
    ...ofMachine,
    ...key,
    ...(await findingsFrom([
      ['storage', () => storageFindings(config, directory, before, inspect)],
      ['backups', () => checkBackups(config, machine)],
    ])),
    ...(await checkNetwork(config)),
    ...(await findingsFrom([['public address', () => checkPublicUrl(config)]])),
  ];
}

async function storageFindings(
  config: Config,
  directory: DataDirectory,
  before: readonly Finding[],
  inspect: (config: Config) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  if (config.databaseUrl === null && directory.unfinishedRestore) {
    return [warn('storage', 'a restore was interrupted', 'Run: tributary serve, which completes it.')];
  }
  if (config.databaseUrl === null && !directory.database) {
    return [warn('storage', 'there is no database yet', 'Run: tributary serve, which creates one.')];
  }
  const { databaseUrl, dataDir } = config;
  const isClosed = before.some(({ check, outcome }) => check === 'data directory' && outcome === 'fail');
  const server = await findingsFrom([
    ...(databaseUrl === null && !isClosed ? [['storage', () => checkEmbedded(dataDir)] as const] : []),
    ...(databaseUrl === null ? [] : [['database', () => checkPostgres(databaseUrl)] as const]),
  ]);
  // Opening an older schema would update it, which is for the operator to decide.
  const unusable = [...server, ...before].find(({ outcome }) => outcome === 'fail');
  if (unusable !== undefined) {
    return [...server, warn('storage', 'not looked at', `Correct this first: ${unusable.check}.`)];
  }
  return [...server, ...(await inspect(config))];
}

/** Whether PUBLIC_URL leads to this service from here. */
async function checkPublicUrl(config: Config): Promise<Finding> {
  const check = 'public address';
  const url = config.publicUrl;
  try {
    const answer = await request(`${url}/healthz`, { signal: AbortSignal.timeout(REACH_DEADLINE_MS) });
    const text = await answer.body.text();
    return answer.statusCode === 200 && isOurHealth(text)
      ? ok(check, `${url} answers`)
      : warn(
          check,
          `${url}/healthz answered ${answer.statusCode}${answer.statusCode === 200 ? ', and is another program' : ''}`,
          'Check that PUBLIC_URL points to this service and that the proxy in front forwards requests to it.',
        );
  } catch {
    return warn(check, `${url} cannot be reached from here`);
  }
}

type FixableCheck = { [N in CheckName]: (typeof CHECKS)[N]['fix'] extends null ? never : N }[CheckName];

/** A command of the command table, run to its end where the storage is open. */
type RunCommand = (command: string, config: Config) => Promise<string>;

interface Fix {
  /** Returns what was done. */
  readonly work: (config: Config, run: RunCommand) => Promise<string>;
  /** What to do where that failed. */
  readonly otherwise: (config: Config) => string;
}

const FIXES: { readonly [N in FixableCheck]: Fix } = {
  'data directory': {
    work: ({ dataDir }) => closeToOthers(resolve(dataDir), 0o700),
    otherwise: ({ dataDir }) => `As its owner, or as root, run: chmod 700 ${resolve(dataDir)}`,
  },
  'encryption key': {
    work: async (config) => `${await closeToOthers(keyFile(config), 0o600)}. ${ROTATE_IF_READ}`,
    otherwise: (config) => `As its owner, or as root, run: chmod 600 ${keyFile(config)}. ${ROTATE_IF_READ}`,
  },
  'older encryption key': {
    work: (config, run) => run('keys rotate-encryption', config),
    otherwise: () => CHECKS['older encryption key'].todo,
  },
};

const keyFile = ({ dataDir }: Config): string => join(resolve(dataDir), KEY_FILE_NAME);

function isFixable(check: string): check is FixableCheck {
  return Object.hasOwn(FIXES, check);
}

/** What `--fix` did about one finding. */
export interface Fixed {
  readonly check: string;
  readonly done: string;
}

/** Does what is safe about these findings, each check once. What could not be done is a finding again. */
export async function fix(
  findings: readonly Finding[],
  config: Config,
  run: RunCommand,
): Promise<{ readonly fixed: readonly Fixed[]; readonly failed: readonly Finding[] }> {
  const wrong = new Set(findings.filter((finding) => finding.fixable === true).map(({ check }) => check));
  const fixed: Fixed[] = [];
  const failed: Finding[] = [];
  for (const check of Object.keys(FIXES).filter(isFixable)) {
    if (!wrong.has(check)) continue;
    const { work, otherwise } = FIXES[check];
    try {
      fixed.push({ check, done: await work(config, run) });
    } catch (error) {
      failed.push(fail(check, `cannot be fixed: ${reasonOf(error)}`, otherwise(config)));
    }
  }
  return { fixed, failed };
}
