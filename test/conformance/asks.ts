import type { Operation } from '../../src/operations/operation.ts';
import { publicId, type ResourceType, rowId } from '../../src/vocabulary/ids.ts';
import type { TestOwner } from '../support/service.ts';
import type { Answer } from '../support/v2-client.ts';

/** A request to an operation, and how it is varied to provoke each of its answers. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  /** Without `?`; empty for none. */
  readonly query: string;
  readonly body: unknown;
}

const NOWHERE = '01234567-89ab-7cde-8f01-23456789abcd';
export const UNKNOWN_TRANSACTION = 'txn_fk_nowhere';

/** What an id in a path names, by the collection before it. */
const COLLECTIONS: Readonly<Record<string, ResourceType | 'transaction'>> = {
  api_keys: 'api_key',
  link_sessions: 'link_session',
  connections: 'connection',
  consents: 'consent',
  accounts: 'account',
  transactions: 'transaction',
  destinations: 'destination',
  destination_links: 'destination_link',
  syncs: 'sync',
  sync_runs: 'sync_run',
  categories: 'category',
  documents: 'document',
  saved_views: 'saved_view',
  rulesets: 'ruleset',
  rules: 'rule',
  deliveries: 'webhook_delivery',
  event_destinations: 'event_destination',
  connected_apps: 'oauth_grant',
  simplefin_apps: 'simplefin_app',
  simplefin_setup_tokens: 'simplefin_setup_token',
  events: 'event',
};

export type Thing = ResourceType | 'transaction';

/** A well-formed id that no one has. */
export function unknownId(thing: Thing): string {
  return thing === 'transaction' ? UNKNOWN_TRANSACTION : publicId(thing, rowId(thing, NOWHERE));
}

/** The things named in an operation's path, in order. */
export function thingsInPath(operation: Operation): Thing[] {
  const parts = operation.path.split('/');
  return parts.flatMap((part, at) => {
    if (!part.startsWith(':')) return [];
    const thing = COLLECTIONS[parts[at - 1] ?? ''];
    if (thing === undefined) throw new Error(`Say in COLLECTIONS what ${operation.path} names.`);
    return [thing];
  });
}

/** The operation's path with these ids. */
export function pathOf(operation: Operation, ids: (thing: Thing) => string): string {
  const things = thingsInPath(operation);
  let at = 0;
  return operation.path.replaceAll(/:\w+/g, () => {
    const thing = things[at++];
    return thing === undefined ? '' : ids(thing);
  });
}

/** A request with only the ids in its path, which are unknown unless given. */
export function emptyAsk(operation: Operation, ids: (thing: Thing) => string = unknownId): Ask {
  return { method: operation.method, path: pathOf(operation, ids), query: '', body: undefined };
}

export function send(
  owner: Pick<TestOwner, 'v2'>,
  ask: Ask,
  headers?: Record<string, string>,
): Promise<Answer> {
  const path = ask.query === '' ? ask.path : `${ask.path}?${ask.query}`;
  return owner.v2(ask.method, path, ask.body, headers);
}

export function takesBody(operation: Operation): boolean {
  return Object.keys(operation.body.properties).length > 0;
}
