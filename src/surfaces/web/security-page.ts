import type { Member } from '../../storage/memberships.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { MEMBER_ROLE_NAMES, MEMBER_ROLES, type MemberRole } from '../../vocabulary/member-roles.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { momentText, shownDay, shownMoment } from '../http/shown-time.ts';
import { chosenPassword, problem } from './chosen-password.ts';
import { card, rowForm } from './settings-parts.ts';
import type { ShownSecurity } from './shown-security.ts';

const DONE = {
  password_changed: 'The password is changed, and you are signed out everywhere else.',
  passkey_added: 'The passkey is added.',
  passkey_removed: 'The passkey is removed.',
  app_disconnected: 'The app is disconnected.',
  session_ended: 'That browser is signed out.',
  invitation_revoked: 'The invitation is revoked.',
  role_changed: 'The role is changed.',
  member_removed:
    'The member is removed. API keys, setup tokens and event destinations stay, since they belong to the account record: replace those that the member knows.',
} as const;

export type SecurityDone = keyof typeof DONE;

export function isDone(text: string): text is SecurityDone {
  return Object.hasOwn(DONE, text);
}

type Shown = ShownSecurity & {
  readonly page: string;
  readonly problem: string | null;
  readonly done: SecurityDone | null;
};

export function securityPage(shown: Shown): PageContent {
  const { email, signedIn, done, signOut, script, passkeys } = shown;
  return {
    title: 'Security',
    ...(passkeys !== null && { script }),
    body: html`
${problem(shown.problem)}
${done === null ? html`` : html`<p role="status">${DONE[done]}</p>`}
<p>Signed in as ${email}, ${signedIn.caller.role} of the account of ${signedIn.caller.accountRecord.email}.</p>
<form method="post" action="${signOut}"><button>Sign out</button></form>
${passwordPart(shown)}
${passkeyPart(shown)}
${sessionPart(shown)}
${appPart(shown)}
${memberPart(shown)}
${invitationPart(shown)}`,
  };
}

function passwordPart({ email, page }: Shown): Html {
  return card(
    'Password',
    html`<form method="post" action="${page}/password">
<input hidden type="text" name="username" autocomplete="username" value="${email}">
<label for="current">Current password</label>
<input id="current" name="current" type="password" autocomplete="current-password" required maxlength="200">
${chosenPassword('New password')}
<div class="actions"><button>Change the password</button></div>
</form>`,
  );
}

function passkeyPart({ passkeys, signedIn, page }: Shown): Html {
  if (passkeys === null) return html``;
  const { timezone } = signedIn.caller.accountRecord;
  return card(
    'Passkeys',
    html`<p>A passkey signs you in with your fingerprint, face or PIN, and nobody can steal it from here.</p>
<ul class="lines">${passkeys.map(
      (one) =>
        html`<li><span>${one.name}, added ${shownDay(one.created, timezone)}${
          one.last_used_at === null ? html`` : html`, last used ${shownDay(one.last_used_at, timezone)}`
        }</span> ${rowForm(`${page}/passkeys/${publicId('passkey', one.id)}/remove`, 'Remove', one.name)}</li>`,
    )}</ul>
<div hidden data-passkey="create" data-options="${page}/passkeys/options" data-verify="${page}/passkeys">
<label for="passkey-name">Name of a new passkey</label>
<input id="passkey-name" maxlength="100" autocomplete="off">
<div class="actions"><button type="button">Add a passkey</button></div>
<p role="status"></p>
</div>`,
  );
}

function sessionPart({ sessions, signedIn, page }: Shown): Html {
  const { timezone } = signedIn.caller.accountRecord;
  return card(
    'Where you are signed in',
    html`<ul class="lines">${sessions.map((one) => {
      const since = html`signed in ${shownMoment(one.created, timezone)}, last seen ${shownMoment(one.last_seen_at, timezone)}`;
      return one.id === signedIn.session
        ? html`<li><span>This browser${one.browser === null ? '' : ` (${one.browser})`}, ${since}</span></li>`
        : html`<li><span>${one.browser ?? 'Another browser'}, ${since}</span> ${rowForm(
            `${page}/sessions/${publicId('web_session', one.id)}/end`,
            'Sign out',
            `${one.browser === null ? '' : `${one.browser}, `}signed in ${momentText(one.created, timezone)}, last seen ${momentText(one.last_seen_at, timezone)}`,
          )}</li>`;
    })}</ul>
<form method="post" action="${page}/sessions/end-all"><button>Sign out everywhere</button></form>`,
  );
}

function appPart({ apps, signedIn, page }: Shown): Html {
  const { timezone } = signedIn.caller.accountRecord;
  return card(
    'Apps you connected',
    apps.length === 0
      ? html`<p class="hint">You have let no app in to this account record.</p>`
      : html`<ul class="lines">${apps.map((app) => {
          const name = app.client_name ?? app.redirect_to;
          return html`<li><span>${name} (${app.redirect_to}), since ${shownDay(app.created, timezone)}</span> ${rowForm(
            `${page}/apps/${publicId('oauth_grant', app.id)}/disconnect`,
            'Disconnect',
            name,
          )}</li>`;
        })}</ul>`,
  );
}

function memberPart({ members, signedIn, page }: Shown): Html {
  const { manages } = MEMBER_ROLES[signedIn.caller.role];
  return card(
    'Members',
    html`<ul class="lines">${members.map(
      (member) =>
        html`<li><span>${member.email}, ${member.role}</span>${manages ? memberForms(member, page) : html``}</li>`,
    )}</ul>`,
  );
}

function memberForms({ user_id: user, email, role }: Member, page: string): Html {
  const address = `${page}/members/${publicId('user', user)}`;
  const others = MEMBER_ROLE_NAMES.filter((other) => other !== role);
  return html`${others.map(
    (other) => html` ${rowForm(`${address}/role`, `Make ${other}`, email, { role: other })}`,
  )} ${rowForm(`${address}/remove`, 'Remove', email)}`;
}

function invitationPart({ invitations, signedIn, page }: Shown): Html {
  if (invitations === null) return html``;
  const { timezone } = signedIn.caller.accountRecord;
  const option = (role: MemberRole): Html => html`<option value="${role}">${role}</option>`;
  return card(
    'Invitations',
    html`<ul class="lines">${invitations.map(
      (one) =>
        html`<li><span>${one.email}, ${one.role}, until ${shownMoment(one.expires_at, timezone)}</span> ${rowForm(
          `${page}/invitations/${publicId('invitation', one.id)}/revoke`,
          'Revoke',
          one.email,
        )}</li>`,
    )}</ul>
<form method="post" action="${page}/invitations">
<label for="invited">E-mail address</label>
<input id="invited" name="email" type="email" autocomplete="off" required maxlength="254">
<label for="role">Role</label>
<select id="role" name="role">${MEMBER_ROLE_NAMES.toReversed().map(option)}</select>
<div class="actions"><button>Invite</button></div>
</form>`,
  );
}
