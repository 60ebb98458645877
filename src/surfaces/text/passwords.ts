import { html } from '../http/html.ts';

export const FORGOTTEN_PASSWORD = {
  title: 'Forgot your password?',
  text: 'Enter your e-mail address. If you sign in with it here, a link to set a new password is sent to it.',
  email: 'E-mail address',
  submit: 'Send the link',
  byOperator: html`This service sends no mail. Ask the person who runs it for a link: they get one with <code>tributary account reset-password --email …</code>.`,
  asked: {
    title: 'Check your mail',
    text: 'If you sign in with this address here, a link is on its way. It works once, and not for long.',
    back: 'Back to signing in',
  },
} as const;

export const NEW_PASSWORD = {
  title: 'Set a new password',
  text: (email: string) =>
    `For ${email}. You will be signed out everywhere, your passkeys are removed, and the apps you connected are disconnected.`,
  password: 'New password',
  submit: 'Set the password',
  hint: (characters: number) => `At least ${characters} characters; a few words are easy to remember.`,
} as const;
