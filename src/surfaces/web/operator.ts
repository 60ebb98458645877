import type { FastifyInstance } from 'fastify';
import type { Finding } from '../../features/operator/finding.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { OPERATOR, OPERATOR_HEALTH } from '../text/operator.ts';
import { registerOperatorAccounts } from './operator-accounts.ts';
import { registerOperatorSandbox } from './operator-sandbox.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { operatorTabs, settingsFrame } from './settings-nav.ts';
import type { WebOptions } from './web-options.ts';

const LOOK_MS = 20_000;

/** `/settings/operator`: the installation, for its operators (docs/operator.md). For others the page does not exist. */
export function registerOperator(scope: FastifyInstance, options: WebOptions): void {
  const allow = async ({ caller }: Parameters<typeof settingsFrame>[2]): Promise<void> => {
    if (!(await options.operator.people.isOperator(caller.user))) throw missing('page');
  };
  registerOperatorAccounts(scope, options, allow);
  if (options.operator.sandbox !== null) {
    registerOperatorSandbox(scope, options, options.operator.sandbox, allow);
  }
  registerSettingsPage(scope, options, {
    path: '/settings/operator/health',
    isDone: (_text): _text is never => false,
    allow,
    content: async (signedIn) => ({
      ...healthPage(
        await options.operator.inspection.run(true, AbortSignal.timeout(LOOK_MS)),
        operatorTabs(options, '/settings/operator/health'),
      ),
      ...(await settingsFrame(options, '/settings/operator', signedIn)),
    }),
  });
}

/** What `tributary doctor` finds in a running service. */
function healthPage(findings: readonly Finding[], tabs: Html): PageContent {
  const wrong = findings.filter(({ outcome }) => outcome !== 'ok').length;
  return {
    title: OPERATOR.title,
    secretAddress: false,
    body: html`${tabs}
<section class="card"><h2>${OPERATOR_HEALTH.title}</h2>
<p role="status">${wrong === 0 ? OPERATOR_HEALTH.allWell : OPERATOR_HEALTH.wrong(wrong, findings.length)}</p>
<ul class="lines">${findings.map(
      ({ check, outcome, found, advice }) =>
        html`<li><span><strong>${check}</strong><br>${found}${advice === null ? html`` : html`<br><span class="hint">${advice}</span>`}</span> <span class="badge ${outcome}">${OPERATOR_HEALTH.outcomes[outcome]}</span></li>`,
    )}</ul>
<p class="hint">${OPERATOR_HEALTH.hint}</p>
</section>`,
  };
}
