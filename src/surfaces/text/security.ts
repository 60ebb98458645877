import { type Html, html } from '../http/html.ts';

export const SECURITY = {
  title: 'Security',
  done: {
    password_changed: 'The password is changed, and you are signed out everywhere else.',
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
    text: 'A passkey signs you in with your fingerprint, face or PIN, and nobody can steal it from here.',
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
    /** The same for an attribute, which holds no markup. */
    sinceText: (began: string, seen: string) => `signed in ${began}, last seen ${seen}`,
    session: (browser: string, since: Html): Html => html`${browser}, ${since}`,
    sessionText: (browser: string, since: string) => `${browser}, ${since}`,
    end: 'Sign out',
    endAll: 'Sign out everywhere',
  },
  apps: {
    title: 'Apps you connected',
    none: 'You have let no app in to this account record.',
    since: (name: string, place: string, day: Html): Html => html`${name} (${place}), since ${day}`,
    disconnect: 'Disconnect',
  },
  members: {
    title: 'Members',
    member: (email: string, role: string) => `${email}, ${role}`,
    make: (role: string) => `Make ${role}`,
    remove: 'Remove',
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
