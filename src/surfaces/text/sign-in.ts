import { type Html, html } from '../http/html.ts';

export const SIGN_IN = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  passkey: 'Sign in with a passkey',
  forgot: 'Forgot your password?',
  notices: {
    refused: 'The e-mail address or the password is wrong.',
    no_membership: 'You are not a member of any account record. Ask its owner for an invitation.',
    not_member:
      'You are not a member of the account record that this step is for, or no longer, so nothing was done. Sign in to go on with another one.',
    elsewhere: 'That form was sent by another site, so nothing was done. Sign in here.',
    signed_out: 'You have signed out.',
    reset:
      'The password is set, your passkeys are removed and your apps are disconnected. Sign in with the new password.',
    step_over: 'That took too long, or the password has changed. Sign in again.',
    fresh: 'For this step, please confirm who you are by signing in again.',
  },
  code: {
    title: 'Second factor',
    text: 'Enter the code that your authenticator app shows now, or one of your recovery codes.',
    label: 'Code',
    wrong: 'This code is wrong, or was used already. Wait for the next one.',
  },
  signOut: 'Sign out',
} as const;

/** Messages for passkeys that do not work. */
export const PASSKEY_PROBLEMS = {
  nothingDone: 'Nothing was done.',
  unknown: 'This passkey does not sign anyone in here.',
  unreadable: 'The browser sent something that is not a passkey.',
  otherSite: 'Only the pages of this service may ask for this.',
  fresh: 'Sign in again, then add the passkey.',
} as const;

export const FIRST_RUN = {
  title: 'Welcome to Tributary',
  text: 'You are the first to sign in, so you become the owner. Others need an invitation from you.',
  email: 'Your e-mail address',
  password: 'Choose a password',
  timezone: 'Your time zone',
  submit: 'Start',
} as const;

/** The pages of the second factor. */
export const SECOND_FACTOR = {
  title: 'Second factor',
  enrol: {
    title: 'Turn on the second factor',
    text: 'Scan the picture with an authenticator app, then enter the code that it shows. From then on, your password alone is not enough to sign in; a passkey still is.',
    picture: 'QR code for an authenticator app; the text below it says the same',
    typed: 'Or type this secret into the app:',
    code: 'Code that the app shows',
    submit: 'Turn it on',
  },
  on: {
    title: 'The second factor is on',
    left: (count: number) =>
      count === 1
        ? 'You have 1 recovery code left. Each signs you in once if you lose your authenticator app.'
        : `You have ${count} recovery codes left. Each signs you in once if you lose your authenticator app.`,
    codes: 'Make new recovery codes',
    disable: 'Turn it off',
  },
  codes: {
    title: 'Recovery codes',
    text: 'Keep these codes where you can find them without your phone. Each signs you in once in place of a code from the app. They are not shown again, and earlier ones no longer work.',
    saved: 'I have saved them',
  },
} as const;

export const FORGOTTEN_PASSWORD = {
  title: 'Forgot your password?',
  text: 'Enter your e-mail address. If you sign in with it here, a link to set a new password is sent to it.',
  email: 'E-mail address',
  submit: 'Send the link',
  byOperator: html`This service sends no mail. Ask the person who runs it for a link: they get one with <code>tributary account reset-password --email …</code>.`,
  asked: {
    title: 'Check your mail',
    text: 'If you sign in with this address here, a link is on its way. It works once and expires soon.',
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

/** Where the link in a mail to a new e-mail address leads. */
export const CONFIRM_EMAIL = {
  title: 'Confirm your e-mail address',
  text: (email: string, proved: string): Html =>
    html`You sign in with ${email}. From now on you will sign in with <strong>${proved}</strong>, and be signed out everywhere else.`,
  submit: 'Sign in with this address',
  notProved: (email: string) =>
    `This link does not work any more. It was used, has expired, or was made for someone else or before the password changed. You sign in with ${email}.`,
  again: 'Ask for a new link',
} as const;
