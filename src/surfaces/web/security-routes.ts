import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireManager } from '../../features/sign-in/members.ts';
import type { Invitation } from '../../storage/invitations.ts';
import { parsePublicId, publicId, type ResourceType, type RowId } from '../../vocabulary/ids.ts';
import { isMemberRole, type MemberRole } from '../../vocabulary/member-roles.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { html } from '../http/html.ts';
import { type PageContent, sendOn, sendPage } from '../http/page.ts';
import { originOf, partOf, queryOf } from '../http/request-url.ts';
import { shownMoment } from '../http/shown-time.ts';
import { INVITED } from '../text/invitations.ts';
import { SECURITY } from '../text/security.ts';
import { forgetIn } from './browser-session.ts';
import { field } from './form.ts';
import { isDone, removingPage, securityPage, shownSecurity } from './security-page.ts';
import { registerSettingsPage } from './settings-forms.ts';
import { settingsFrame } from './settings-nav.ts';
import { audited } from './signed-in.ts';
import { pathOf, type WebOptions } from './web-options.ts';

/** `/settings/security`: password, passkeys, sessions, connected apps, members and invitations. */
export function registerSecurity(scope: FastifyInstance, options: WebOptions): void {
  const { appUrl, webSessions, passwords, passkeys, members, invitations, linkAddresses } = options;
  const page = pathOf(appUrl, '/settings/security');
  const { takes } = registerSettingsPage(scope, options, {
    path: '/settings/security',
    isDone,
    content: async (signedIn, address, notice, request) => ({
      ...securityPage({
        ...(await shownSecurity(options, signedIn)),
        page: address,
        typed: queryOf(request),
        ...notice,
      }),
      ...(await settingsFrame(options, '/settings/security', signedIn)),
    }),
  });

  takes('/password', false, async (signedIn, request) => {
    const sent = { current: field(request, 'current'), chosen: field(request, 'password') };
    await passwords.change(signedIn, sent, originOf(request));
    return 'password_changed';
  });

  takes('/passkeys/:id/remove', true, async (signedIn, request) => {
    const id = idOf(request, 'passkey');
    const event = { kind: 'passkey.removed', target: publicId('passkey', id) } as const;
    await audited(options, signedIn, request, event, () => passkeys.remove(signedIn.caller.user, id));
    return 'passkey_removed';
  });

  takes('/apps/:id/disconnect', false, async (signedIn, request) => {
    const id = idOf(request, 'oauth_grant');
    const { accountRecord, user } = signedIn.caller;
    const event = { kind: 'connected_app.revoked', target: publicId('oauth_grant', id) } as const;
    await audited(options, signedIn, request, event, () =>
      options.connectedApps.revokeOwn(accountRecord.id, user, id),
    );
    return 'app_disconnected';
  });

  takes('/sessions/:id/end', false, async (signedIn, request) => {
    const id = idOf(request, 'web_session');
    const event = { kind: 'session.ended', target: publicId('web_session', id) } as const;
    await audited(options, signedIn, request, event, () => webSessions.end(signedIn.caller.user, [id]));
    return 'session_ended';
  });

  takes('/sessions/end-all', false, async (signedIn, request, reply) => {
    const event = { kind: 'session.ended' } as const;
    await audited(options, signedIn, request, event, () => webSessions.endAll(signedIn.caller.user, null));
    forgetIn(reply, options);
    return sendOn(reply, `${pathOf(appUrl, '/sign-in')}?notice=signed_out`);
  });

  takes(
    '/invitations',
    true,
    async ({ caller }, request, reply) => {
      requireManager(caller);
      const invited = {
        email: field(request, 'email'),
        role: roleIn(request),
        by: caller.user,
        from: originOf(request),
      };
      const { invitation, secret } = await invitations.create(caller.accountRecord.id, invited);
      // A link that the inviter could open would not prove who reads the mail.
      const address = invitations.mailed ? null : linkAddresses.invitation(secret);
      const { timezone } = caller.accountRecord;
      return sendPage(reply, 200, invitedPage({ invitation, address, page, timezone }));
    },
    ['email', 'role'],
  );

  takes('/invitations/:id/revoke', false, async (signedIn, request) => {
    requireManager(signedIn.caller);
    const id = idOf(request, 'invitation');
    const event = { kind: 'invitation.revoked', target: publicId('invitation', id) } as const;
    await audited(options, signedIn, request, event, () =>
      invitations.revoke(signedIn.caller.accountRecord.id, id),
    );
    return 'invitation_revoked';
  });

  takes('/members/:id/role', true, async (signedIn, request) => {
    requireManager(signedIn.caller);
    const id = idOf(request, 'user');
    const event = { kind: 'member.role_changed', target: publicId('user', id) } as const;
    await audited(options, signedIn, request, event, () =>
      members.changeRole(signedIn.caller.accountRecord.id, id, roleIn(request)),
    );
    return 'role_changed';
  });

  registerSettingsPage(scope, options, {
    path: '/settings/security/remove-member',
    isDone: (_text): _text is never => false,
    allow: async ({ caller }) => requireManager(caller),
    content: async (signedIn, _address, _notice, request) => {
      const id = parsePublicId('user', queryOf(request).member ?? '');
      const member = (await members.list(signedIn.caller.accountRecord.id)).find(
        ({ user_id: user }) => user === id,
      );
      if (member === undefined) throw missing('member');
      return {
        ...removingPage(member, signedIn, page),
        ...(await settingsFrame(options, '/settings/security', signedIn)),
      };
    },
  });

  takes('/members/:id/remove', true, async (signedIn, request) => {
    requireManager(signedIn.caller);
    const id = idOf(request, 'user');
    const event = { kind: 'member.removed', target: publicId('user', id) } as const;
    await audited(options, signedIn, request, event, () =>
      members.remove(signedIn.caller.accountRecord.id, id),
    );
    return 'member_removed';
  });
}

/** Raises `resource_missing` for a text that is not an id of this resource. */
function idOf<N extends ResourceType>(request: FastifyRequest, resource: N): RowId<N> {
  const id = parsePublicId(resource, partOf(request, 'id'));
  if (id === null) throw missing(resource);
  return id;
}

function roleIn(request: FastifyRequest): MemberRole {
  const role = field(request, 'role');
  if (isMemberRole(role)) return role;
  throw invalidParameter('role', SECURITY.members.noRole);
}

/** Shows the link of a new invitation, only once because it is not stored; or says that it was mailed. */
function invitedPage(shown: {
  readonly invitation: Invitation;
  /** The page that accepts it; null if only the invited person may see it. */
  readonly address: string | null;
  readonly page: string;
  /** The time zone of the inviting account record, since the invited person has none yet. */
  readonly timezone: string;
}): PageContent {
  const { invitation, address, page, timezone } = shown;
  const said = address === null ? INVITED.mailed : INVITED.made;
  return {
    title: INVITED.title,
    secretAddress: false,
    body: html`
<p role="status">${said(invitation.email, invitation.role)}</p>
${
  address === null
    ? html`<p>${INVITED.mailedText}</p>`
    : html`<label for="link">${INVITED.link}</label>
<input id="link" readonly value="${address}">`
}
<p>${INVITED.ends(shownMoment(invitation.expires_at, timezone))}</p>
<div class="actions"><a class="button main" href="${page}">${INVITED.back}</a></div>`,
  };
}
