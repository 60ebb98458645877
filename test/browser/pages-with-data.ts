import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { APP_PATHS } from '../../src/vocabulary/page-paths.ts';
import type { FullLife } from './full-life.ts';

type Ids = FullLife['ids'];

export interface PageWithData {
  /** What its address is about, where it is about one thing. */
  readonly about?: (ids: Ids) => string;
  /** What is there once everything has been read. */
  readonly shown: (page: Page, ids: Ids) => Locator;
  /** False if there is nothing to wait for. */
  readonly waits?: false;
}

const text =
  (words: string | RegExp): PageWithData['shown'] =>
  (page) =>
    page.getByRole('main').getByText(words);
const row =
  (at: number): PageWithData['shown'] =>
  (page) =>
    page.getByRole('main').getByRole('listitem').nth(at);

/** Every page of the application, to someone with something on each. */
export const PAGES_WITH_DATA: Readonly<Record<keyof typeof APP_PATHS, PageWithData>> = {
  home: { shown: (page) => page.getByRole('slider') },
  connections: { shown: text('Everyday') },
  newConnection: { shown: (page) => page.getByRole('button', { name: /Data Holder/ }) },
  statementFiles: { shown: text('september.ofx') },
  connection: { about: ({ connection }) => connection, shown: text('Granted') },
  account: { about: ({ account }) => account, shown: text('Interest you earn') },
  transactions: { shown: row(5) },
  recurring: { shown: (page) => page.getByRole('list', { name: 'Next 30 days' }) },
  merchants: { shown: row(5) },
  merchant: {
    about: () => 'bpay-bright-energy',
    shown: (page) => page.getByRole('list', { name: 'Recurring' }),
  },
  categories: { shown: text('Groceries') },
  rulesets: { shown: text('Household rules') },
  ruleset: { about: ({ ruleset }) => ruleset, shown: text('Money in is salary') },
  syncs: { shown: text('The last run failed') },
  newSync: { shown: text('What should be copied?') },
  sync: { about: ({ sync }) => sync, shown: text(/over the API · /) },
  syncRun: { about: ({ run }) => run, shown: (page) => page.getByRole('link', { name: /^Open / }) },
  destinations: { shown: text('Our money') },
  newDestination: { shown: text('A table in Airtable'), waits: false },
  destination: { about: ({ destination }) => destination, shown: text('Show attempts') },
  holdings: { shown: text('Whole World Index ETF') },
  trades: { shown: row(6) },
  welcome: { shown: row(2) },
  apiKeys: { shown: text('Budget script') },
  newApiKey: { shown: (page) => page.getByLabel('data:read'), waits: false },
  apiKey: { about: ({ key }) => key, shown: text('data:read') },
  events: { shown: (page) => page.getByRole('link', { name: 'connection.created' }) },
  event: { about: ({ event }) => event, shown: (page, ids) => text(ids.eventDestination)(page, ids) },
  eventDestinations: { shown: text('Ledger') },
  newEventDestination: { shown: (page) => page.getByLabel('Everything that happens'), waits: false },
  eventDestination: {
    about: ({ eventDestination }) => eventDestination,
    shown: text(/127\.0\.0\.1:\d+/),
  },
  reference: { shown: text('/v2/me') },
  operation: { about: () => 'list_accounts', shown: text(/TRIBUTARY_API_KEY/) },
  agents: { shown: (page) => page.getByLabel('Agent', { exact: true }), waits: false },
  connectedApps: { shown: text('It may:') },
  simplefin: { shown: text('Not used yet') },
};

const paths: ReadonlyMap<string, string> = new Map(Object.entries(APP_PATHS));

/** The address of the page of this name. */
export function addressOf(name: string, { about }: PageWithData, ids: Ids): string {
  const path = paths.get(name) ?? assert.fail(`no page is called ${name}`);
  return path.replace(/\$\w+/, about?.(ids) ?? '');
}
