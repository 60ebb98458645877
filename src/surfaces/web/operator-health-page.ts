import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { OPERATOR, OPERATOR_HEALTH } from '../text/operator.ts';
import type { OperatorFinding } from './operator-tools.ts';

/** What `tributary doctor` finds of a running service. */
export function healthPage(findings: readonly OperatorFinding[], tabs: Html): PageContent {
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
