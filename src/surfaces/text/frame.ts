/** The frame of every page. */
export const FRAME = {
  signedInAs: (email: string) => `Signed in as ${email}`,
  product: 'Tributary',
  back: 'Back to the application',
  settings: 'Settings',
} as const;

/** What a person reads if a page cannot be shown. */
export const FAULTS = {
  title: 'That did not work',
  ours: (reference: string) => `Something failed on our side (reference ${reference}).`,
  unreadable: 'The request cannot be read.',
  again: 'Go back and try again.',
  otherBody: 'Send the form of this page.',
  missing: {
    title: 'Page not found',
    text: 'There is nothing at this address.',
  },
  otherMethods: {
    title: 'Not possible here',
    text: (methods: string, method: string) => `This address takes ${methods}, not ${method}.`,
  },
  /** For an address with a secret, such as those in mails. */
  unknown: {
    title: 'This link does not work',
    text: 'The address is incomplete, was used already or is no longer valid. Ask for a new one where you got it.',
  },
} as const;

/** A number with its resource. */
export function counted(count: number, resource: string): string {
  return `${count} ${resource}${count === 1 ? '' : 's'}`;
}
