import type { Integration } from '../../app/integrations.ts';
import { INTEGRATIONS } from '../../app/integrations.ts';
import { readConfig } from '../../app/read-config.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, ConfigError, type Environment } from '../../platform/config.ts';
import { findingsTable, inspect } from '../commands/inspect.ts';
import { explain } from '../explain.ts';
import { EXIT } from '../failure.ts';
import type { OutputStreams } from '../program.ts';
import { runCommand } from '../run-command.ts';
import { type Finding, fail, ok, warn } from './check.ts';
import {
  checkClock,
  checkDataDirectory,
  checkEncryptionKey,
  checkPublicUrl,
  type DataDirectory,
  lookAt,
} from './local-checks.ts';
import { checkNetwork } from './network-checks.ts';

/** `doctor`: everything the service needs, one line each, with what to do. Exit code 1 when something fails. */
export async function doctor(
  env: Environment,
  json: boolean,
  integrations: readonly Integration[],
  streams: Pick<OutputStreams, 'out'>,
): Promise<number> {
  const findings = await diagnose(env, integrations);
  streams.out(json ? `${JSON.stringify({ findings })}\n` : `${findingsTable(findings)}\n`);
  return findings.some(({ outcome }) => outcome === 'fail') ? EXIT.failure : EXIT.ok;
}

/** Changes nothing that is there: no key is made where one was lost. */
export async function diagnose(
  env: Environment,
  integrations: readonly Integration[] = INTEGRATIONS,
): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(env, integrations);
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
    ...(await inspected(config, directory, key, integrations)),
    ...(await checkNetwork(config)),
    await checkPublicUrl(config),
  ];
}

async function inspected(
  config: Config,
  directory: DataDirectory,
  key: Finding,
  integrations: readonly Integration[],
): Promise<readonly Finding[]> {
  if (config.databaseUrl === null && !directory.database) {
    return [warn('storage', 'there is no database yet', 'Run: tributary serve, which creates one.')];
  }
  if (key.outcome === 'fail') {
    return [warn('storage', 'not looked at', 'Correct the encryption key first.')];
  }
  try {
    const { result } = await runCommand(inspect.name, {}, config, 'silent', integrations);
    return inspect.parse(result).findings;
  } catch (error) {
    return [fail('storage', explain(error).message.replace(/\.$/, ''), 'Then run tributary doctor again.')];
  }
}
