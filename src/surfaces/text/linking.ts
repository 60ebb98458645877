import type { SignInMethod } from '../../vocabulary/link-terms.ts';
import type { LinkWords } from '../../vocabulary/provider-kinds/kind.ts';
import { type Html, html } from '../http/html.ts';

/** Who asks for a link, by who has opened its page: a member of the account record, another person, or a stranger. */
export const REQUESTER = {
  asks: { member: 'Account record', other: 'Requested by', stranger: 'Requested by' },
  signedIn: 'Signed in as',
  member:
    'Everyone who shares this account record can use what you connect. If you did not start this yourself, cancel.',
  other: (email: string): Html =>
    html`This was requested <strong>for an account record that you do not share</strong> as ${email}. If you continue, the people who share that account record can read what you connect, and you do not see it here. If you did not ask them for this, cancel.`,
  /** `readers`: masked e-mail addresses of those who share the account record, and how many more do. */
  stranger: (readers: readonly string[], more: number) =>
    `If you continue, ${readersText(readers, more)} can read what you connect, and so can the programs that they allow. What is written above as the one who asks was entered by them, and no one has checked it. If you did not ask for this, or do not recognise who asks, cancel.`,
  /** `elsewhere`: another way, such as `end it at your bank`; null if there is none. */
  stop: {
    here: (elsewhere: string | null) =>
      `You can stop sharing at any time: delete the connection here${elsewhere === null ? '' : `, or ${elsewhere}`}.`,
    notHere: (elsewhere: string | null) =>
      `You can stop sharing at any time: ${elsewhere === null ? '' : `${elsewhere}, or `}ask those who can read it to delete the connection.`,
  },
} as const;

function readersText(readers: readonly string[], more: number): string {
  if (readers.length === 0) return 'the operator of this service';
  const named = more === 0 ? readers : [...readers, more === 1 ? 'one other person' : `${more} other people`];
  return new Intl.ListFormat('en').format(named);
}

/** For a link that was created before its provider was removed from the service. */
export const FORMER_PROVIDER: LinkWords = {
  unnamed: 'your bank',
  recipient: {
    name: 'The data provider of this service',
    role: 'It reads your accounts on your behalf. This service acts as its representative and receives your data from it.',
    shared: ['Names and types of your accounts', 'Account numbers and balances', 'Transactions'],
  },
  page: {
    vendor: 'the data provider',
    chosen: (bank) => bank ?? 'You choose it on the next page',
    next: () => 'This service never sees your password at the bank.',
    stop: null,
    startedAgain: 'any consent you gave there is withdrawn first',
  },
  direct: null,
  entry: null,
};

/** Before a person continues to the bank; partly also for destinations. */
export const LINKING = {
  institution: 'Bank',
  title: (bank: string) => `Connect ${bank}`,
  renewalTitle: (bank: string) => `Renew access to ${bank}`,
  recipient: 'Recipient',
  reads: 'If you continue, this service can read the following. It cannot move money or change anything:',
  proceed: 'Continue',
  cancel: 'Cancel',
  expires: (until: Html) => html`This link expires on ${until}.`,
  openedAlready: (vendor: string, startedAgain: string) =>
    `You have already opened the page of ${vendor} from this link, and Continue opens the same page again. If that page says it was used or has expired, start again: ${startedAgain}.`,
  startAgain: (vendor: string) => `Start again at ${vendor}`,
  notices: {
    other_browser: (vendor: string) =>
      html`You returned from ${vendor} in a different browser from the one you started in, or in one that blocks cookies, so <strong>nothing was connected</strong>. This protects you: someone else could have sent you there to gain access to your data. If you started this yourself, press Continue and complete it again in this browser. If someone sent you the link, cancel.`,
    replaced: (vendor: string) =>
      html`You returned from a page at ${vendor} that has since been replaced, so <strong>nothing was connected</strong>. Press Continue to try again.`,
  },
  /** The same where no page of a vendor was opened. */
  directNotices: {
    other_browser: html`Your browser did not keep the cookie that shows that you started here, so <strong>nothing was connected</strong>. Allow cookies for this site, then press Continue.`,
    replaced: html`That step has been replaced, so <strong>nothing was connected</strong>. Press Continue to try again.`,
  },
  /** The same where the person entered something, which was not used. */
  entryNotices: {
    other_browser: html`Your browser did not keep the cookie that shows that you started here, so <strong>nothing was connected</strong>. Allow cookies for this site, then enter it again.`,
    replaced: html`That step has been replaced, so <strong>nothing was connected</strong>. Enter it again.`,
  },
  entryMissing: (label: string) => `${label}: enter it below, then press Continue.`,
} as const;

