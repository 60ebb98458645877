/** What somebody reads who may not do what a page is for (docs/sign-in.md#members). */
export const ROLES = {
  title: 'Only an owner can do this',
  text: 'You can read this account, but not change it. Ask one of its owners, or have them change your role.',
  sentence: 'Only an owner can change this.',
} as const;
