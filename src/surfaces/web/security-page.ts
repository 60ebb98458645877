import type { SecondFactorState } from '../../features/sign-in/second-factors.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { Invitation } from '../../storage/invitations.ts';
import type { Member } from '../../storage/memberships.ts';
import type { OAuthGrant } from '../../storage/oauth-grants.ts';
import type { Passkey } from '../../storage/passkeys.ts';
import type { WebSession } from '../../storage/web-sessions.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { MEMBER_ROLE_NAMES, MEMBER_ROLES, type MemberRole } from '../../vocabulary/member-roles.ts';
import { type Html, html } from '../http/html.ts';
import type { PageContent } from '../http/page.ts';
import { momentText, shownDay, shownMoment } from '../http/shown-time.ts';
import { SETTINGS } from '../text/account.ts';
import { recordLabel } from '../text/frame.ts';
import { SECURITY } from '../text/security.ts';
import { card, chosenPassword, problem, rowForm } from './page-parts.ts';
import { pathOf, type WebOptions } from './web-options.ts';

export type SecurityDone = keyof typeof SECURITY.done;

export function isDone(text: string): text is SecurityDone {
  return Object.hasOwn(SECURITY.done, text);
}

type Shown = ShownSecurity & {
  readonly page: string;
  /** What was typed into the form for invitations before the person had to sign in again. */
  readonly typed: Readonly<Record<string, string>>;
  readonly problem: string | null;
  readonly done: SecurityDone | null;
};

export function securityPage(shown: Shown): PageContent {
  const { email, signedIn, done, signOut, script, passkeys } = shown;
  const { role, accountRecord } = signedIn.caller;
  return {
    title: SECURITY.title,
    secretAddress: false,
    ...(passkeys !== null && { script }),
    body: html`
${problem(shown.problem)}
${done === null ? html`` : html`<p role="status">${SECURITY.done[done]}</p>`}
<p>${SETTINGS.signedInAs(email, role, recordLabel(accountRecord))}</p>
<form method="post" action="${signOut}"><button>${SECURITY.signOut}</button></form>
${passwordPart(shown)}
${secondFactorPart(shown)}
${passkeyPart(shown)}
${sessionPart(shown)}
${appPart(shown)}
${memberPart(shown)}
${invitationPart(shown)}`,
  };
}

function passwordPart({ email, page }: Shown): Html {
  return card(
    SECURITY.password.title,
    html`<form method="post" action="${page}/password">
<input hidden type="text" name="username" autocomplete="username" value="${email}">
<label for="current">${SECURITY.password.current}</label>
<input id="current" name="current" type="password" autocomplete="current-password" required maxlength="200">
${chosenPassword(SECURITY.password.chosen)}
<div class="actions"><button>${SECURITY.password.submit}</button></div>
</form>`,
  );
}

function secondFactorPart({ secondFactor: { since, recoveryCodes }, signedIn, page }: Shown): Html {
  const text = SECURITY.secondFactor;
  const { timezone } = signedIn.caller.accountRecord;
  return card(
    text.title,
    html`<p>${since === null ? text.off : text.on(shownDay(since, timezone), recoveryCodes)}</p>
<div class="actions"><a class="button" href="${page}/second-factor">${since === null ? text.turnOn : text.change}</a></div>`,
  );
}

function passkeyPart({ passkeys, signedIn, page }: Shown): Html {
  if (passkeys === null) return html``;
  const { timezone } = signedIn.caller.accountRecord;
  const text = SECURITY.passkeys;
  return card(
    text.title,
    html`<p>${text.text}</p>
<ul class="lines">${passkeys.map(
      (one) =>
        html`<li><span>${
          one.last_used_at === null
            ? text.added(one.name, shownDay(one.created, timezone))
            : text.used(one.name, shownDay(one.created, timezone), shownDay(one.last_used_at, timezone))
        }</span> ${rowForm(`${page}/passkeys/${publicId('passkey', one.id)}/remove`, text.remove, one.name)}</li>`,
    )}</ul>
<div hidden data-passkey="create" data-options="${page}/passkeys/options" data-verify="${page}/passkeys">
<label for="passkey-name">${text.name}</label>
<input id="passkey-name" maxlength="100" autocomplete="off">
<div class="actions"><button type="button">${text.submit}</button></div>
<p role="status"></p>
</div>`,
  );
}

function sessionPart({ sessions, signedIn, page }: Shown): Html {
  const { timezone } = signedIn.caller.accountRecord;
  const text = SECURITY.sessions;
  return card(
    text.title,
    html`<ul class="lines">${sessions.map((one) => {
      const [began, seen] = [one.created, one.last_seen_at];
      const since = text.since(shownMoment(began, timezone), shownMoment(seen, timezone));
      const sinceText = text.sinceText(momentText(began, timezone), momentText(seen, timezone));
      return one.id === signedIn.session
        ? html`<li><span>${text.session(one.browser === null ? text.here : text.hereNamed(one.browser), since)}</span></li>`
        : html`<li><span>${text.session(one.browser ?? text.another, since)}</span> ${rowForm(
            `${page}/sessions/${publicId('web_session', one.id)}/end`,
            text.end,
            one.browser === null ? sinceText : text.sessionText(one.browser, sinceText),
          )}</li>`;
    })}</ul>
<form method="post" action="${page}/sessions/end-all"><button>${text.endAll}</button></form>`,
  );
}

