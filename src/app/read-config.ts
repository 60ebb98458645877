import { type Config, type Environment, parseConfig } from '../platform/config.ts';
import { PARTIES } from './parties.ts';
import type { Party } from './party.ts';

/**
 * The configuration in the environment, with the settings of every outside party.
 * @throws ConfigError with every problem at once
 */
export function readConfig(env: Environment, parties: readonly Party[] = PARTIES): Config {
  return parseConfig(
    env,
    parties.map(({ row }) => row),
  );
}
