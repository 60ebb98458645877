import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { problem } from './chosen-password.ts';
import type { OperatorFault } from './operator-tools.ts';
import { card, notice, rowForm } from './settings-parts.ts';

const DONE = {
  fault_armed: 'The fault is armed.',
  faults_cleared: 'The faults of the simulator are cleared.',
  clock_moved: 'The clock is moved forward.',
} as const;

export type SandboxDone = keyof typeof DONE;

export function isSandboxDone(text: string): text is SandboxDone {
  return Object.hasOwn(DONE, text);
}

interface Shown {
  readonly page: string;
  readonly tabs: Html;
  readonly parties: readonly { readonly party: string; readonly faults: readonly OperatorFault[] }[];
  readonly kinds: readonly string[];
  /** Null where a real party goes by the time of day. */
  readonly clock: { readonly now: string; readonly aheadHours: number } | null;
  readonly problem: string | null;
  readonly done: SandboxDone | null;
}

/** What can go wrong at the simulators on purpose, and what time they go by. */
export function sandboxPage(shown: Shown): PageContent {
  const { page, tabs, parties, kinds } = shown;
  const option = (name: string): Html => html`<option value="${name}">${name}</option>`;
  return {
    title: 'Operator',
    body: html`${tabs}
${problem(shown.problem)}
${notice(shown.done === null ? null : DONE[shown.done])}
${card('Armed faults', faults(shown))}
${card(
  'Arm a fault',
  html`<form method="post" action="${page}/faults">
<label for="party">Simulator</label>
<select id="party" name="party">${parties.map(({ party }) => option(party))}</select>
<label for="kind">What goes wrong</label>
<select id="kind" name="kind">${kinds.map(option)}</select>
<label for="count">For how many requests</label>
<input id="count" name="count" inputmode="numeric" value="1" required maxlength="5">
<label for="route">At which requests</label>
<input id="route" name="route" value="*" maxlength="200" autocomplete="off" spellcheck="false">
<p class="hint">* stands for any characters: <code>GET /v1/*</code></p>
<div class="actions"><button>Arm the fault</button></div>
</form>`,
)}
${clockPart(shown)}`,
  };
}

function faults({ parties, page }: Shown): Html {
  const armed = parties.filter((one) => one.faults.length > 0);
  if (armed.length === 0) return html`<p>No fault is armed: every simulator answers as it should.</p>`;
  return html`<ul class="lines">${armed.map(
    ({ party, faults }) =>
      html`<li><span><strong>${party}</strong>${faults.map(
        ({ kind, route, remaining }) =>
          html`<br>${kind} at <code>${route}</code>, ${remaining === null ? 'every request' : `${remaining} more`}`,
      )}</span> ${rowForm(`${page}/faults/clear`, 'Clear', party, { party })}</li>`,
  )}</ul>`;
}

function clockPart({ clock, page }: Shown): Html {
  if (clock === null) {
    return card(
      'Clock',
      html`<p>The clock cannot be moved: a provider that is not simulated goes by the time of day.</p>`,
    );
  }
  return card(
    'Clock',
    html`<p>The service and its simulators agree that it is <strong>${clock.now.slice(0, 16).replace('T', ' ')} UTC</strong>, ${String(clock.aheadHours)} hours ahead.</p>
<form method="post" action="${page}/clock">
<label for="forward">Forward by</label>
<input id="forward" name="forward" placeholder="3d" required maxlength="20" autocomplete="off">
<p class="hint">Minutes, hours or days: 90m, 12h, 3d. The clock never goes back.</p>
<div class="actions"><button>Move the clock</button></div>
</form>`,
  );
}
