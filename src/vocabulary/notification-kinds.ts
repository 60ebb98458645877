import type { EventKind } from './event-kinds.ts';
import { shownName } from './shown-names.ts';

/** Where a notification can go. */
export const NOTIFICATION_CHANNELS = ['email', 'push'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

interface NotificationRow {
  /** The event of the account record that leads to it; null if something else does (`when`). */
  readonly event: EventKind | null;
  /** What leads to it, as shown in docs/notifications.md and on the page. */
  readonly when: string;
  /** Whether each channel is on for a person who has chosen nothing. */
  readonly email: boolean;
  readonly push: boolean;
  /**
   * How long a person gets no other of the same kind about the same subject. For transactions, as long as details may be
   * on their way: a second one would overwrite one that is being sent, and a longer time would lose more.
   */
  readonly quietMinutes: number;
  /** The page it leads to. */
  readonly path: `/${string}`;
  readonly subject: string;
  /** What it says to a person who has not asked for details: nothing financial. */
  readonly text: string;
  /**
   * What it says with details; `{…}` stands for what is known of the subject when it is sent. Null if there is nothing
   * more to say.
   */
  readonly detailed: string | null;
  /** Whether the details are nothing financial, and so go to everyone. */
  readonly alwaysDetailed: boolean;
  /**
   * Whether it warns of what a stranger may have done. Turning it off needs a recent sign-in, and it has an allowance of
   * `notifications_per_day` that no other kind can use up.
   */
  readonly security: boolean;
  /** Whether it is about an account record, which it then names, and not about its reader. */
  readonly ofRecord: boolean;
}

/** Kinds of notifications. A test compares them with `docs/notifications.md`. */
export const NOTIFICATION_KINDS = {
  consent_expiring: {
    event: 'connection.expiring',
    when: 'The consent of a bank connection expires in 30 days',
    email: true,
    push: true,
    quietMinutes: 1440,
    path: '/connections',
    subject: 'A bank connection needs your consent again soon',
    text: 'The consent of a bank connection will expire. Renew it so that reading and syncing continue.',
    detailed: 'The consent of {institution} expires on {day}. Renew it so that reading and syncing continue.',
    alwaysDetailed: false,
    security: false,
    ofRecord: true,
  },
  sync_attention: {
    event: 'sync.attention',
    when: 'A sync needs attention: it cannot continue, or cannot continue correctly, without you',
    email: true,
    push: true,
    quietMinutes: 360,
    path: '/syncs',
    subject: 'A sync needs your attention',
    text: 'A sync needs your attention. Its page says why and what to do.',
    detailed: 'The sync “{sync}” needs your attention. Its page says why and what to do.',
    alwaysDetailed: false,
    security: false,
    ofRecord: true,
  },
  large_transaction: {
    event: null,
    when: 'A sync delivered a transaction at or above an amount that you set',
    email: true,
    push: true,
    quietMinutes: 2,
    path: '/transactions',
    subject: 'A large transaction on a linked account',
    text: 'There is a large transaction on a linked account.',
    detailed: 'Large transaction on {account}: {amount}, {description}.{more}',
    alwaysDetailed: false,
    security: false,
    ofRecord: true,
  },
  unusual_transaction: {
    event: null,
    when: 'A sync delivered a transaction that is at least five times the largest other of its merchant',
    email: false,
    push: false,
    quietMinutes: 2,
    path: '/transactions',
    subject: 'An unusual transaction on a linked account',
    text: 'There is an unusual transaction on a linked account.',
    detailed: 'Unusual transaction on {account}: {amount}, {description}.{more}',
    alwaysDetailed: false,
    security: false,
    ofRecord: true,
  },
  new_device: {
    event: null,
    when: 'You signed in with a browser in which you had not signed in before',
    email: true,
    push: true,
    quietMinutes: 0,
    path: '/settings/security',
    subject: 'A new browser signed in to your account',
    text: 'Someone, probably you, signed in with a new browser. If that was not you, sign out that browser and change your password.',
    detailed:
      'Someone, probably you, signed in with a new browser: {browser}, {time}. If that was not you, sign out that browser and change your password.',
    alwaysDetailed: true,
    security: true,
    ofRecord: false,
  },
  browser_added: {
    event: null,
    when: 'A browser was added to those that receive your notifications',
    email: true,
    push: true,
    quietMinutes: 0,
    path: '/settings/notifications',
    subject: 'A browser was added to receive your notifications',
    text: 'Someone, probably you, added a browser that receives your notifications. If that was not you, remove it and change your password.',
    detailed:
      'Someone, probably you, added a browser that receives your notifications: {browser}, {time}. If that was not you, remove it and change your password.',
    alwaysDetailed: true,
    security: true,
    ofRecord: false,
  },
  test: {
    event: null,
    when: 'You asked for a test notification',
    email: true,
    push: true,
    quietMinutes: 1,
    path: '/settings/notifications',
    subject: 'A test notification',
    text: 'Notifications of Tributary reach you here.',
    detailed: null,
    alwaysDetailed: false,
    security: false,
    ofRecord: false,
  },
} as const satisfies Readonly<Record<string, NotificationRow>>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;
/** Kinds that each person chooses; a test goes everywhere it can. */
export type ChosenKind = Exclude<NotificationKind, 'test'>;

export function isNotificationKind(text: string): text is NotificationKind {
  return Object.hasOwn(NOTIFICATION_KINDS, text);
}

export function isChosenKind(text: string): text is ChosenKind {
  return isNotificationKind(text) && text !== 'test';
}

export const CHOSEN_KINDS: readonly ChosenKind[] = Object.keys(NOTIFICATION_KINDS).filter(isChosenKind);

/** The kind an event leads to; null for most events. */
export function notificationOf(event: EventKind): ChosenKind | null {
  return CHOSEN_KINDS.find((kind) => NOTIFICATION_KINDS[kind].event === event) ?? null;
}

/** What one person chose for one kind. */
export interface NotificationChoice {
  readonly email: boolean;
  readonly push: boolean;
  /** Whether the text may name accounts, amounts and the like. */
  readonly details: boolean;
}

/** What holds for a person who has chosen nothing. */
export function defaultChoice(kind: NotificationKind): NotificationChoice {
  const { email, push } = NOTIFICATION_KINDS[kind];
  return { email, push, details: false };
}

/** A transaction is unusual at so many times the largest other of its merchant in the rows a run reads … */
export const UNUSUAL_TIMES = 5;
/** … if the run reads at least so many others. */
export const UNUSUAL_LEAST_OTHERS = 3;

/** What is known of the subject of a notification, by the name in `{…}` of `detailed`. */
export type NotificationFacts = Readonly<Record<string, string>>;

const FACT_CHARACTERS = 80;
const PLACE = /\{(\w+)\}/g;

/** A dot or a scheme by which programs take a text for an address. */
const LINKS = /(?<=[\p{L}\p{N}])\.(?=\p{L})|:(?=\/\/)/gu;
const ZERO_WIDTH_SPACE = '\u200B';

/** The account record that a notification is about, as it names it; null if it is about none, or that has no name. */
export function notifiedRecord(kind: NotificationKind, name: string | null): string | null {
  const shown = NOTIFICATION_KINDS[kind].ofRecord ? shownName(name) : null;
  return shown === null ? null : onOneLine(shown);
}

/**
 * The words of a notification; without facts, or if one is missing, those without details. Facts may hold text that
 * others wrote, so each is cut and put on one line, and nothing in it becomes a link in programs that make links of
 * text: a payee could choose one.
 */
export function notificationWords(
  kind: NotificationKind,
  facts: NotificationFacts | null,
): { readonly subject: string; readonly text: string } {
  const { subject, text, detailed } = NOTIFICATION_KINDS[kind];
  if (facts === null || detailed === null) return { subject, text };
  const places = [...detailed.matchAll(PLACE)].map(([, name = '']) => name);
  if (!places.every((name) => Object.hasOwn(facts, name))) return { subject, text };
  return { subject, text: detailed.replaceAll(PLACE, (_, name: string) => onOneLine(facts[name] ?? '')) };
}

function onOneLine(fact: string): string {
  const line = fact.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  const characters = [...line];
  const cut =
    characters.length <= FACT_CHARACTERS ? line : `${characters.slice(0, FACT_CHARACTERS - 1).join('')}…`;
  return cut.replaceAll(LINKS, (sign) => sign + ZERO_WIDTH_SPACE);
}
