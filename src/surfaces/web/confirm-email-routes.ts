import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { sendOn } from '../http/page.ts';
import { originOf, queryOf } from '../http/request-url.ts';
import { confirmEmailPage } from './confirm-email-page.ts';
import { field } from './form.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/settings/confirm-email?token=…`, where the mail to a new address leads the person whose it is. */
export function registerConfirmEmail(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, emailChanges, members } = options;
  const settings = pathOf(appUrl, '/settings');
  const { takes } = registerSettingsPage(scope, options, {
    path: SECRET_PATHS.emailChange,
    isDone: (_text): _text is never => false,
    content: async (signedIn, page, { problem }, request) => {
      const token = tokenIn(request);
      const [{ email }, proved] = await Promise.all([
        members.person(signedIn.caller.user),
        emailChanges.proved(signedIn, token),
      ]);
      return {
        ...confirmEmailPage({
          page,
          settings,
          token,
          proved,
          email,
          problem: proved === null ? null : problem,
        }),
        ...(await settingsFrame(options, '/settings', signedIn)),
      };
    },
  });

  takes('', false, async (signedIn, request, reply) => {
    await emailChanges.confirm(signedIn, tokenIn(request), originOf(request));
    return sendOn(reply, `${settings}?done=email_changed`);
  });
}

/** In the address the mail leads to, and in the form. */
function tokenIn(request: FastifyRequest): string {
  return queryOf(request).token ?? field(request, 'token');
}
