import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Config } from '../../platform/config.ts';
import { type Finding, fail } from './finding.ts';

/** A setting of an integration; `isLocal` if it is a folder on this machine. */
export interface LocalSetting {
  readonly env: string;
  readonly isLocal?: boolean;
}

interface LocalIntegration {
  readonly name: string;
  readonly variables: readonly LocalSetting[];
}

/**
 * Whether this process can write to the folders that integrations use. Asked of the service too: its unit, or its
 * container, may leave it fewer folders than a shell.
 * @param serving whether this process is the service
 */
export async function checkLocalFolders(
  { integrations }: Pick<Config, 'integrations'>,
  used: readonly LocalIntegration[],
  serving: boolean,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, variables } of used)
    for (const { env } of variables.filter(({ isLocal }) => isLocal === true)) {
      const folder = integrations[name]?.texts[env];
      const problem = folder === undefined ? null : await problemOf(folder);
      if (problem === null) continue;
      findings.push(fail('local folder', `${env}: ${folder} ${problem}${serving ? ' for the service' : ''}`));
    }
  return findings;
}

/** Why the folder cannot be used; null if it can. */
async function problemOf(folder: string): Promise<string | null> {
  const found = await stat(folder).catch(() => null);
  if (found === null) return 'does not exist';
  if (!found.isDirectory()) return 'is not a folder';
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => null,
    () => 'is not writable',
  );
}
