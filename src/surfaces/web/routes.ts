import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';
import { html } from '../http/html.ts';
import { observedAs } from '../http/observed-as.ts';
import { missingPage, operationOf } from '../http/outside.ts';
import { type PageContent, returning, sendPage } from '../http/page.ts';
import { pathOf as requestPath } from '../http/request-url.ts';
import { acceptJsonBodies } from '../http/server.ts';
import { asServiceError } from '../http/service-errors.ts';
import { waysOn } from '../http/shell.ts';
import type { Surface, Surfaces } from '../http/surfaces.ts';
import { FAULTS } from '../text/frame.ts';
import { registerAccount } from './account-routes.ts';
import { registerActivity } from './activity.ts';
import { registerFirstRun } from './first-run.ts';
import { acceptForms } from './form.ts';
import { registerInvitations } from './invitations.ts';
import { registerNotifications, registerPushDevices, registerUnsubscribing } from './notification-routes.ts';
import { registerOperator } from './operator.ts';
import { registerPasskeys } from './passkeys.ts';
import { registerPasswordResets } from './password-reset.ts';
import { registerSecondFactor } from './second-factor.ts';
import { registerSecurity } from './security-routes.ts';
import { registerAccountLists, registerSharedAccounts } from './shared-accounts.ts';
import { registerSignIn } from './sign-in-routes.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** The pages at which people sign in and manage their sign-in (docs/sign-in.md): plain HTML, outside `/v2`. */
export function registerWebPages(server: FastifyInstance, surfaces: Surfaces, options: WebOptions): void {
  const surface: Surface = {
    prefixes: [
      '/sign-in',
      '/sign-out',
      '/forgot-password',
      SECRET_PATHS.passwordReset,
      SECRET_PATHS.firstRun,
      SECRET_PATHS.invitation,
      SECRET_PATHS.unsubscribe,
      '/settings',
    ],
    answerMissing: (request, reply) =>
      sendPage(reply, 404, nothingHere(request, pathOf(options.appUrl, '/'))),
    answerError: (thrown, request, reply) => answerFault(thrown, request, reply, options),
  };
  surfaces.mount(server, surface, (scope) => {
    observedAs('pages', scope, options.metrics);
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
      registerNotifications(forms, options);
      registerActivity(forms, options);
      registerOperator(forms, options);
      registerSharedAccounts(forms, options);
    });
    scope.register(async (scripts) => {
      acceptJsonBodies(scripts);
      registerPasskeys(scripts, options);
    });
    scope.register(async (lists) => registerAccountLists(lists, options));
    scope.register(async (scripts) => {
      acceptJsonBodies(scripts);
      registerPushDevices(scripts, options);
    });
    scope.register(async (mails) => registerUnsubscribing(mails, options));
  });
}

const RETRY_SECONDS = 5;

const SECRETS = Object.values(SECRET_PATHS);

/** For an address that opens nothing: one with a secret may be truncated, used or long expired. */
function nothingHere(request: FastifyRequest, root: string): PageContent {
  const path = requestPath(request);
  if (!SECRETS.some((secret) => path.startsWith(secret))) return missingPage(request, root);
  const { title, text } = FAULTS.unknown;
  const { ways } = FAULTS.missing;
  return {
    title,
    home: root,
    secretAddress: true,
    body: html`<p>${text}</p>
${waysOn([
  [ways.home, root],
  [ways.documentation, `${root}docs/guides`],
  [ways.signIn, `${root}sign-in`],
])}`,
  };
}

/** Unexpected failures: an address that opens nothing, too many attempts, or a fault of ours. */
function answerFault(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { appUrl, failures }: Pick<WebOptions, 'appUrl' | 'failures'>,
): FastifyReply {
  const error = asServiceError(thrown);
  if (error.code === 'resource_missing') {
    return sendPage(reply, 404, nothingHere(request, pathOf(appUrl, '/')));
  }
  failures.note(error, request, operationOf(request));
  if (error.status === 429 || error.status >= 500) {
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? RETRY_SECONDS)));
  }
  if (error.code !== 'internal_error')
    return sendPage(reply, error.status, returning(failedPage(error.message), error, request));
  return sendPage(reply, 500, failedPage(FAULTS.ours(request.id)));
}

function failedPage(message: string): PageContent {
  return {
    title: FAULTS.title,
    body: html`<p role="alert">${message}</p><p>${FAULTS.again}</p>`,
    secretAddress: true,
  };
}
