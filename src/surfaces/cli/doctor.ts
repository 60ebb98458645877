import { diagnose, type Examined, type Fixed, fix } from '../../features/operator/diagnosis.ts';
import { type Finding, fail } from '../../features/operator/finding.ts';
import type { Config } from '../../platform/config.ts';
import { findingsTable, inspect } from './commands/installation.ts';
import type { CommandOutput } from './control/control-protocol.ts';
import { explain } from './explain.ts';
import { EXIT } from './failure.ts';
import type { OutputStreams } from './program.ts';

/** What `doctor` checks. */
export interface DoctorTools extends Omit<Examined, 'inspect'> {
  /** Runs a command where the storage is open. */
  readonly run: (command: string, config: Config) => Promise<CommandOutput>;
}

/**
 * `doctor`: everything the service needs, one line each, with what to do. With `isFixing`, what can be fixed safely is
 * fixed, and everything is checked again. Exit code 1 when something fails.
 */
export async function doctor(
  tools: DoctorTools,
  { isFixing, json }: { readonly isFixing: boolean; readonly json: boolean },
  streams: Pick<OutputStreams, 'out'>,
): Promise<number> {
  let findings: readonly Finding[] = await findingsOf(tools);
  let fixed: readonly Fixed[] = [];
  if (isFixing && findings.some(({ fixable }) => fixable === true)) {
    const done = await fix(findings, tools.readConfig(), (command, config) =>
      runWhole(tools, command, config),
    );
    fixed = done.fixed;
    findings = [...(await findingsOf(tools)), ...done.failed];
  }
  const lines = fixed.map(({ check, done }) => `Fixed: ${check}. ${done}\n`);
  streams.out(
    json
      ? `${JSON.stringify({ ...(isFixing && { fixed }), findings })}\n`
      : `${lines.join('')}${findingsTable(findings)}\n`,
  );
  return findings.some(({ outcome }) => outcome === 'fail') ? EXIT.failure : EXIT.ok;
}

export function findingsOf(tools: DoctorTools): Promise<Finding[]> {
  return diagnose({
    ...tools,
    inspect: async (config) => {
      try {
        return inspect.parse((await tools.run(inspect.name, config)).result).findings;
      } catch (error) {
        return [
          fail('storage', explain(error).message.replace(/\.$/, ''), 'Then run tributary doctor again.'),
        ];
      }
    },
  });
}

async function runWhole({ run }: DoctorTools, command: string, config: Config): Promise<string> {
  let output = await run(command, config);
  while (output.again !== null) output = await run(command, config);
  return output.text;
}
