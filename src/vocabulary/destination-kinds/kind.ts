import type { MappingRule } from '../account-mappings.ts';
import type { ConsolePage } from '../console-page.ts';
import type { DestinationResourceType } from '../destinations.ts';
import type { SyncType } from '../syncs.ts';

/**
 * How a destination is connected: by signing in at the vendor, with an address that receives rows, with the address of
 * the owner's own server and credentials for it, or without any credentials if what the operator set up is enough.
 */
export const DESTINATION_CONNECTIONS = ['link', 'url', 'secret', 'direct'] as const;
export type DestinationConnection = (typeof DESTINATION_CONNECTIONS)[number];

/**
 * What failed runs do to a destination. `lost_grant`: when its vendor no longer accepts the grant, it becomes
 * `reauth_required`. `failed_runs`: every failed run counts, and in the end it becomes `disabled`.
 */
export const DESTINATION_FAILURE_RULES = ['lost_grant', 'failed_runs'] as const;
export type DestinationFailureRule = (typeof DESTINATION_FAILURE_RULES)[number];

/** The kind of the containing thing, and the key of the current target that names it. */
interface ChildResource {
  readonly parent: DestinationResourceType;
  readonly targetKey: string;
}

/** What a target can be, or be inside of. Accounts and categories are what a sync maps to. */
export type TargetKind = Exclude<DestinationResourceType, 'account' | 'category'>;

/** A step of choosing a target: the kind of thing chosen, and the key of the target that has its id. */
export interface TargetStep {
  readonly kind: TargetKind;
  readonly key: string;
}

interface DestinationTarget {
  /** docs/resources.md#destination */
  readonly keys: readonly string[];
  /** What `GET /v2/destinations/{id}/resources` lists; null for a kind that is not inside another. */
  readonly resources: Readonly<Partial<Record<DestinationResourceType, ChildResource | null>>>;
  /** How a person chooses one; null if it is an address that they enter. */
  readonly steps: {
    readonly outer: TargetStep;
    /** What is chosen inside it; null if the first choice is the target. */
    readonly inner: TargetStep | null;
    /** Keys for the names of both, if the target has them too. */
    readonly names?: readonly [outer: string, inner: string];
  } | null;
  /** What the service can create there, and whether it needs a containing thing; null for nothing. */
  readonly makes: {
    readonly kind: TargetKind;
    readonly parent: 'required' | 'optional' | 'none';
  } | null;
  /** Whether the vendor gives the address of a target. */
  readonly hasAddress: boolean;
}

/** What people read about a type of destination, in English. */
interface DestinationTexts {
  readonly name: string;
  /** In a sentence, as who receives data. */
  readonly recipient: string;
  /** The name of a target whose own name only the vendor knows. */
  readonly target: string;
  /** In one line, for choosing. */
  readonly for: string;
  readonly needs: string;
  /** What of a person's data arrives there. */
  readonly sends: string;
  /** What it may do there, before a person begins. */
  readonly asks: string;
  /** The same, as a list item on the page of consent. */
  readonly mayDo: string;
  /** What remains there once it is deleted here. */
  readonly stays: string;
  /** What deleting it here does to its permission, after "This will". */
  readonly ends: string;
  /** What happens to a target that the service creates; empty if it creates none. */
  readonly makes: string;
  /** Where balances are written; null if they are not. */
  readonly balances: string | null;
  /** The page of docs/ about it, with the section. */
  readonly guide: string;
}

/** Everything that differs between types of destination, except how their vendors' APIs are called. */
export interface DestinationKind {
  readonly connects: DestinationConnection;
  /**
   * What a person enters to connect it with a `secret`: one address with credentials, or a server and how to sign in
   * there.
   */
  readonly secret: 'connection_address' | 'server_sign_in' | null;
  /** What to do at the vendor before one can be connected; null if there is no vendor. */
  readonly console: ConsolePage | null;
  /** Types of sync that may write to it (docs/resources.md#sync, rule 3). */
  readonly holds: readonly SyncType[];
  /** Whether its deliveries are signed, with a secret that can be rotated. */
  readonly signingSecret: boolean;
  readonly failure: DestinationFailureRule;
  /** Whether the owner of a sync chooses which fields its rows show (docs/columns.md#choosing-columns). */
  readonly columns: boolean;
  readonly target: DestinationTarget;
  /** How accounts are mapped to places inside it (docs/resources.md#sync, rule 2). */
  readonly mapping: MappingRule;
  /** Whether its rows have a category of its own (`GET /v2/syncs/{id}/category_mappings`). */
  readonly mapsCategories: boolean;
  /** As many rows as its vendor accepts in two minutes, if all of them would take longer; null for all. */
  readonly demoRows: number | null;
  readonly texts: DestinationTexts;
}
