import { diagnose } from '../../features/operator/diagnosis.ts';
import { type Finding, fail } from '../../features/operator/finding.ts';
import type { Config } from '../../platform/config.ts';
import { findingsTable, inspect } from './commands/installation.ts';
import type { CommandOutput } from './control/control-protocol.ts';
import { explain } from './explain.ts';
import { EXIT } from './failure.ts';
import type { OutputStreams } from './program.ts';

/** What `doctor` checks. */
export interface DoctorTools {
  /** Raises ConfigError. */
  readonly readConfig: () => Config;
  /** Runs a command where the storage is open. */
  readonly run: (command: string, config: Config) => Promise<CommandOutput>;
}

/** `doctor`: everything the service needs, one line each, with what to do. Exit code 1 when something fails. */
export async function doctor(
  tools: DoctorTools,
  json: boolean,
  streams: Pick<OutputStreams, 'out'>,
): Promise<number> {
  const findings = await findingsOf(tools);
  streams.out(json ? `${JSON.stringify({ findings })}\n` : `${findingsTable(findings)}\n`);
  return findings.some(({ outcome }) => outcome === 'fail') ? EXIT.failure : EXIT.ok;
}

export function findingsOf({ readConfig, run }: DoctorTools): Promise<Finding[]> {
  return diagnose(readConfig, async (config) => {
    try {
      return inspect.parse((await run(inspect.name, config)).result).findings;
    } catch (error) {
      return [fail('storage', explain(error).message.replace(/\.$/, ''), 'Then run tributary doctor again.')];
    }
  });
}
