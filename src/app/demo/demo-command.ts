import type { Environment } from '../../platform/config.ts';
import { LOG_LEVELS } from '../../platform/config-variables.ts';
import { createLog, standardError } from '../../platform/log.ts';
import { EXIT } from '../../surfaces/cli/failure.ts';
import type { DemoArguments } from '../../surfaces/cli/program.ts';
import { INTEGRATIONS, type Integration } from '../integrations.ts';
import { demo } from './demo.ts';
import { type DemoResult, Progress, showDemo } from './demo-output.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const LONG_MS = 3_600_000;

/** `demo`: progress on standard error, the table or the JSON on standard output. */
export async function demoCommand(
  options: DemoArguments,
  env: Environment,
  integrations: readonly Integration[] = INTEGRATIONS,
): Promise<number> {
  const level = LOG_LEVELS.find((known) => known === env.LOG_LEVEL) ?? 'error';
  const show = (result: DemoResult): void => {
    process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : `${showDemo(result)}\n`);
  };
  const stay = async (result: DemoResult): Promise<void> => {
    show(result);
    process.stderr.write('The service stays up until you press Ctrl-C.\n');
    await stopped();
  };
  const result = await demo(options, {
    env,
    integrations,
    log: createLog({ level, destination: standardError }),
    progress: new Progress(process.stderr),
    ...(options.stay ? { stay } : {}),
  });
  if (!options.stay) show(result);
  return result.ok ? EXIT.ok : EXIT.failure;
}

/** Keeps the process alive until it is signalled to stop; signal handlers alone do not. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    const alive = setInterval(() => undefined, LONG_MS);
    const stop = (): void => {
      clearInterval(alive);
      for (const signal of SIGNALS) process.off(signal, stop);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
}
