/** What the pages of the settings have in common. */
export const SETTINGS = {
  account: 'Account',
  security: 'Security',
  activity: 'Activity',
  operator: 'Operator',
  signedInAs: (email: string, role: string, owner: string) =>
    `Signed in as ${email}, ${role} of the account of ${owner}.`,
  otherRecord:
    'Nothing was changed: you have switched to another account in another tab. This page shows it now; look again before you go on.',
} as const;
