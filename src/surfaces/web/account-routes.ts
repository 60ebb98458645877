import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireManager } from '../../features/sign-in/members.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
import { parsePublicId } from '../../vocabulary/ids.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { sendOn, sendPage } from '../http/page.ts';
import { ACCOUNT } from '../text/account.ts';
import { REMOVAL } from '../text/removal.ts';
import { accountPage, isAccountDone } from './account-page.ts';
import { registerConfirmEmail } from './confirm-email-routes.ts';
import { forgetIn } from './cookies.ts';
import { registerExport } from './export-routes.ts';
import { field } from './form.ts';
import { removalPage, removedPage } from './removal-page.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import { shownAccount } from './shown-account.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/settings`: what a person and an account record are to the service, the export, and the deletion of everything. */
export function registerAccount(scope: FastifyInstance, options: WebOptions): void {
  const { accountRecords, emailChanges, webSessions } = options;
  const { takes } = registerSettingsPage(scope, options, {
    path: '/settings',
    isDone: isAccountDone,
    content: async (signedIn, page, notice) => ({
      ...accountPage({ ...(await shownAccount(options, signedIn)), page, ...notice }),
      ...(await settingsFrame(options, '/settings', signedIn)),
    }),
  });

  takes('/email', true, async (signedIn, request) => {
    const sent = { email: field(request, 'email'), current: field(request, 'current') };
    const done = await emailChanges.ask(signedIn, sent, request.ip);
    return done === 'mailed' ? 'email_mailed' : 'email_changed';
  });

  takes('/timezone', false, async ({ caller }, request) => {
    requireManager(caller);
    await accountRecords.update(caller.accountRecord.id, { timezone: field(request, 'timezone') });
    return 'timezone_changed';
  });

  takes('/caching', false, async ({ caller }, request) => {
    requireManager(caller);
    const caching = cachingIn(request);
    await accountRecords.update(caller.accountRecord.id, { caching });
    return caching ? 'caching_on' : 'caching_off';
  });

  takes('/account', false, async (signedIn, request) => {
    const owner = parsePublicId('account_record', field(request, 'account'));
    if (owner === null) throw missing('account record');
    await webSessions.moveTo(signedIn, owner);
    return 'account_chosen';
  });

  registerConfirmEmail(scope, options);
  registerExport(scope, options);
  registerRemoval(scope, options);
}

/** `/settings/delete`, and where it leads. */
function registerRemoval(scope: FastifyInstance, options: WebOptions): void {
  const { accountRecords, accountRemoval, appUrl, limits, members } = options;
  const days = limits.account_removal_days;
  const { takes } = registerSettingsPage(scope, options, {
    path: '/settings/delete',
    isDone: (_text): _text is never => false,
    fresh: true,
    content: async (signedIn, page, { problem }) => {
      requireManager(signedIn.caller);
      const { id, email } = signedIn.caller.accountRecord;
      const [used, sharing] = await Promise.all([accountRecords.usage(id), members.list(id)]);
      const settings = pathOf(appUrl, '/settings');
      return {
        ...removalPage({ page, settings, email, used, members: sharing, days, problem }),
        ...(await settingsFrame(options, '/settings', signedIn)),
      };
    },
  });

  takes('', true, async ({ caller }, request, reply) => {
    requireManager(caller);
    const { id, email } = caller.accountRecord;
    if (normalisedEmail(field(request, 'confirm')) !== normalisedEmail(email)) {
      throw invalidParameter('confirm', REMOVAL.unconfirmed(email));
    }
    await accountRemoval.ask(id, caller.user);
    forgetIn(reply, options);
    return sendOn(reply, pathOf(appUrl, '/settings/deleted'));
  });

  scope.get('/settings/deleted', async (_request, reply) =>
    sendPage(reply, 200, removedPage(pathOf(appUrl, '/sign-in'), days)),
  );
}

function cachingIn(request: FastifyRequest): boolean {
  const choice = field(request, 'caching');
  if (choice === 'on' || choice === 'off') return choice === 'on';
  throw invalidParameter('caching', ACCOUNT.caching.invalid);
}
