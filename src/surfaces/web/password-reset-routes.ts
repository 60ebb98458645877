import type { FastifyInstance } from 'fastify';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { isFromElsewhere } from '../http/form-origin.ts';
import { sendOn, sendPage } from '../http/page.ts';
import { forgetIn, knowIn } from './cookies.ts';
import { field } from './form.ts';
import { askedPage, forgotPage, resetPage } from './password-reset-pages.ts';
import { refusedInput } from './refused-input.ts';
import { partOf } from './token.ts';
import { visitOf } from './visit.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/forgot-password`, and `/reset-password/<token>`, where the link of a mail or of the operator leads. */
export function registerPasswordResets(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, passwordResets } = options;
  const forgot = pathOf(appUrl, '/forgot-password');
  const addressOf = (token: string): string => pathOf(appUrl, `${SECRET_PATHS.passwordReset}/${token}`);

  scope.get('/forgot-password', async (_request, reply) =>
    sendPage(reply, 200, forgotPage(forgot, passwordResets.mailed)),
  );

  scope.post('/forgot-password', async (request, reply) => {
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, forgot);
    await passwordResets.request(field(request, 'email'), visitOf(request));
    return sendPage(reply, 200, askedPage(pathOf(appUrl, '/sign-in'), passwordResets.mailed));
  });

  scope.get(`${SECRET_PATHS.passwordReset}/:token`, async (request, reply) => {
    const token = partOf(request, 'token');
    const { email } = await passwordResets.find(token);
    return sendPage(reply, 200, resetPage(addressOf(token), { email, problem: null }));
  });

  scope.post(`${SECRET_PATHS.passwordReset}/:token`, async (request, reply) => {
    const token = partOf(request, 'token');
    if (isFromElsewhere(request.headers, appUrl)) return sendOn(reply, addressOf(token));
    const { email } = await passwordResets.find(token);
    const refused = await refusedInput(async () => {
      const device = await passwordResets.complete(token, field(request, 'password'), visitOf(request));
      knowIn(reply, device, options);
    });
    if (refused !== null) {
      return sendPage(reply, 400, resetPage(addressOf(token), { email, problem: refused }));
    }
    forgetIn(reply, options);
    return sendOn(reply, `${pathOf(appUrl, '/sign-in')}?notice=reset`);
  });
}
