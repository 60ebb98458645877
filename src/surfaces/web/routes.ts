import type { FastifyInstance } from 'fastify';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { acceptJsonBodies } from '../http/json-body.ts';
import { sendPage } from '../http/page.ts';
import type { Surface } from '../http/surface.ts';
import type { Surfaces } from '../http/surfaces.ts';
import { registerAccount } from './account-routes.ts';
import { registerActivity } from './activity-routes.ts';
import { answerFault, UNKNOWN_PAGE } from './faults.ts';
import { registerFirstRun } from './first-run-routes.ts';
import { acceptForms } from './form.ts';
import { registerInvitations } from './invitation-routes.ts';
import { registerOperator } from './operator-routes.ts';
import { registerPasskeys } from './passkey-routes.ts';
import { registerPasswordResets } from './password-reset-routes.ts';
import { registerSecondFactor } from './second-factor-routes.ts';
import { registerSecurity } from './security-routes.ts';
import { registerSignIn } from './sign-in-routes.ts';
import type { WebOptions } from './web-options.ts';

/** The pages at which people sign in and look after how they do (docs/sign-in.md): plain HTML, outside `/v2`. */
export function registerWebPages(server: FastifyInstance, surfaces: Surfaces, options: WebOptions): void {
  const surface: Surface = {
    prefixes: [
      '/sign-in',
      '/sign-out',
      '/forgot-password',
      SECRET_PATHS.passwordReset,
      SECRET_PATHS.firstRun,
      SECRET_PATHS.invitation,
      '/settings',
    ],
    answerMissing: (_request, reply) => sendPage(reply, 404, UNKNOWN_PAGE),
    answerError: (thrown, request, reply) => answerFault(thrown, request, reply, options.log),
  };
  surfaces.mount(server, surface, (scope) => {
    scope.addHook('onRequest', (request) => options.rateLimits.hosted.arrive(request.ip, 'page'));
    scope.register(async (forms) => {
      acceptForms(forms);
      registerSignIn(forms, options);
      registerFirstRun(forms, options);
      registerPasswordResets(forms, options);
      registerInvitations(forms, options);
      registerAccount(forms, options);
      registerSecurity(forms, options);
      registerSecondFactor(forms, options);
      registerActivity(forms, options);
      registerOperator(forms, options);
    });
    scope.register(async (scripts) => {
      acceptJsonBodies(scripts);
      registerPasskeys(scripts, options);
    });
  });
}
