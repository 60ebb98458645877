import type { Trx } from '../storage/database.ts';
import type { RowId } from '../vocabulary/ids.ts';

/** What happened to a connection or its consent that others may have subscribed to (SPEC, Events). */
export const LINKING_EVENT_KINDS = [
  'connection.created',
  'connection.renewed',
  'connection.refreshed',
  'connection.expiring',
  'connection.expired',
  'connection.invalidated',
  'connection.revoked',
  'consent.withdrawn',
] as const;
export type LinkingEventKind = (typeof LINKING_EVENT_KINDS)[number];

export type LinkingSubject =
  | { readonly noun: 'connection'; readonly id: RowId<'connection'> }
  | { readonly noun: 'consent'; readonly id: RowId<'consent'> };

export interface LinkingHooks {
  /** A state changed; called inside the transaction of the change, and what it writes commits with it. */
  readonly onEvent: (
    trx: Trx,
    owner: RowId<'account_record'>,
    kind: LinkingEventKind,
    subject: LinkingSubject,
  ) => Promise<void>;
  /** The connection is being revoked: whatever reads it stops. Called before its accounts are deleted. */
  readonly onConnectionRevoked: (
    trx: Trx,
    owner: RowId<'account_record'>,
    connection: RowId<'connection'>,
  ) => Promise<void>;
}

export const NO_LINKING_HOOKS: LinkingHooks = {
  onEvent: async () => undefined,
  onConnectionRevoked: async () => undefined,
};
