import { DESTINATION_TYPES, type DestinationType } from './destinations.ts';
import type { SyncType } from './syncs.ts';

/**
 * How a destination comes about: by signing in at the vendor, with an address that receives rows, or with an address of
 * the owner's own server and the credentials for it.
 */
export const DESTINATION_CONNECTIONS = ['link', 'url', 'secret'] as const;
export type DestinationConnection = (typeof DESTINATION_CONNECTIONS)[number];

/**
 * What is held against a destination when runs fail. `lost_grant`: that its vendor no longer accepts the grant, which
 * makes it `reauth_required`. `failed_runs`: every failed run, which in the end makes it `disabled`.
 */
export const DESTINATION_FAILURE_RULES = ['lost_grant', 'failed_runs'] as const;
export type DestinationFailureRule = (typeof DESTINATION_FAILURE_RULES)[number];

interface DestinationKind {
  readonly connects: DestinationConnection;
  /** Types of sync that may write to it (docs/resources.md#sync, rule 3). */
  readonly holds: readonly SyncType[];
  /** Whether its deliveries are signed, with a secret that can be rotated. */
  readonly signingSecret: boolean;
  readonly failure: DestinationFailureRule;
  /** Whether the owner of a sync chooses which fields its rows show (docs/columns.md#choosing-columns). */
  readonly columns: boolean;
}

const LINKED = {
  connects: 'link',
  holds: ['transactions'],
  signingSecret: false,
  failure: 'lost_grant',
  columns: false,
} as const;

/**
 * How the types of destination differ. Features ask this table and never compare with a type, so that a new type
 * is a row here. `docs/destinations.md` shows the same table and a test keeps the two equal.
 */
export const DESTINATION_KINDS: Readonly<Record<DestinationType, DestinationKind>> = {
  sheets: { ...LINKED, holds: ['transactions', 'holdings', 'trades'], columns: true },
  notion: { ...LINKED, columns: true },
  airtable: { ...LINKED, columns: true },
  ynab: LINKED,
  webhook: {
    connects: 'url',
    holds: ['transactions', 'trades'],
    signingSecret: true,
    failure: 'failed_runs',
    columns: false,
  },
  postgres: {
    connects: 'secret',
    holds: ['transactions', 'holdings', 'trades'],
    signingSecret: false,
    failure: 'lost_grant',
    columns: true,
  },
  actual: { ...LINKED, connects: 'secret' },
};

/** The types that a sync of `type` may write to, in the order of docs/destinations.md. */
export function destinationsHolding(type: SyncType): readonly DestinationType[] {
  return DESTINATION_TYPES.filter((destination) => DESTINATION_KINDS[destination].holds.includes(type));
}
