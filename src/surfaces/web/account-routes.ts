import type { FastifyInstance, FastifyRequest } from 'fastify';
import { byCaller } from '../../features/audit/audit-log.ts';
import { requireManager } from '../../features/sign-in/members.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { AccountRecordChange } from '../../storage/account-records.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
import { parsePublicId } from '../../vocabulary/ids.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { sendOn, sendPage } from '../http/page.ts';
import { originOf } from '../http/request-url.ts';
import { ACCOUNT } from '../text/account.ts';
import { REMOVAL } from '../text/removal.ts';
import { accountPage, isAccountDone } from './account-page.ts';
import { audited } from './audit.ts';
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
    const done = await emailChanges.ask(signedIn, sent, originOf(request));
    return done === 'mailed' ? 'email_mailed' : 'email_changed';
  });

  const update = async (
    signedIn: SignedIn,
    request: FastifyRequest,
    change: AccountRecordChange,
  ): Promise<void> => {
    requireManager(signedIn.caller);
    await audited(options, signedIn, request, { kind: 'account_record.updated' }, () =>
      accountRecords.update(signedIn.caller.accountRecord.id, change),
    );
  };

  takes('/timezone', false, async (signedIn, request) => {
    await update(signedIn, request, { timezone: field(request, 'timezone') });
    return 'timezone_changed';
  });

  takes('/caching', false, async (signedIn, request) => {
    const caching = cachingIn(request);
    await update(signedIn, request, { caching });
    return caching ? 'caching_on' : 'caching_off';
  });

  takes('/account', false, async (signedIn, request) => {
    const owner = parsePublicId('account_record', field(request, 'account'));
    if (owner === null) throw missing('account record');
    const by = byCaller(signedIn.caller);
    const entry = { kind: 'session.moved', by, from: originOf(request) } as const;
    await options.auditLog.recording(
      owner,
      () => webSessions.moveTo(signedIn, owner),
      () => entry,
    );
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

  takes('', true, async (signedIn, request, reply) => {
    const { caller } = signedIn;
    requireManager(caller);
    const { id, email } = caller.accountRecord;
    if (normalisedEmail(field(request, 'confirm')) !== normalisedEmail(email)) {
      throw invalidParameter('confirm', REMOVAL.unconfirmed(email));
    }
    const event = { kind: 'account_record.deletion_requested' } as const;
    await audited(options, signedIn, request, event, () => accountRemoval.ask(id, caller.user)).catch(
      (error: unknown) => {
        // Somebody else asked at the same moment, and it is gone already.
        if (!(error instanceof ServiceError) || error.code !== 'resource_missing') throw error;
      },
    );
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
