import type { AccountType } from '../../vocabulary/account-types.ts';
import type { DestinationResourceType, DestinationType } from '../../vocabulary/destinations.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { RunFailureCode } from '../../vocabulary/syncs.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';

/**
 * What every destination adapter is to the rest of the house (destination facts, section 1). An adapter speaks the
 * vendor's wire; it knows no ledger, no storage and no source. The engine decides what is written and in which order,
 * and records its intent before each write.
 */
export interface DestinationConnector {
  readonly type: DestinationType;
  /**
   * What the engine does with a chunk whose outcome nobody knows. `resend`: the same chunk again is harmless, because
   * the destination recognises it. `look_up`: ask for the chunk's ids first and write only what is not there.
   */
  readonly afterUnknown: 'resend' | 'look_up';
  /** The most rows of one write, and the most bytes of their encoded text together; one row is always allowed. */
  readonly chunkRows: number;
  readonly chunkBytes: number;
  /** Prepares to write one run. Raises DestinationFailure. */
  open(opening: DestinationOpening, signal: AbortSignal): Promise<DestinationWriter>;
  /** How a person links it by signing in there. Absent where a destination is created directly. */
  readonly linking?: DestinationLinking;
  /** What it can be aimed at. Absent where there is nothing to choose from. */
  readonly resources?: DestinationResources;
}

/** Signing in at the vendor (OAuth 2, with PKCE where the vendor knows it). Failures are UpstreamFailures. */
export interface DestinationLinking {
  /** The vendor's page to send the person to. May be asked for any number of times. */
  begin(request: AuthorizationRequest, signal: AbortSignal): Promise<string>;
  /** Exchanges what came back, once. A person who refused is an outcome, not a failure. */
  complete(landing: AuthorizationLanding, signal: AbortSignal): Promise<AuthorizationOutcome>;
}

export interface AuthorizationRequest {
  /** One fixed address for all links, as vendors want it registered. */
  readonly redirectUri: string;
  /** To be sent back as it is, in the query parameter `state`. */
  readonly state: string;
  /** PKCE code verifier of this link, 43 characters. */
  readonly verifier: string;
}

export interface AuthorizationLanding {
  readonly redirectUri: string;
  readonly verifier: string;
  /** The query the person came back with, without `state`. Untrusted. */
  readonly query: Readonly<Record<string, string>>;
}

export type AuthorizationOutcome =
  /** `grant`: whatever the adapter needs later, as text; kept sealed. `name`: what to call the destination at first. */
  | { readonly kind: 'linked'; readonly grant: string; readonly name: string }
  | { readonly kind: 'refused'; readonly reason: 'access_denied' | 'unknown' };

/** What there is at the vendor, read live. Failures are UpstreamFailures; an unknown parent is a `bad_request`. */
export interface DestinationResources {
  /** At most `query.limit` items, those the vendor names first. */
  list(grant: string, query: ResourceQuery, signal: AbortSignal): Promise<readonly DestinationResource[]>;
}

export interface ResourceQuery {
  readonly type: DestinationResourceType;
  /** The vendor's id of what it lies in; null for a type that lies in nothing. */
  readonly parent: string | null;
  readonly limit: number;
}

export interface DestinationResource {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
}

/** What an adapter is given to reach one destination of one person. Secrets are in the clear; they are never logged. */
export interface DestinationOpening {
  readonly target: Readonly<Record<string, string>>;
  /** For a webhook: the signing secrets that count now, newest first. */
  readonly secrets: readonly string[];
  /** For a linked destination: the grant as the adapter made it. */
  readonly grant: string | null;
  readonly options: DeliveryOptions;
}

/** Options of a sync that decide what a row looks like (SPEC, sync). */
export interface DeliveryOptions {
  readonly mask_account_numbers: boolean;
  readonly custom_categories: boolean;
}

export interface DestinationWriter {
  /** JSON text of the row as it will be sent. Pure; called once for each row, before chunks are packed. */
  encode(row: DeliveryRow): string;
  /**
   * Writes one chunk. When it returns, every row stands at the destination except those it names as rejected.
   * Raises DestinationFailure, or rejects with `signal.reason`.
   */
  write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk>;
  /** Which of the source ids stand at the destination, with its own id of each. Only where `afterUnknown` is `look_up`. */
  lookUp?(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string | null>>;
  close(): Promise<void>;
}

/** The account a row belongs to, as rows name it. */
export interface DeliveryAccount {
  readonly id: RowId<'account'>;
  readonly name: string;
  readonly institution: string;
  readonly type: AccountType;
  /** `xxxx` plus four digits. */
  readonly maskedNumber: string | null;
}

/** One row to write. */
export interface DeliveryRow {
  readonly account: DeliveryAccount;
  readonly transaction: Transaction;
  /** The person's own category, where the sync asks for it and a category claims the row. */
  readonly customCategory: string | null;
  /** What a rule noted on the row. */
  readonly memo: string | null;
  /** What rules tagged the row with, without repeats. */
  readonly tags: readonly string[];
  /** Set when this posted row takes the place of a pending one: the pending row's id. */
  readonly replaces: string | null;
}

export interface ChunkRow {
  readonly id: string;
  /** Encoded text; null for a removal, which has nothing but its id. */
  readonly text: string | null;
  /** The destination's own id of the row, or of the row it replaces. */
  readonly remoteRef: string | null;
}

/** Rows that travel together. `eventId` and `created` stay the same however often the chunk is tried. */
export interface OutgoingChunk {
  readonly eventId: string;
  readonly run: RowId<'sync_run'>;
  /** From 1. */
  readonly number: number;
  /** Known only for the last chunk of a run, where it equals `number`. */
  readonly total: number | null;
  /** Epoch milliseconds at which the chunk was first made. */
  readonly created: number;
  readonly added: readonly ChunkRow[];
  readonly updated: readonly ChunkRow[];
  readonly removed: readonly ChunkRow[];
}

export interface WrittenChunk {
  /** Source ids the destination refused one by one. */
  readonly rejected: readonly string[];
  /** The destination's own ids by source id; empty where it has none. */
  readonly remoteRefs: ReadonlyMap<string, string>;
}

/**
 * A chunk was not written, or nobody knows. `message` names the destination's origin and what happened; it holds
 * neither a secret nor a row.
 */
export class DestinationFailure extends Error {
  readonly code: RunFailureCode;
  /** `refused`: certainly nothing of the chunk was taken. `unknown`: it may have been. */
  readonly outcome: 'refused' | 'unknown';
  /** Whether a later run may succeed without anybody doing anything. */
  readonly retryable: boolean;
  /** The destination said that it is gone for good: it is disabled at once. */
  readonly disables: boolean;

  constructor(
    code: RunFailureCode,
    message: string,
    more: { outcome: 'refused' | 'unknown'; retryable: boolean; disables?: boolean; cause?: unknown },
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'DestinationFailure';
    this.code = code;
    this.outcome = more.outcome;
    this.retryable = more.retryable;
    this.disables = more.disables ?? false;
  }
}
