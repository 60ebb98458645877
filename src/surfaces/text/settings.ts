/** What the pages of the settings have in common. */
export const SETTINGS = {
  account: 'Account',
  security: 'Security',
  operator: 'Operator',
  signedInAs: (email: string, role: string, owner: string) =>
    `Signed in as ${email}, ${role} of the account of ${owner}.`,
} as const;
