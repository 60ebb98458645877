import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { OPERATOR_SANDBOX } from '../text/operator-sandbox.ts';
import { field } from './form.ts';
import { isSandboxDone, sandboxPage } from './operator-sandbox-page.ts';
import { operatorTabs } from './operator-tabs.ts';
import type { OperatorSandbox } from './operator-tools.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import type { WebOptions } from './web-options.ts';

const ASK_MS = 20_000;
const PATH = '/settings/operator/sandbox';

/** `/settings/operator/sandbox`: faults of the simulators, and the clock. */
export function registerOperatorSandbox(
  scope: FastifyInstance,
  options: WebOptions,
  sandbox: OperatorSandbox,
  allow: (signedIn: SignedIn) => Promise<void>,
): void {
  const { takes } = registerSettingsPage(scope, options, {
    path: PATH,
    isDone: isSandboxDone,
    allow,
    content: async (signedIn, page, notice) => {
      const signal = AbortSignal.timeout(ASK_MS);
      const integrations = await Promise.all(
        sandbox.integrations.map(async (integration) => ({
          integration,
          faults: await sandbox.faults(integration, signal),
        })),
      );
      const shown = {
        page,
        integrations,
        kinds: sandbox.faultKinds,
        clock: sandbox.clock?.now() ?? null,
        tabs: operatorTabs(options, PATH),
      };
      return {
        ...sandboxPage({ ...shown, ...notice }),
        ...(await settingsFrame(options, '/settings/operator', signedIn)),
      };
    },
  });

  takes('/faults', false, async (_signedIn, request) => {
    const integration = integrationIn(request, sandbox);
    const kind = field(request, 'kind');
    const count = Number(field(request, 'count'));
    if (!Number.isInteger(count) || count < 1 || count > 10_000) {
      throw invalidParameter('count', OPERATOR_SANDBOX.arming.invalidCount);
    }
    const route = field(request, 'route').trim();
    const fault = { integration, kind, count, route: route === '' ? '*' : route };
    await sandbox.arm(fault, AbortSignal.timeout(ASK_MS));
    return 'fault_armed';
  });

  takes('/faults/clear', false, async (_signedIn, request) => {
    await sandbox.disarm(integrationIn(request, sandbox), AbortSignal.timeout(ASK_MS));
    return 'faults_cleared';
  });

  takes('/clock', false, async (_signedIn, request) => {
    if (sandbox.clock === null) throw missing('clock');
    await sandbox.clock.forward(field(request, 'forward').trim(), AbortSignal.timeout(ASK_MS));
    return 'clock_moved';
  });
}

function integrationIn(request: FastifyRequest, { integrations }: OperatorSandbox): string {
  const integration = field(request, 'integration');
  if (!integrations.includes(integration))
    throw invalidParameter('integration', OPERATOR_SANDBOX.arming.noSimulator);
  return integration;
}
