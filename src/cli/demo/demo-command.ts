import { PARTIES } from '../../parties.ts';
import type { Party } from '../../party.ts';
import type { Environment } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { LOG_LEVELS } from '../../platform/log-level.ts';
import { EXIT } from '../failure.ts';
import type { DemoArguments } from '../program.ts';
import { standardError } from '../standard-error.ts';
import { demo } from './demo.ts';
import { showDemo } from './demo-result.ts';
import { Progress } from './progress.ts';

/** `demo`: progress on standard error, the table or the JSON on standard output. */
export async function demoCommand(
  options: DemoArguments,
  env: Environment,
  parties: readonly Party[] = PARTIES,
): Promise<number> {
  const level = LOG_LEVELS.find((known) => known === env.LOG_LEVEL) ?? 'error';
  const result = await demo(options, {
    env,
    parties,
    log: createLog({ level, destination: standardError }),
    progress: new Progress(process.stderr),
  });
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : `${showDemo(result)}\n`);
  return result.ok ? EXIT.ok : EXIT.failure;
}
