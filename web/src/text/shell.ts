import { counted } from '../format/numbers.ts';

export const SHELL = {
  product: 'Tributary',
  skip: 'Skip to content',
  navigation: 'Main',
  home: 'Home',
  needsYou: (count: number) => counted(count, 'item needs you', 'items need you'),
  connections: 'Connections',
  transactions: 'Transactions',
  syncs: 'Syncs',
  categories: 'Categories',
  destinations: 'Destinations',
  holdings: 'Holdings',
  developer: 'Developer',
  more: 'More',
  account: 'Your account',
  plan: { saver: 'Saver', developer: 'Developer', professional: 'Professional' },
  trial: 'Trial',
  settings: 'Settings',
  security: 'Security and sessions',
  guides: 'Guides',
  reference: 'API reference',
  signOut: 'Sign out',
  theme: 'Theme',
  themes: { auto: 'System', light: 'Light', dark: 'Dark' },
  missing: {
    title: 'Page not found',
    text: 'There is nothing at this address.',
    action: 'Go home',
  },
  switched: {
    title: 'You now see another account',
    text: 'You switched to it in another tab of this browser. What you were doing here was not done.',
  },
  ended: {
    title: 'You are signed out',
    text: 'Your session has ended. Sign in again in a new tab, then come back and continue: what you entered here stays.',
    again: 'I have signed in',
    notYet: 'You are not signed in yet.',
  },
  tooMany: {
    title: (seconds: number) =>
      `Too many requests. Back in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    text: 'What you see stays, and this page continues automatically.',
  },
  pageTitle: (title: string) => `${title} · Tributary`,
} as const;
