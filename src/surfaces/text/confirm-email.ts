import { type Html, html } from '../http/html.ts';

/** Where the link in a mail to a new e-mail address leads. */
export const CONFIRM_EMAIL = {
  title: 'Confirm your e-mail address',
  text: (email: string, proved: string): Html =>
    html`You sign in with ${email}. From now on you will sign in with <strong>${proved}</strong>, and be signed out everywhere else.`,
  submit: 'Sign in with this address',
  notProved: (email: string) =>
    `This link does not work any more. It was used, is too old, or was made for somebody else or before the password changed. You sign in with ${email}.`,
  again: 'Ask for a new link',
} as const;
