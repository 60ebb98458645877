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
      const parties = await Promise.all(
        sandbox.parties.map(async (party) => ({ party, faults: await sandbox.faults(party, signal) })),
      );
      const shown = {
        page,
        parties,
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
    const party = partyIn(request, sandbox);
    const kind = field(request, 'kind');
    const count = Number(field(request, 'count'));
    if (!Number.isInteger(count) || count < 1 || count > 10_000) {
      throw invalidParameter('count', OPERATOR_SANDBOX.arming.invalidCount);
    }
    const route = field(request, 'route').trim();
    const fault = { party, kind, count, route: route === '' ? '*' : route };
    await sandbox.arm(fault, AbortSignal.timeout(ASK_MS));
    return 'fault_armed';
  });

  takes('/faults/clear', false, async (_signedIn, request) => {
    await sandbox.disarm(partyIn(request, sandbox), AbortSignal.timeout(ASK_MS));
    return 'faults_cleared';
  });

  takes('/clock', false, async (_signedIn, request) => {
    if (sandbox.clock === null) throw missing('clock');
    await sandbox.clock.forward(field(request, 'forward').trim(), AbortSignal.timeout(ASK_MS));
    return 'clock_moved';
  });
}

function partyIn(request: FastifyRequest, { parties }: OperatorSandbox): string {
  const party = field(request, 'party');
  if (!parties.includes(party)) throw invalidParameter('party', OPERATOR_SANDBOX.arming.noSimulator);
  return party;
}
