import { FAULT_KINDS } from '../../sandbox/shared/faults.ts';

import type { CommandContext, TypedCommand } from '../cli/command.ts';
import { inspect } from '../cli/commands/inspect.ts';
import { sandboxClock } from '../cli/commands/sandbox-clock.ts';
import { sandboxFault } from '../cli/commands/sandbox-fault.ts';
import { CommandFailure } from '../cli/failure.ts';
import { ShiftedClock } from '../platform/shifted-clock.ts';
import type { OperatorSandbox, OperatorTools } from '../surfaces/web/operator-tools.ts';
import { invalidParameter } from '../vocabulary/service-error.ts';
import type { App } from './build.ts';

const HOUR_MS = 3_600_000;

/** What the operator's pages do, done by the commands of the same name: there is one way to do each. */
export function operatorTools(app: App): OperatorTools {
  return {
    look: async (signal) => (await run(inspect, app, {}, 'check', signal)).findings,
    sandbox: app.sandbox === null ? null : sandboxOf(app, [...app.sandbox.reached.keys()]),
  };
}

function sandboxOf(app: App, integrations: readonly string[]): OperatorSandbox {
  const { clock } = app;
  return {
    integrations,
    faultKinds: FAULT_KINDS,
    faults: async (provider, signal) =>
      (await run(sandboxFault, app, { provider }, 'integration', signal)).faults,
    arm: async ({ integration, ...fault }, signal) => {
      await run(sandboxFault, app, { provider: integration, ...fault }, 'kind', signal);
    },
    disarm: async (provider, signal) => {
      await run(sandboxFault, app, { provider, clear: true }, 'integration', signal);
    },
    clock:
      clock instanceof ShiftedClock
        ? {
            now: () => ({
              now: new Date(clock.now()).toISOString(),
              aheadHours: Math.round(clock.aheadMs / HOUR_MS),
            }),
            forward: async (forward, signal) => {
              await run(sandboxClock, app, { forward }, 'forward', signal);
            },
          }
        : null,
  };
}

/** Runs a command in this process. What it does not understand is wrong with the field of the form. */
async function run<R>(
  command: TypedCommand<R>,
  app: App,
  args: unknown,
  field: string,
  signal: AbortSignal,
): Promise<R> {
  // Commands ask only whether a service runs here, and one does.
  const context: CommandContext = {
    app,
    url: app.config.publicUrl,
    signal,
  };
  try {
    return command.parse(await command.run(context, args));
  } catch (error) {
    if (error instanceof CommandFailure) throw invalidParameter(field, error.message);
    throw error;
  }
}
