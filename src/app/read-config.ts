import { type Config, type Environment, parseConfig } from '../platform/config.ts';
import { INTEGRATIONS, type Integration } from './integrations.ts';

/**
 * The configuration in the environment, with the settings of every integration.
 * @throws ConfigError listing all problems
 */
export function readConfig(env: Environment, integrations: readonly Integration[] = INTEGRATIONS): Config {
  return parseConfig(
    env,
    integrations.map(({ row }) => row),
  );
}
