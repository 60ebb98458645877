import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { request } from 'undici';
import { systemClock } from '../../platform/clock.ts';
import { type Config, ConfigError } from '../../platform/config.ts';
import { KEY_FILE_NAME } from '../../platform/key-file.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { checkNetwork } from './network-checks.ts';

const GROUP_AND_OTHER = 0o077;
const REACH_DEADLINE_MS = 5_000;
/** The first release's date: an earlier clock is certainly wrong. */
const EARLIEST = Date.UTC(2026, 9, 1);

/**
 * Checks everything the service needs, with one finding each and what to do about it. Changes nothing: no key is
 * generated in place of a lost one.
 * @param readConfig raises ConfigError
 * @param inspect asks a process that has the storage open
 */
export async function diagnose(
  readConfig: () => Config,
  inspect: (config: Config) => Promise<readonly Finding[]>,
): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ variable, problem }) =>
      fail(
        'configuration',
        `${variable} ${problem}`,
        'Correct it; docs/configuration.md lists every variable.',
      ),
    );
  }
  const directory = await lookAt(config);
  const key = await checkEncryptionKey(config, directory);
  return [
    ok('configuration', config.sandbox ? 'understood; sandbox mode' : 'understood'),
    checkClock(systemClock.now()),
    await checkDataDirectory(config),
    key,
    ...(await storageFindings(config, directory, key, inspect)),
    ...(await checkNetwork(config)),
    await checkPublicUrl(config),
  ];
}

async function storageFindings(
  config: Config,
  directory: DataDirectory,
  key: Finding,
  inspect: (config: Config) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  if (config.databaseUrl === null && !directory.database) {
    return [warn('storage', 'there is no database yet', 'Run: tributary serve, which creates one.')];
  }
  if (key.outcome === 'fail') {
    return [warn('storage', 'not looked at', 'Correct the encryption key first.')];
  }
  return inspect(config);
}

/** What the data directory contains so far. */
type DataDirectory = {
  readonly exists: boolean;
  readonly keyFile: boolean;
  readonly database: boolean;
};

async function lookAt(config: Config): Promise<DataDirectory> {
  const [exists, keyFile, database] = await Promise.all(
    ['', KEY_FILE_NAME, 'database'].map((name) => isThere(join(config.dataDir, name))),
  );
  return { exists: exists === true, keyFile: keyFile === true, database: database === true };
}

/** Writable by us, and closed to all other users. */
async function checkDataDirectory(config: Config): Promise<Finding> {
  const check = 'data directory';
  const path = resolve(config.dataDir);
  const parent = await nearest(path);
  if (!(await stat(parent)).isDirectory()) {
    return fail(check, `${path} cannot be created: ${parent} is a file`, 'Set DATA_DIR to a directory.');
  }
  if (parent !== path) {
    return (await isWritable(parent))
      ? ok(check, `${path} will be created on the first start`)
      : fail(
          check,
          `${path} cannot be created: ${parent} is not writable`,
          'Set DATA_DIR to a directory you can write to.',
        );
  }
  if (!(await isWritable(path))) {
    return fail(
      check,
      `${path} is not writable`,
      `Make the user who runs the service its owner: chown <user> ${path}`,
    );
  }
  const { mode } = await stat(path);
  return (mode & GROUP_AND_OTHER) === 0
    ? ok(check, `${path} is writable and private`)
    : warn(check, `${path} has mode ${octal(mode)}: other users can look inside`, `Run: chmod 700 ${path}`);
}

/** Where the key comes from, and who else could read it. Whether it opens sealed values is checked on the storage. */
async function checkEncryptionKey(config: Config, { keyFile, database }: DataDirectory): Promise<Finding> {
  const check = 'encryption key';
  if (config.encryptionKey !== undefined) return ok(check, 'given by ENCRYPTION_KEY');
  const path = join(resolve(config.dataDir), KEY_FILE_NAME);
  if (!keyFile) {
    return database
      ? fail(
          check,
          `${path} is missing, but there is a database`,
          'Restore the key file from a backup: without it, sealed secrets cannot be opened.',
        )
      : ok(check, `${path} will be created on the first start`);
  }
  const { mode } = await stat(path);
  return (mode & GROUP_AND_OTHER) === 0
    ? ok(check, `${path} is private`)
    : fail(
        check,
        `${path} has mode ${octal(mode)}: other users can read it`,
        `Run: chmod 600 ${path}, and rotate the key if someone could have read it.`,
      );
}

/** Whether PUBLIC_URL leads to this service from here. */
async function checkPublicUrl(config: Config): Promise<Finding> {
  const check = 'public address';
  const url = config.publicUrl;
  try {
    const answer = await request(`${url}/healthz`, { signal: AbortSignal.timeout(REACH_DEADLINE_MS) });
    await answer.body.dump();
    return answer.statusCode === 200
      ? ok(check, `${url} answers`)
      : warn(
          check,
          `${url}/healthz answered ${answer.statusCode}`,
          'Check that PUBLIC_URL points to this service and that the proxy in front forwards requests to it.',
        );
  } catch {
    return warn(
      check,
      `${url} cannot be reached from here`,
      'Start the service, or check PUBLIC_URL and the proxy in front of it.',
    );
  }
}

function checkClock(now: number): Finding {
  const shown = new Date(now).toISOString();
  return now > EARLIEST
    ? ok('clock', `${shown}`)
    : fail(
        'clock',
        `${shown} is before this software was made`,
        'Set the clock: signatures and consents depend on it.',
      );
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function nearest(path: string): Promise<string> {
  return (await isThere(path)) ? path : nearest(dirname(path));
}
