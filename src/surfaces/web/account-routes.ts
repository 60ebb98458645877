import type { FastifyInstance, FastifyRequest } from 'fastify';
import { byCaller } from '../../features/audit/audit-log.ts';
import { requireManager } from '../../features/sign-in/members.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { AccountRecordChange } from '../../storage/account-records.ts';
import type { Member } from '../../storage/memberships.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
import { parsePublicId } from '../../vocabulary/ids.ts';
import type { PlanLimits } from '../../vocabulary/plans.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { type Html, html } from '../http/html.ts';
import { type PageContent, sendOn, sendPage } from '../http/page.ts';
import { originOf } from '../http/request-url.ts';
import { ACCOUNT, REMOVAL, REMOVED } from '../text/account.ts';
import { recordLabel } from '../text/frame.ts';
import { accountPage, isAccountDone, shownAccount } from './account-page.ts';
import { forgetIn } from './browser-session.ts';
import { registerConfirmEmail } from './confirm-email.ts';
import { registerExport } from './export.ts';
import { field } from './form.ts';
import { localPath } from './local-path.ts';
import { problem } from './page-parts.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import { audited } from './signed-in.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/settings`: the settings of the person and the account record, the export, and the deletion of everything. */
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

  takes('/name', false, async (signedIn, request) => {
    await update(signedIn, request, { name: field(request, 'name') });
    return 'name_changed';
  });

  takes('/timezone', false, async (signedIn, request) => {
    await update(signedIn, request, { timezone: field(request, 'timezone') });
    return 'timezone_changed';
  });

  takes('/caching', false, async (signedIn, request) => {
    const caching = cachingIn(request);
    await update(signedIn, request, { caching });
    return caching ? 'caching_on' : 'caching_off';
  });

  takes('/account', false, async (signedIn, request, reply) => {
    const owner = parsePublicId('account_record', field(request, 'account'));
    if (owner === null) throw missing('account record');
    const by = byCaller(signedIn.caller);
    const entry = { kind: 'session.moved', by, from: originOf(request) } as const;
    await options.auditLog.recording(
      owner,
      () => webSessions.moveTo(signedIn, owner),
      () => entry,
    );
    const next = localPath(field(request, 'next'));
    return next === null ? 'account_chosen' : sendOn(reply, next);
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
      const { accountRecord } = signedIn.caller;
      const { id, email } = accountRecord;
      const [used, sharing] = await Promise.all([accountRecords.usage(id), members.list(id)]);
      const settings = pathOf(appUrl, '/settings');
      return {
        ...removalPage({
          page,
          settings,
          email,
          label: recordLabel(accountRecord),
          used,
          members: sharing,
          days,
          problem,
        }),
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
        // A concurrent request has already deleted it.
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

interface Shown {
  readonly page: string;
  /** The page that leads here. */
  readonly settings: string;
  readonly email: string;
  /** E-mail address and name. */
  readonly label: Html;
  readonly used: PlanLimits;
  readonly members: readonly Member[];
  /** How long to wait for vendors that do not answer. */
  readonly days: number;
  readonly problem: string | null;
}

/** What the deletion of the account record does, and the form that does it. */
function removalPage(shown: Shown): PageContent {
  const { used, members, email } = shown;
  const download = html`<a href="${shown.settings}/export" download>${REMOVAL.download}</a>`;
  return {
    title: REMOVAL.title,
    secretAddress: false,
    body: html`
${problem(shown.problem)}
<section class="card dangerous">
<h2>${REMOVAL.deleted}</h2>
<ul>
<li>${REMOVAL.record(shown.label)}</li>
<li>${REMOVAL.connections(used.connections, used.accounts)}</li>
<li>${REMOVAL.syncs(used.syncs, used.destinations)}</li>
<li>${REMOVAL.access}</li>
<li>${REMOVAL.members(members.map((member) => member.email))}</li>
</ul>
<h2>${REMOVAL.stays}</h2>
<ul>
<li>${REMOVAL.rows}</li>
<li>${REMOVAL.banks}</li>
</ul>
<h2>${REMOVAL.when}</h2>
<p>${REMOVAL.atOnce(shown.days)} ${REMOVAL.downloadFirst(download)}</p>
<form method="post" action="${shown.page}">
<label for="confirm">${REMOVAL.confirm(email)}</label>
<input id="confirm" name="confirm" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="254">
<div class="actions"><button class="danger">${REMOVAL.submit}</button> <a class="button" href="${shown.settings}">${REMOVAL.keep}</a></div>
</form>
</section>`,
  };
}

/** For a person who has just done it, and is signed out. */
function removedPage(signIn: string, days: number): PageContent {
  return {
    title: REMOVED.title,
    secretAddress: false,
    body: html`<p role="status">${REMOVED.closed}</p>
<p>${REMOVED.withdrawing(days)}</p>
<p>${REMOVED.nothingToDo}</p>
<p>${REMOVED.others(html`<a href="${signIn}">${REMOVED.signIn}</a>`)}</p>`,
  };
}
