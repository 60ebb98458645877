import { shownName } from '../../vocabulary/shown-names.ts';
import { type Html, html } from '../http/html.ts';

interface Labelled {
  readonly email: string;
  /** Chosen by an owner; null if there is none. */
  readonly name: string | null;
}

/** An account record on a page: always its e-mail address, then its name, set apart so that it cannot pass for more. */
export function recordLabel({ email, name: given }: Labelled): Html {
  const name = shownName(given);
  return name === null ? html`${email}` : html`${email} (<bdi>${name}</bdi>)`;
}

/** The same where a page takes no markup, such as in a choice; the isolates do what `<bdi>` does. */
export function recordLabelText({ email, name: given }: Labelled): string {
  const name = shownName(given);
  return name === null ? email : `${email} (\u2068${name}\u2069)`;
}

/** The frame of every page. */
export const FRAME = {
  signedInAs: (email: string) => `Signed in as ${email}`,
  product: 'Tributary',
  back: 'Back to the application',
  settings: 'Settings',
  waysOn: 'Where to go from here',
} as const;

/** The frame of the web application; a test compares it with `web/src/text/shell.ts`. */
export const SHELL = {
  skip: 'Skip to content',
  navigation: 'Main',
  home: 'Home',
  connections: 'Connections',
  transactions: 'Transactions',
  holdings: 'Holdings',
  syncs: 'Syncs',
  destinations: 'Destinations',
  categories: 'Categories',
  developer: 'Developer',
  settings: 'Settings',
  more: 'More',
  account: 'Your account',
  security: 'Security and sessions',
  guides: 'Guides',
  reference: 'API reference',
  signOut: 'Sign out',
} as const;

/** Kept by the browser, and shown when the service cannot be reached. */
export const OFFLINE_PAGE = {
  title: 'Tributary cannot be reached',
  text: 'Either this device is offline or the service is not running. Your figures are read live and none of them is kept on this device, so there is nothing to show until it is back.',
  again: 'Try again',
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
    at: (path: string) => html`There is nothing at <code>${path}</code>. The address may be misspelt or old.`,
    ways: { home: 'Home', documentation: 'Documentation', signIn: 'Sign in' },
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
