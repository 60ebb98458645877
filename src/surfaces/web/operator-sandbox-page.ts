import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { OPERATOR } from '../text/operator.ts';
import { OPERATOR_SANDBOX } from '../text/operator-sandbox.ts';
import { problem } from './chosen-password.ts';
import type { OperatorFault } from './operator-tools.ts';
import { card, notice, rowForm } from './settings-parts.ts';

const { armed, arming, clock: moving, done: DONE } = OPERATOR_SANDBOX;

export type SandboxDone = keyof typeof OPERATOR_SANDBOX.done;

export function isSandboxDone(text: string): text is SandboxDone {
  return Object.hasOwn(DONE, text);
}

interface Shown {
  readonly page: string;
  readonly tabs: Html;
  readonly integrations: readonly {
    readonly integration: string;
    readonly faults: readonly OperatorFault[];
  }[];
  readonly kinds: readonly string[];
  /** Null where a real integration goes by the time of day. */
  readonly clock: { readonly now: string; readonly aheadHours: number } | null;
  readonly problem: string | null;
  readonly done: SandboxDone | null;
}

/** What can go wrong at the simulators on purpose, and what time they go by. */
export function sandboxPage(shown: Shown): PageContent {
  const { page, tabs, integrations, kinds } = shown;
  const option = (name: string): Html => html`<option value="${name}">${name}</option>`;
  return {
    title: OPERATOR.title,
    secretAddress: false,
    body: html`${tabs}
${problem(shown.problem)}
${notice(shown.done === null ? null : DONE[shown.done])}
${card(armed.title, faults(shown))}
${card(
  arming.title,
  html`<form method="post" action="${page}/faults">
<label for="integration">${arming.simulator}</label>
<select id="integration" name="integration">${integrations.map(({ integration }) => option(integration))}</select>
<label for="kind">${arming.kind}</label>
<select id="kind" name="kind">${kinds.map(option)}</select>
<label for="count">${arming.count}</label>
<input id="count" name="count" inputmode="numeric" value="1" required maxlength="5">
<label for="route">${arming.route}</label>
<input id="route" name="route" value="*" maxlength="200" autocomplete="off" spellcheck="false">
<p class="hint">${arming.routeHint}</p>
<div class="actions"><button>${arming.submit}</button></div>
</form>`,
)}
${clockPart(shown)}`,
  };
}

function faults({ integrations, page }: Shown): Html {
  const faulty = integrations.filter((one) => one.faults.length > 0);
  if (faulty.length === 0) return html`<p>${armed.none}</p>`;
  return html`<ul class="lines">${faulty.map(
    ({ integration, faults }) =>
      html`<li><span><strong>${integration}</strong>${faults.map(
        ({ kind, route, remaining }) =>
          html`<br>${remaining === null ? armed.every(kind, route) : armed.more(kind, route, remaining)}`,
      )}</span> ${rowForm(`${page}/faults/clear`, armed.clear, integration, { integration })}</li>`,
  )}</ul>`;
}

function clockPart({ clock, page }: Shown): Html {
  if (clock === null) {
    return card(moving.title, html`<p>${moving.fixed}</p>`);
  }
  return card(
    moving.title,
    html`<p>${moving.now(clock.now.slice(0, 16).replace('T', ' '), clock.aheadHours)}</p>
<form method="post" action="${page}/clock">
<label for="forward">${moving.forward}</label>
<input id="forward" name="forward" placeholder="${moving.example}" required maxlength="20" autocomplete="off">
<p class="hint">${moving.hint}</p>
<div class="actions"><button>${moving.submit}</button></div>
</form>`,
  );
}
