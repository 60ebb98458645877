export const FIRST_RUN = {
  title: 'Welcome to Tributary',
  text: 'You are the first to sign in, and so the owner. Others come in by your invitation.',
  email: 'Your e-mail address',
  password: 'Choose a password',
  submit: 'Start',
} as const;
