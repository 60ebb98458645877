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
    elsewhere: 'That form was sent by another site, so nothing was done. Sign in here.',
    signed_out: 'You have signed out.',
    reset:
      'The password is set, your passkeys are removed and your apps are disconnected. Sign in with the new password.',
    step_over: 'That took too long, or the password has changed. Sign in again.',
    fresh: 'For this step, please confirm who you are by signing in once more.',
  },
  code: {
    title: 'Second factor',
    text: 'Enter the code that your authenticator app shows now, or one of your recovery codes.',
    label: 'Code',
    wrong: 'This code is wrong, or was used already. Wait for the next one.',
  },
  signOut: 'Sign out',
} as const;

/** What the passkeys of the browser come to where they do not do what they should. */
export const PASSKEY_PROBLEMS = {
  nothingDone: 'Nothing was done.',
  unknown: 'This passkey does not sign anybody in here.',
  unreadable: 'The browser sent something that is not a passkey.',
  otherSite: 'Only the pages of this service may ask for this.',
  fresh: 'Sign in once more, then add the passkey.',
} as const;
