/**
 * The addresses of the pages of the web application. Its router shows a page at each, and the server answers with the
 * document that starts the application. `$` begins the name of a variable part.
 */
export const APP_PATHS = {
  home: '/',
  connections: '/connections',
  newConnection: '/connections/new',
  statementFiles: '/connections/files',
  connection: '/connections/$id',
  account: '/accounts/$id',
  transactions: '/transactions',
  recurring: '/recurring',
  merchants: '/merchants',
  merchant: '/merchants/$merchant',
  categories: '/categories',
  rulesets: '/rulesets',
  ruleset: '/rulesets/$id',
  syncs: '/syncs',
  newSync: '/syncs/new',
  sync: '/syncs/$id',
  syncRun: '/sync-runs/$id',
  destinations: '/destinations',
  newDestination: '/destinations/new',
  destination: '/destinations/$id',
  holdings: '/holdings',
  trades: '/trades',
  welcome: '/welcome',
  apiKeys: '/developer',
  newApiKey: '/developer/keys/new',
  apiKey: '/developer/keys/$id',
  events: '/developer/events',
  event: '/developer/events/$id',
  eventDestinations: '/developer/event-destinations',
  newEventDestination: '/developer/event-destinations/new',
  eventDestination: '/developer/event-destinations/$id',
  reference: '/developer/reference',
  operation: '/developer/reference/$operation',
  agents: '/developer/agents',
  connectedApps: '/developer/apps',
  simplefin: '/developer/simplefin',
} as const;

/** Pages of the service whose addresses contain a secret, for links in mails and from the operator. */
export const SECRET_PATHS = {
  firstRun: '/first-run',
  passwordReset: '/reset-password',
  invitation: '/invitations',
  unsubscribe: '/unsubscribe',
  /** The secret is in the query: a session opens the page as well. */
  emailChange: '/settings/confirm-email',
} as const;

/** Where every vendor sends people back to. Vendors have it registered, so it never changes. */
export const RETURN_PATH = '/connect/return';

/** A path in the server's form, with a colon before the name of a part. */
export function routeOf(path: `/${string}`): `/${string}` {
  return `/${path.slice(1).replaceAll('$', ':')}`;
}
