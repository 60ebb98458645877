/** The pages of the second factor. */
export const SECOND_FACTOR = {
  title: 'Second factor',
  enrol: {
    title: 'Turn on the second factor',
    text: 'Scan the picture with an authenticator app, then enter the code that it shows. From then on a password alone signs nobody in as you; a passkey still does.',
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
    text: 'Keep these codes where you find them without your phone. Each signs you in once in place of a code of the app. They are not shown again, and earlier ones no longer work.',
    saved: 'I have saved them',
  },
} as const;