function appPart({ apps, signedIn, page }: Shown): Html {
  const { timezone } = signedIn.caller.accountRecord;
  const text = SECURITY.apps;
  return card(
    text.title,
    apps.length === 0
      ? html`<p class="hint">${text.none}</p>`
      : html`<ul class="lines">${apps.map((app) => {
          const name = app.client_name ?? app.redirect_to;
          return html`<li><span>${text.since(name, app.redirect_to, shownDay(app.created, timezone))}</span> ${rowForm(
            `${page}/apps/${publicId('oauth_grant', app.id)}/disconnect`,
            text.disconnect,
            name,
          )}</li>`;
        })}</ul>`,
  );
}

function memberPart({ members, signedIn, page }: Shown): Html {
  const { manages } = MEMBER_ROLES[signedIn.caller.role];
  return card(
    SECURITY.members.title,
    html`<ul class="lines">${members.map(
      (member) =>
        html`<li><span>${SECURITY.members.member(member.email, member.role)}</span>${manages ? memberForms(member, page) : html``}</li>`,
    )}</ul>`,
  );
}

function memberForms({ user_id: user, email, role }: Member, page: string): Html {
  const address = `${page}/members/${publicId('user', user)}`;
  const others = MEMBER_ROLE_NAMES.filter((other) => other !== role);
  return html`${others.map(
    (other) => html` ${rowForm(`${address}/role`, SECURITY.members.make(other), email, { role: other })}`,
  )} <a class="button" href="${page}/remove-member?member=${publicId('user', user)}" aria-label="${SECURITY.members.remove}: ${email}">${SECURITY.members.remove}</a>`;
}

function invitationPart({ invitations, signedIn, page, typed }: Shown): Html {
  if (invitations === null) return html``;
  const { timezone } = signedIn.caller.accountRecord;
  const option = (role: MemberRole): Html =>
    html`<option value="${role}"${role === typed.role ? html` selected` : html``}>${role}</option>`;
  const text = SECURITY.invitations;
  return card(
    text.title,
    html`<ul class="lines">${invitations.map(
      (one) =>
        html`<li><span>${text.open(one.email, one.role, shownMoment(one.expires_at, timezone))}</span> ${rowForm(
          `${page}/invitations/${publicId('invitation', one.id)}/revoke`,
          text.revoke,
          one.email,
        )}</li>`,
    )}</ul>
<form method="post" action="${page}/invitations">
<label for="invited">${text.email}</label>
<input id="invited" name="email" type="email" autocomplete="off" required maxlength="254" value="${typed.email ?? ''}">
<label for="role">${text.role}</label>
<select id="role" name="role">${MEMBER_ROLE_NAMES.toReversed().map(option)}</select>
<div class="actions"><button>${text.submit}</button></div>
</form>`,
  );
}

/** Asks before a member is removed, and says what ends with it. */
export function removingPage(
  { user_id: user, email }: Member,
  { caller }: SignedIn,
  page: string,
): Pick<PageContent, 'title' | 'secretAddress' | 'body'> {
  const text = SECURITY.members.removing;
  return {
    title: text.title,
    secretAddress: false,
    body: card(
      text.title,
      html`<p>${text.question(email, recordLabel(caller.accountRecord))}</p>
${user === caller.user ? html`<p><strong>${text.self}</strong></p>` : html``}
<ul>${text.ends.map((one) => html`<li>${one}</li>`)}</ul>
<p>${text.stays}</p>
<form method="post" action="${page}/members/${publicId('user', user)}/remove">
<div class="actions"><button class="main">${text.confirm(email)}</button> <a class="button" href="${page}">${text.keep}</a></div>
</form>`,
    ),
  };
}

/** Everything that `/settings/security` shows to one person. */
interface ShownSecurity {
  readonly email: string;
  readonly signedIn: SignedIn;
  /** Null if passkeys are not available for this service. */
  readonly passkeys: readonly Passkey[] | null;
  readonly secondFactor: SecondFactorState;
  readonly sessions: readonly WebSession[];
  /** The apps that the person connected to this account record. */
  readonly apps: readonly OAuthGrant[];
  readonly members: readonly Member[];
  /** Null for a member who may not manage members. */
  readonly invitations: readonly Invitation[] | null;
  readonly signOut: string;
  readonly script: string;
}

export async function shownSecurity(options: WebOptions, signedIn: SignedIn): Promise<ShownSecurity> {
  const { appUrl } = options;
  const { user, role, accountRecord } = signedIn.caller;
  const [person, secondFactor, sessions, apps, passkeys, members, invitations] = await Promise.all([
    options.members.person(user),
    options.secondFactors.state(user),
    options.webSessions.list(user),
    options.connectedApps.ofPerson(accountRecord.id, user),
    options.passkeys.list(user),
    options.members.list(accountRecord.id),
    MEMBER_ROLES[role].manages ? options.invitations.list(accountRecord.id) : null,
  ]);
  return {
    email: person.email,
    signedIn,
    passkeys: options.passkeys.offered ? passkeys : null,
    secondFactor,
    sessions,
    apps,
    members,
    invitations,
    signOut: pathOf(appUrl, '/sign-out'),
    script: pathOf(appUrl, '/sign-in/passkeys.js'),
  };
}
