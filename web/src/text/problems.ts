import { numberText } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const PROBLEMS = translated('PROBLEMS', {
  title: 'This could not be loaded',
  failed: 'That did not work',
  unreachable: 'The service does not answer. Check your connection, then try again.',
  pageMissing: 'Page not loaded',
  scriptMissing: 'This part of the application is missing. Try again later; if it stays so, report it.',
  unknown: 'Something unexpected happened in this page. Reload it; if it happens again, report it.',
  signedOut: 'Your session has ended, so nothing was read or changed.',
  reference: (id: string) => `Reference: ${id}`,
  explain: 'What this means',
  switchTo: (record: string) => `Switch to ${record}`,
  again: 'Try again',
  againAt: (time: string) => `Your bank allows another reading at ${time}. It is read then.`,
  signIn: 'Sign in again in a new tab',
  signInHint: 'Then come back to this page and repeat what you did. What you entered stays.',
  dismiss: 'Dismiss',
  undo: 'Undo',
  undoShortcut: 'Control+Z Meta+Z',
  undoKeys: 'Press Control Z to undo.',
  undone: 'Undone',
  partlyUndone: 'Not everything was undone',
  loading: 'Loading',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  copy: 'Copy',
  copied: 'Copied',
  showMore: 'Show more',
  printedOnly: (shown: number, all: number) =>
    `The first ${numberText(shown)} of ${numberText(all)} entries. Download a file for all of them.`,
  listKeys: 'Use the arrow keys to move between rows, and Enter to open one.',
  asTable: 'Show as a table',
  dayOutOfRange: 'This day is outside the range that can be shown.',
});

/** The words for a reason that an address names: it may name anything, also what every object inherits. */
export function reasonText(
  texts: Readonly<Record<string, string>>,
  reason: string,
  otherwise: string,
): string {
  return (Object.hasOwn(texts, reason) ? texts[reason] : undefined) ?? otherwise;
}

/** For people who may not use a page (docs/sign-in.md#members). */
export const ROLES = translated('ROLES', {
  title: 'Only an owner can do this',
  text: 'You can read this account, but not change it. Ask one of its owners, or have them change your role.',
  sentence: 'Only an owner can change this.',
});
