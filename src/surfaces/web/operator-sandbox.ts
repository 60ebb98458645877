import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OperatorSandbox, SandboxFault } from '../../features/operator/sandbox.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { OPERATOR, OPERATOR_SANDBOX } from '../text/operator.ts';
import { field } from './form.ts';
import { card, notice, problem, rowForm } from './page-parts.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { operatorTabs, settingsFrame } from './settings-nav.ts';
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
  const { operator } = options;
  const { takes } = registerSettingsPage(scope, options, {
    path: PATH,
    isDone: isSandboxDone,
    allow,
    content: async (signedIn, page, notice) => {
      const signal = AbortSignal.timeout(ASK_MS);
      const integrations = await Promise.all(
        sandbox.integrations.map(async (integration) => ({
          integration,
          ...(await sandbox.faults(integration, signal)),
        })),
      );
      const shown = {
        page,
        integrations,
        kinds: sandbox.faultKinds,
        clock: operator.clock?.now() ?? null,
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
    const integration = integrationIn(request, sandbox);
    await sandbox.disarm(integration, AbortSignal.timeout(ASK_MS));
    return 'faults_cleared';
  });

  takes('/clock', false, async (_signedIn, request) => {
    if (operator.clock === null) throw missing('clock');
    await operator.clock.forward(field(request, 'forward').trim());
    return 'clock_moved';
  });
}

function integrationIn(request: FastifyRequest, { integrations }: OperatorSandbox): string {
  const integration = field(request, 'integration');
  if (!integrations.includes(integration))
    throw invalidParameter('integration', OPERATOR_SANDBOX.arming.noSimulator);
  return integration;
}

const { armed, arming, clock: moving, done: DONE } = OPERATOR_SANDBOX;

type SandboxDone = keyof typeof OPERATOR_SANDBOX.done;

function isSandboxDone(text: string): text is SandboxDone {
  return Object.hasOwn(DONE, text);
}

interface Shown {
  readonly page: string;
  readonly tabs: Html;
  readonly integrations: readonly {
    readonly integration: string;
    readonly faults: readonly SandboxFault[];
  }[];
  readonly kinds: readonly string[];
  /** Null if a real integration depends on the actual time. */
  readonly clock: { readonly now: Date; readonly aheadHours: number } | null;
  readonly problem: string | null;
  readonly done: SandboxDone | null;
}

/** Faults of the simulators, and their clock. */
function sandboxPage(shown: Shown): PageContent {
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
    html`<p>${moving.now(clock.now.toISOString().slice(0, 16).replace('T', ' '), Math.round(clock.aheadHours))}</p>
<form method="post" action="${page}/clock">
<label for="forward">${moving.forward}</label>
<input id="forward" name="forward" placeholder="${moving.example}" required maxlength="20" autocomplete="off">
<p class="hint">${moving.hint}</p>
<div class="actions"><button>${moving.submit}</button></div>
</form>`,
  );
}
