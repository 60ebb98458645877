import type { FastifyInstance } from 'fastify';
import { missing } from '../../vocabulary/service-error.ts';
import { registerOperatorAccounts } from './operator-account-routes.ts';
import { healthPage } from './operator-health-page.ts';
import { registerOperatorSandbox } from './operator-sandbox-routes.ts';
import { operatorTabs } from './operator-tabs.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import type { WebOptions } from './web-options.ts';

const LOOK_MS = 20_000;

/** `/settings/operator`: the installation, for those who look after it (docs/operator.md). Others find no such page. */
export function registerOperator(scope: FastifyInstance, options: WebOptions): void {
  const allow = async ({ caller }: Parameters<typeof settingsFrame>[2]): Promise<void> => {
    if (!(await options.members.person(caller.user)).operator) throw missing('page');
  };
  registerOperatorAccounts(scope, options, allow);
  if (options.operatorTools.sandbox !== null) {
    registerOperatorSandbox(scope, options, options.operatorTools.sandbox, allow);
  }
  registerSettingsPage(scope, options, {
    path: '/settings/operator/health',
    isDone: (_text): _text is never => false,
    allow,
    content: async (signedIn) => ({
      ...healthPage(
        await options.operatorTools.look(AbortSignal.timeout(LOOK_MS)),
        operatorTabs(options, '/settings/operator/health'),
      ),
      ...(await settingsFrame(options, '/settings/operator', signedIn)),
    }),
  });
}
