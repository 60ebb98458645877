// Generated from the operation table by `npm run client`. Changes here are lost.

import type { Calls } from '../calls.ts';
import { Accounts } from './accounts.ts';
import { ApiKeys } from './api-keys.ts';
import { AuditEvents } from './audit-events.ts';
import { Balances } from './balances.ts';
import { Categories } from './categories.ts';
import { CategoryAssignments } from './category-assignments.ts';
import { Changes } from './changes.ts';
import { ConnectedApps } from './connected-apps.ts';
import { Connections } from './connections.ts';
import { Consents } from './consents.ts';
import { DestinationLinks } from './destination-links.ts';
import { Destinations } from './destinations.ts';
import { Documents } from './documents.ts';
import { EventDestinations } from './event-destinations.ts';
import { Events } from './events.ts';
import { Holdings } from './holdings.ts';
import { Institutions } from './institutions.ts';
import { LinkSessions } from './link-sessions.ts';
import { Me } from './me.ts';
import { ProviderCategories } from './provider-categories.ts';
import { Rulesets } from './rulesets.ts';
import { SavedViews } from './saved-views.ts';
import { SimplefinApps } from './simplefin-apps.ts';
import { SimplefinSetupTokens } from './simplefin-setup-tokens.ts';
import { SyncRuns } from './sync-runs.ts';
import { Syncs } from './syncs.ts';
import { Trades } from './trades.ts';
import { Transactions } from './transactions.ts';

/** Every operation of v2, by the first part of its path. */
export class Resources {
  /** Who the key belongs to, and what the plan allows. */
  readonly me: Me;
  /** Keys that hold scopes. A key can never be given a scope its creator lacks. */
  readonly apiKeys: ApiKeys;
  /** Apps and agents that a person has let in by OAuth. */
  readonly connectedApps: ConnectedApps;
  /** What a person pastes into a program to connect it over the SimpleFIN-compatible bridge. */
  readonly simplefinSetupTokens: SimplefinSetupTokens;
  /** Programs that read banking data over the SimpleFIN-compatible bridge. */
  readonly simplefinApps: SimplefinApps;
  /** Who did what to the access to the account record, and from where. */
  readonly auditEvents: AuditEvents;
  /** Banks that can be linked, with their availability now. */
  readonly institutions: Institutions;
  /** Linking a bank: create a session, send the person to its url, read it until it leaves pending. */
  readonly linkSessions: LinkSessions;
  /** Linked banks and brokerages. */
  readonly connections: Connections;
  /** What people allowed, when it ends and how it ended. */
  readonly consents: Consents;
  /** Linked bank and brokerage accounts, their balances and their terms. */
  readonly accounts: Accounts;
  /** Balances of many accounts at once. */
  readonly balances: Balances;
  /** Transactions of banking accounts, read live and never stored. */
  readonly transactions: Transactions;
  /** What changed in the transactions of an account since the last time: for programs that keep a copy of their own. */
  readonly changes: Changes;
  /** What brokerage accounts hold, read live and never stored. Needs a Professional plan. */
  readonly holdings: Holdings;
  /** What brokerage accounts bought, sold and were paid. Needs a Professional plan. */
  readonly trades: Trades;
  /** The codes banks and their enrichment give transactions. */
  readonly providerCategories: ProviderCategories;
  /** Your own categories: groups, and categories in them that claim the codes of providers. */
  readonly categories: Categories;
  /** Categories of single transactions, whatever their codes lead to. */
  readonly categoryAssignments: CategoryAssignments;
  /** Statement files: upload one, look at what is in it, take its rows. They are then accounts of a connection of category documents. */
  readonly documents: Documents;
  /** Filters of transactions that people keep under a name in the web application. */
  readonly savedViews: SavedViews;
  /** Connecting a spreadsheet, a database or a budgeting app: create a link, send the person to its url, read it until it leaves pending. */
  readonly destinationLinks: DestinationLinks;
  /** Where syncs write: a spreadsheet, a database, a budgeting app or a signed webhook. */
  readonly destinations: Destinations;
  /** Copies of account data into destinations, on a schedule or on demand. */
  readonly syncs: Syncs;
  /** Executions of syncs. */
  readonly syncRuns: SyncRuns;
  /** Rules that change or skip transactions on their way to a destination. */
  readonly rulesets: Rulesets;
  /** Addresses that are notified of what happens, by signed events. */
  readonly eventDestinations: EventDestinations;
  /** What happened in the last 30 days, and what was sent of it. */
  readonly events: Events;

  constructor(calls: Calls) {
    this.me = new Me(calls);
    this.apiKeys = new ApiKeys(calls);
    this.connectedApps = new ConnectedApps(calls);
    this.simplefinSetupTokens = new SimplefinSetupTokens(calls);
    this.simplefinApps = new SimplefinApps(calls);
    this.auditEvents = new AuditEvents(calls);
    this.institutions = new Institutions(calls);
    this.linkSessions = new LinkSessions(calls);
    this.connections = new Connections(calls);
    this.consents = new Consents(calls);
    this.accounts = new Accounts(calls);
    this.balances = new Balances(calls);
    this.transactions = new Transactions(calls);
    this.changes = new Changes(calls);
    this.holdings = new Holdings(calls);
    this.trades = new Trades(calls);
    this.providerCategories = new ProviderCategories(calls);
    this.categories = new Categories(calls);
    this.categoryAssignments = new CategoryAssignments(calls);
    this.documents = new Documents(calls);
    this.savedViews = new SavedViews(calls);
    this.destinationLinks = new DestinationLinks(calls);
    this.destinations = new Destinations(calls);
    this.syncs = new Syncs(calls);
    this.syncRuns = new SyncRuns(calls);
    this.rulesets = new Rulesets(calls);
    this.eventDestinations = new EventDestinations(calls);
    this.events = new Events(calls);
  }
}
