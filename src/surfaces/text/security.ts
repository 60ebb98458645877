import { AUDIT_KINDS, type AuditDetail, type AuditKind } from '../../vocabulary/audit-kinds.ts';
import { type Html, html } from '../http/html.ts';

export const SECURITY = {
  title: 'Security',
  done: {
    password_changed:
      'The password is changed, and you are signed out everywhere else. Browsers that received notifications have to be added again.',
    second_factor_disabled: 'The second factor is off.',
    passkey_added: 'The passkey is added.',
    passkey_removed: 'The passkey is removed.',
    app_disconnected: 'The app is disconnected.',
    session_ended: 'That browser is signed out.',
    invitation_revoked: 'The invitation is revoked.',
    role_changed: 'The role is changed.',
    member_removed:
      'The member is removed. API keys, setup tokens and event destinations stay, since they belong to the account record: replace those that the member knows.',
  },
  signOut: 'Sign out',
  password: {
    title: 'Password',
    current: 'Current password',
    chosen: 'New password',
    submit: 'Change the password',
  },
  secondFactor: {
    title: 'Second factor',
    off: 'A code from an authenticator app in addition to your password, so that the password alone is not enough to sign in. A passkey counts as both.',
    on: (day: Html, codes: number): Html => html`On since ${day}, with ${String(codes)} recovery codes left.`,
    turnOn: 'Turn it on',
    change: 'Change',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'A passkey signs you in with your fingerprint, face or PIN, and it cannot be stolen from here.',
    added: (name: string, day: Html): Html => html`${name}, added ${day}`,
    used: (name: string, added: Html, used: Html): Html => html`${name}, added ${added}, last used ${used}`,
    remove: 'Remove',
    name: 'Name of a new passkey',
    submit: 'Add a passkey',
  },
  sessions: {
    title: 'Where you are signed in',
    here: 'This browser',
    hereNamed: (browser: string) => `This browser (${browser})`,
    another: 'Another browser',
    since: (began: Html, seen: Html): Html => html`signed in ${began}, last seen ${seen}`,
    /** The same for an attribute, which has no markup. */
    sinceText: (began: string, seen: string) => `signed in ${began}, last seen ${seen}`,
    session: (browser: string, since: Html): Html => html`${browser}, ${since}`,
    sessionText: (browser: string, since: string) => `${browser}, ${since}`,
    end: 'Sign out',
    endAll: 'Sign out everywhere',
  },
  apps: {
    title: 'Apps you connected',
    none: 'You have connected no app to this account record.',
    since: (name: string, place: string, day: Html): Html => html`${name} (${place}), since ${day}`,
    disconnect: 'Disconnect',
  },
  members: {
    title: 'Members',
    member: (email: string, role: string) => `${email}, ${role}`,
    make: (role: string) => `Make ${role}`,
    remove: 'Remove',
    removing: {
      title: 'Remove a member?',
      question: (email: string, record: Html): Html => html`Remove <strong>${email}</strong> from ${record}?`,
      ends: [
        'They can no longer see or change anything of this account record, in any browser, at once.',
        'The apps that they connected to it are disconnected.',
        'Invitations that they sent and no one has accepted yet end.',
      ],
      stays:
        'Their sign-in and their other account records stay. So do API keys, setup tokens and event destinations that they created here, since those belong to the account record: replace those that they know.',
      self: 'This is you: you lose this account record yourself.',
      confirm: (email: string) => `Remove ${email}`,
      keep: 'Keep this member',
    },
    noRole: 'Choose a role.',
  },
  invitations: {
    title: 'Invitations',
    open: (email: string, role: string, until: Html): Html => html`${email}, ${role}, until ${until}`,
    revoke: 'Revoke',
    email: 'E-mail address',
    role: 'Role',
    submit: 'Invite',
  },
} as const;

const DETAILS: Readonly<Record<AuditDetail, string>> = {
  password: 'with a password',
  second_factor: 'with a password and a code',
  recovery_code: 'with a password and a recovery code',
  passkey: 'with a passkey',
  invitation: 'with an invitation',
  first_run: 'with the link for the first person',
};

export const ACTIVITY = {
  title: 'Activity',
  text: (days: number) =>
    `Who changed the access to this account record, and from where. Events are kept for ${days} days; none of them contains financial data.`,
  none: 'Nothing has been recorded yet.',
  happened: (kind: AuditKind, detail: AuditDetail | null): string => {
    const { text } = AUDIT_KINDS[kind];
    return detail === null ? text : `${text} ${DETAILS[detail]}`;
  },
  /** A person or a program, and where the request came from. */
  by: (name: string, browser: string | null, network: string): string =>
    [name, browser, network].filter((part) => part !== null && part !== '').join(', '),
  /** What was acted on: what it is called now, and its id, by which it is found if it is gone. */
  target: (id: string, known: { readonly name: string | null; readonly ended: boolean } | null): Html => {
    const code = html`<code>${id}</code>`;
    if (known === null) return code;
    const named = known.name === null ? code : html`<bdi>${known.name}</bdi> (${code})`;
    return known.ended ? html`${named}, since deleted or removed` : named;
  },
  operator: 'The operator',
  operatorNamed: (name: string) => `${name} as operator`,
  key: (name: string) => `API key “${name}”`,
  app: (name: string) => `App “${name}”`,
  unknown: 'Unknown',
  service: 'The service',
  times: (count: number, last: Html): Html => html`${String(count)} times, last ${last}`,
  older: 'Older',
  newest: 'Newest',
} as const;