/** What is said of a bank before a person signs in there, and what they may choose. */
export const LINK_TERMS = {
  country: 'Country',
  consent: 'Consent',
  days: (days: number) =>
    `Ends after ${days === 1 ? 'one day' : `${days} days`} at the latest; you can renew it then`,
  choose: 'How do you sign in?',
  chooseAccounts: 'Which accounts do you connect?',
  accounts: { personal: 'Personal accounts', business: 'Business accounts' },
  usual: 'The usual way of the bank',
  usualHint: 'In the usual way of the bank.',
  asBefore: 'As the last time',
  hint: (method: SignInMethod): string => {
    const how = method.approach === null ? [] : [APPROACHES[method.approach]];
    const asks = method.asksFor.length === 0 ? [] : [`It asks for: ${method.asksFor.join(', ')}.`];
    return [...how, ...asks].join(' ');
  },
  openedAlready: (vendor: string, startedAgain: string) =>
    `You have already opened the page of ${vendor} from this link, and Continue opens the same page again unless you choose differently. If that page says it was used or has expired, start again: ${startedAgain}.`,
} as const;

const APPROACHES: Readonly<Record<NonNullable<SignInMethod['approach']>, string>> = {
  redirect: 'You sign in on a page of the bank.',
  decoupled: 'You confirm in an app, which may be on another device.',
  embedded: 'You sign in on a page of the data provider, which passes it on to the bank.',
};

/** For a link that has ended, that waits, or whose step failed. */
export const LINK_STATES = {
  endings: {
    completed: {
      title: 'Connected',
      text: 'This link has already been used. There is nothing left to do here.',
    },
    failed: {
      title: 'Not connected',
      text: 'This link ended without a connection. To try again, start over.',
    },
    expired: {
      title: 'This link has expired',
      text: 'Nothing was connected. To try again, start over.',
    },
  },
  goBack: 'Go back',
  waiting: {
    title: 'One moment',
    text: 'Your consent is being confirmed. This page checks every few seconds.',
    check: 'Check now',
  },
  failed: {
    title: 'That did not work yet',
    noAnswer: 'The other service did not answer as it should.',
    retry: 'Nothing is lost. Wait a moment and try again; your link stays open.',
    again: 'Try again',
    reload: 'Nothing is lost. Wait a moment, then reload this page.',
  },
  unknown: {
    title: 'This link does not work',
    text: 'The address is incomplete or no longer valid. Go back to where you found it and start over.',
  },
} as const;

/** After a person linked another bank than the one that was chosen. */
export const OTHER_BANK = {
  title: (linked: string, chosen: string) => `You linked ${linked}, not ${chosen}`,
  text: (linked: string, chosen: string) =>
    `${linked} is connected now. If you meant ${chosen}, link it as well: ${linked} stays connected until it is removed by the service that asked you to link it.`,
  link: (chosen: string) => `Link ${chosen}`,
  keep: (linked: string) => `Continue with ${linked}`,
} as const;

/** Before a person continues to the service to which rows are copied. */
export const DESTINATION_LINKS = {
  title: (vendor: string) => `Connect ${vendor}`,
  renewalTitle: (vendor: string) => `Connect ${vendor} again`,
  receives: 'Receives your data',
  may: 'Will be able to',
  copies: (vendor: string): Html =>
    html`If you continue, transactions and account names can be copied to ${vendor}. <strong>Copied data is no longer protected by the Consumer Data Right</strong>, which covers data of Australian banks, or by this service: the terms of ${vendor} apply to it, and deleting it here does not delete it there.`,
  signIn: (vendor: string) =>
    `You sign in with ${vendor} on the next page; this service never sees your password. You can withdraw this permission at any time at ${vendor}.`,
} as const;
