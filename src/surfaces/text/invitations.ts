import { type Html, html } from '../http/html.ts';

/** For the person who is invited. */
export const INVITATION = {
  title: 'You are invited',
  accountOf: 'Account record',
  invited: 'Invited',
  role: 'Role',
  /** What each role means, for the person who is about to have it. */
  roles: {
    owner: 'You may see and change everything, and invite others.',
    reader: 'You may see everything and change nothing.',
  },
  password: 'Choose a password',
  accept: 'Accept',
  known: {
    title: 'Do you sign in here already?',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in and accept',
    passkey: 'Accept with a passkey',
  },
  signedIn: (email: string) => `You are signed in as ${email}.`,
} as const;

/** For the person who invites. */
export const INVITED = {
  title: 'Invitation ready',
  mailed: (email: string, role: string) => `${email} is invited as ${role}, and a mail is on its way.`,
  made: (email: string, role: string) => `${email} is invited as ${role}.`,
  mailedText: 'The link is in that mail alone, and works once.',
  link: 'The link, to pass on yourself. It is shown only now, and works once.',
  ends: (moment: Html): Html => html`It ends on ${moment}.`,
  back: 'Back',
} as const;
