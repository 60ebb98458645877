import type { FastifyInstance } from 'fastify';
import encodeQR from 'qr';
import { byCaller } from '../../features/audit/audit-log.ts';
import type { Enrolment } from '../../features/sign-in/second-factors.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { Html, html } from '../http/html.ts';
import { type PageContent, sendOn, sendPage } from '../http/page.ts';
import { originOf } from '../http/request-url.ts';
import { SECOND_FACTOR } from '../text/sign-in.ts';
import { field } from './form.ts';
import { card, problem } from './page-parts.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/settings/security/second-factor`: turning the second factor on and off, and its recovery codes. */
export function registerSecondFactor(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, secondFactors } = options;
  const security = pathOf(appUrl, '/settings/security');
  const page = pathOf(appUrl, '/settings/security/second-factor');
  const framed = async (signedIn: SignedIn, body: Html): Promise<PageContent> => ({
    title: SECOND_FACTOR.title,
    secretAddress: false,
    body,
    ...(await settingsFrame(options, '/settings/security', signedIn)),
  });
  const codesPage = (signedIn: SignedIn, codes: readonly string[]): Promise<PageContent> =>
    framed(
      signedIn,
      card(
        SECOND_FACTOR.codes.title,
        html`<p role="status">${SECOND_FACTOR.codes.text}</p>
<ul class="codes">${codes.map((one) => html`<li><code>${one}</code></li>`)}</ul>
<div class="actions"><a class="button main" href="${security}">${SECOND_FACTOR.codes.saved}</a></div>`,
      ),
    );

  const { takes } = registerSettingsPage(scope, options, {
    path: '/settings/security/second-factor',
    isDone: (_text): _text is never => false,
    fresh: true,
    content: async (signedIn, _address, notice) => {
      const { since, recoveryCodes } = await secondFactors.state(signedIn.caller.user);
      const body =
        since === null
          ? enrolment(page, await secondFactors.enrol(signedIn.caller.user), notice.problem)
          : managing(page, recoveryCodes, notice.problem);
      return framed(signedIn, body);
    },
  });

  takes('/confirm', true, async (signedIn, request, reply) => {
    const codes = await secondFactors.confirm(signedIn, field(request, 'code'), originOf(request));
    return sendPage(reply, 200, await codesPage(signedIn, codes));
  });

  takes('/codes', true, async (signedIn, request, reply) => {
    const codes = await secondFactors.renewCodes(signedIn, originOf(request));
    return sendPage(reply, 200, await codesPage(signedIn, codes));
  });

  takes('/disable', true, async ({ caller }, request, reply) => {
    await secondFactors.disable(caller.user, byCaller(caller), originOf(request));
    return sendOn(reply, `${security}?done=second_factor_disabled`);
  });
}

function enrolment(page: string, { uri, secret }: Enrolment, refused: string | null): Html {
  const text = SECOND_FACTOR.enrol;
  return card(
    text.title,
    html`${problem(refused)}
<p>${text.text}</p>
<figure class="qr" role="img" aria-label="${text.picture}">${new Html(encodeQR(uri, 'svg', { border: 2 }))}</figure>
<p>${text.typed} <code>${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<form method="post" action="${page}/confirm">
<label for="code">${text.code}</label>
<input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" required maxlength="20">
<div class="actions"><button class="main">${text.submit}</button></div>
</form>`,
  );
}

function managing(page: string, recoveryCodes: number, refused: string | null): Html {
  const text = SECOND_FACTOR.on;
  return card(
    text.title,
    html`${problem(refused)}
<p>${text.left(recoveryCodes)}</p>
<form method="post" action="${page}/codes"><div class="actions"><button>${text.codes}</button></div></form>
<form method="post" action="${page}/disable"><div class="actions"><button>${text.disable}</button></div></form>`,
  );
}
