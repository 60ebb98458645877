import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import type { OperatorFinding } from './operator-tools.ts';

const OUTCOMES = { ok: 'OK', warn: 'Warning', fail: 'Failing' } as const;

/** What `tributary doctor` finds of a running service. */
export function healthPage(findings: readonly OperatorFinding[], tabs: Html): PageContent {
  const wrong = findings.filter(({ outcome }) => outcome !== 'ok').length;
  return {
    title: 'Operator',
    body: html`${tabs}
<section class="card"><h2>Health</h2>
<p role="status">${wrong === 0 ? 'Everything that was looked at is as it should be.' : `${wrong} of ${findings.length} checks found something.`}</p>
<ul class="lines">${findings.map(
      ({ check, outcome, found, advice }) =>
        html`<li><span><strong>${check}</strong><br>${found}${advice === null ? html`` : html`<br><span class="hint">${advice}</span>`}</span> <span class="badge ${outcome}">${OUTCOMES[outcome]}</span></li>`,
    )}</ul>
<p class="hint">These are the checks of <code>tributary doctor</code> that need the storage and the providers. Providers are asked each time this page opens.</p>
</section>`,
  };
}
