import type { AccountMapping } from '../../vocabulary/account-mappings.ts';
import type { AuthorizationCallback, AuthorizationRequest } from '../../vocabulary/authorization.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { DestinationResourceType } from '../../vocabulary/destinations.ts';
import type { Holding } from '../../vocabulary/holdings.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { CategoryMapping, MappingMode, SyncOptions, SyncType } from '../../vocabulary/syncs.ts';
import type { ColumnProblem, Refusal } from '../../vocabulary/verifications.ts';
import type {
  ChunkRow,
  DeliveryAccount,
  DeliveryRow,
  ExistingRow,
  HoldingsSnapshot,
  OutgoingChunk,
  Snapshot,
  WrittenChunk,
} from './delivery-rows.ts';

/**
 * What every destination adapter implements (docs/adding-a-destination.md). An adapter speaks the vendor's protocol; it
 * knows no ledger, no storage and no source. The engine decides what is written and in which order, and records its
 * intent before each write.
 */
export interface DestinationConnector {
  readonly type: DestinationType;
  /**
   * What the engine does with a chunk whose outcome is unknown. `resend`: sending the same chunk again is harmless,
   * because the destination recognises it. `look_up`: look the chunk's ids up first and write only what is missing.
   */
  readonly afterUnknown: 'resend' | 'look_up';
  /** The most rows of one write, and the most bytes of their encoded text together; one row is always allowed. */
  readonly chunkRows: number;
  readonly chunkBytes: number;
  /**
   * The form in which it writes rows and chunks now, counted from 1; absent if there was only ever one. A chunk whose
   * outcome is unknown is sent again in the form it was started in, so an event id never refers to two bodies because
   * the service was updated in between. An adapter must still support every form in which a chunk may be unconfirmed.
   */
  readonly rowForm?: number;
  /** Prepares to write one run. Raises DestinationFailure. */
  open(opening: DestinationOpening, signal: AbortSignal): Promise<DestinationWriter>;
  /** How a person links it by signing in there. Absent if a destination is created directly. */
  readonly linking?: DestinationLinking;
  /**
   * How it is connected with the owner's address and credentials, or with nothing. If its kind connects by `secret` or
   * `direct`.
   */
  readonly signIn?: DestinationSignIn;
  /** What can be chosen as a target. Absent if there is nothing to choose from. */
  readonly resources?: DestinationResources;
  /**
   * Checks that a target, and what is in it, exists and may be written to, before it is stored; null if so. Writes
   * nothing. Absent if a target is a web address, which the outgoing guard checks. Raises UpstreamFailure if the vendor
   * does not say, or rejects with `signal.reason`.
   */
  checkTarget?(
    access: DestinationAccess,
    question: TargetQuestion,
    signal: AbortSignal,
  ): Promise<TargetProblem | null>;
  /**
   * Creates a spreadsheet, database or table, or places in one. Absent if people create those themselves. Raises
   * DestinationFailure: `refused` if certainly nothing was created, `unknown` if something may have been; then the next
   * attempt has the same key, with `again`.
   */
  create?(access: DestinationAccess, request: CreationRequest, signal: AbortSignal): Promise<CreatedTarget>;
}

/** Signing in at the vendor (OAuth 2, with PKCE if the vendor supports it). Failures are UpstreamFailures. */
export interface DestinationLinking {
  /** The vendor's page to send the person to. May be called any number of times. */
  begin(request: AuthorizationRequest, signal: AbortSignal): Promise<string>;
  /** Exchanges the callback, once. A person who refused is an outcome, not a failure. */
  complete(callback: AuthorizationCallback, signal: AbortSignal): Promise<AuthorizationOutcome>;
  /**
   * Ends a grant at the vendor, as when the destination is deleted; succeeds if it had already ended. Absent if the
   * vendor has no way to. Raises UpstreamFailure.
   */
  revoke?(grant: string, signal: AbortSignal): Promise<void>;
  /**
   * Whether ending `ended` would end `existing` too: because the vendor issued the same tokens again, or ends
   * everything a person granted at once. A grant is left as it is if ending it would end one in use. Absent if only the
   * same text is the same grant.
   */
  endsWith?(existing: string, ended: string): boolean;
}

/**
 * Connecting with the address of the owner's own server and its credentials, in one text: empty if a kind connects by
 * `direct`.
 */
export interface DestinationSignIn {
  /**
   * Signs in once, to check the secret. A secret that cannot be used is an outcome; other failures are
   * UpstreamFailures. Only addresses that the outgoing guard permits may be called.
   */
  check(owner: string, secret: string, signal: AbortSignal): Promise<SignInOutcome>;
}

export type SignInOutcome =
  /** As in AuthorizationOutcome. */
  | { readonly kind: 'accepted'; readonly grant: string; readonly name: string }
  /**
   * `message`: what is wrong with the secret and what to do, for the caller; it may contain the host, and nothing else
   * of the secret.
   */
  | { readonly kind: 'refused'; readonly message: string };

export type AuthorizationOutcome =
  /** `grant`: whatever the adapter needs later, as text; stored sealed. `name`: the initial name of the destination. */
  | { readonly kind: 'linked'; readonly grant: string; readonly name: string }
  /** `grant`: what was granted anyway, and is of no use. It is ended, unless one in use would end with it. */
  | {
      readonly kind: 'refused';
      readonly reason: 'access_denied' | 'unknown';
      readonly grant?: string;
    };

/** Resources at the vendor, read live. Failures are UpstreamFailures; an unknown parent is a `bad_request`. */
export interface DestinationResources {
  /** At most `query.limit` items, those the vendor lists first. */
  list(
    access: DestinationAccess,
    query: ResourceQuery,
    signal: AbortSignal,
  ): Promise<readonly DestinationResource[]>;
}

export interface ResourceQuery {
  readonly type: DestinationResourceType;
  /** The vendor's id of its parent; null for a type without one. */
  readonly parent: string | null;
  readonly limit: number;
}

export interface DestinationResource {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
}

/** Writes one run. Every member raises DestinationFailure, or rejects with `signal.reason`. */
export interface DestinationWriter {
  /**
   * JSON text of the row as it will be sent. Pure; called once for each row, before chunks are packed. `form`: the
   * connector's `rowForm`, or the earlier one of a chunk that is sent again.
   */
  encode(row: DeliveryRow, form: number): string;
  /** Writes one chunk. When it returns, every row is there as it was sent, except those listed as rejected. */
  write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk>;
  /**
   * Which of the rows of a chunk are at the destination, by their source ids. Only if `afterUnknown` is `look_up`.
   * @param created when the unconfirmed chunk was first built, epoch milliseconds
   */
  lookUp?(
    rows: readonly Pick<ChunkRow, 'id' | 'account'>[],
    created: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ExistingRow>>;
  /**
   * Replaces what was written of the account before with the snapshot. Repeated after a crash, so it must be
   * idempotent. Needed for destinations that accept `holdings`, and for those with a tab of balances.
   */
  writeSnapshot?(snapshot: Snapshot, signal: AbortSignal): Promise<void>;
  /**
   * Reads the target, for destinations that can be read. Writes nothing. Called only for verification, never in a run.
   */
  readonly reading?: TargetReading;
  /**
   * Called once when everything was written, before the run ends; again in the next attempt if a process dies before
   * that, so it must be idempotent. For work that can only be done then: verifying, tidying, sorting. The signal aborts
   * after LIMIT_FINISH_DEADLINE_MS.
   */
  finish?(ending: RunEnding, signal: AbortSignal): Promise<void>;
  /** Called once at the end of every attempt, however it ended. Its failure does not change the result of the run. */
  close(): Promise<void>;
}

/** What is known about a target before any row is compared. */
export interface TargetInspection {
  /** Columns that rows of the sync should show and that the target does not have, or not in a suitable form. */
  readonly lacking: readonly LackingColumn[];
  /**
   * What the destination cannot show of a row with this encoded text, so that every write refuses it; null if nothing
   * is known in advance. Pure.
   */
  refusal?(text: string): Refusal | null;
}

export interface LackingColumn {
  /** The name that people see. */
  readonly name: string;
  /** The part of the target, such as a tab; null if it has only one. */
  readonly where: string | null;
  readonly problem: ColumnProblem;
}

/** Reads a target back, so that what is there can be compared with what should be. */
export interface TargetReading {
  /**
   * What a row shows at the destination once its encoded text is written: each field that is compared, under the name
   * that people see. Pure. Equal to the `values` of that row from `rows`, as long as no one edits it; a field that
   * either leaves out is not compared, and an empty text equals null.
   */
  shown(text: string): ShownValues;
  /**
   * The same for one position of a snapshot, except for when it was read, which each run updates. Absent if positions
   * cannot be read back; what accounts hold is then compared only with the ledger.
   */
  shownHolding?(holding: Holding, of: HoldingsSnapshot): ShownValues;
  /**
   * The keys by which the row with this source id of this account is found, the most reliable first: one of these is in
   * `keys` of the row that `rows` returns, unless that has `row`. `remoteRef`: the destination's own id, if the ledger
   * has it. Pure.
   */
  keysOf(id: string, remoteRef: string | null, account: RowId<'account'>): readonly string[];
  /**
   * Checks the target itself, once and before `rows`. Absent if nothing is known before the rows. Writes nothing.
   * Raises DestinationFailure `refused`, as for a target that is gone, or rejects with `signal.reason`.
   */
  inspect?(signal: AbortSignal): Promise<TargetInspection>;
  /** How long after a write `rows` may lack it, in milliseconds; absent if it never does. */
  readonly settlesMs?: number;
  /** Fields about the row's account: they change without the row being sent again. */
  readonly accountFields?: readonly string[];
  /**
   * Every row in the target that was written by a sync, as it is there, in pages of bounded size. A person's own rows
   * are not among them. Raises DestinationFailure `refused`, or rejects with `signal.reason`.
   */
  rows(signal: AbortSignal): AsyncIterable<readonly ShownRow[]>;
}

export type ShownValues = Readonly<Record<string, string | null>>;

export interface ShownRow {
  /**
   * The account and source id that it names, if it names both. `keys` then counts for an account without expected rows,
   * as when another account record writes the same rows. Absent if it has only an id.
   */
  readonly row?: { readonly account: RowId<'account'>; readonly id: string };
  /** The most reliable first. */
  readonly keys: readonly string[];
  /** How a person finds it there: a row number, a page, an id. */
  readonly where: string;
  readonly values: ShownValues;
  /**
   * For a row of a snapshot: the account that it names. What an account no longer holds is removed by its next
   * snapshot.
   */
  readonly position?: ShownPosition;
}

export interface ShownPosition {
  readonly account: RowId<'account'>;
  /** The position's id as it is there. */
  readonly id: string;
}

export interface RunEnding {
  /** The sync's accounts. What was written of other accounts no longer belongs to any account. */
  readonly accounts: readonly RowId<'account'>[];
  /** Those of them that were read completely in this run. */
  readonly read: readonly RowId<'account'>[];
  /**
   * Whether this run wrote anything, or an earlier one that did not succeed may have: else there is nothing new to
   * verify.
   */
  readonly wrote: boolean;
}

/** What an adapter gets to write one run. Secrets are unsealed; they are never logged. */
export interface DestinationOpening {
  /** Whose share of sockets and lookups its calls use. */
  readonly owner: string;
  readonly target: Readonly<Record<string, string>>;
  /** For a destination with a signing secret: the valid ones, newest first. */
  readonly secrets: readonly string[];
  /** For a linked destination: access to its grant. */
  readonly access: DestinationAccess | null;
  readonly sync: OpenedSync;
  /**
   * Which of these ids, which are the destination's own, belong to rows that are there according to the ledger: for a
   * destination that has no other way to recognise a row. Rows of chunks that are not yet recorded are not among them.
   */
  readonly recorded: (remoteRefs: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * For each of these source ids, the accounts of which a row with that id is at the destination according to the
   * ledger, in the order of the sync's accounts: for a destination that keeps the ids of several accounts together
   * (kit/shared-ids.ts). Null if the destination has rows of at most one account. Rows of chunks that are not yet
   * recorded are missing.
   */
  readonly accountsWithRows: (
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly RowId<'account'>[]> | null>;
}

/** The sync whose rows are written, as its owner set it up. */
export interface OpenedSync {
  /** Whose it is, for a destination that says so. */
  readonly account_record: OwnerId;
  readonly id: RowId<'sync'>;
  readonly type: SyncType;
  readonly mapping_mode: MappingMode;
  /** Where the rows of an account go, for accounts with their own place. */
  readonly account_mappings: readonly AccountMapping[];
  /** Which of the destination's own categories rows of a provider category get. */
  readonly category_mappings: readonly CategoryMapping[];
  /**
   * The fields of its rows (row-fields.ts) that its owner chose, in their order, for kit/chosen-fields.ts; null for the
   * standard ones. Ignored by destinations without columns, and for balances.
   */
  readonly columns: readonly string[] | null;
  /** `data_from`: the first day whose rows are delivered. */
  readonly options: SyncOptions;
}

/**
 * The grant of a linked destination: text that the connector made, stored sealed. Many processes may use it at once; a
 * vendor that rotates refresh tokens ends a grant whose token is used twice.
 */
export interface DestinationAccess {
  /** Whose share of sockets and lookups calls made with it use. */
  readonly owner: string;
  /** The grant as currently stored. Raises what storage raises. */
  current(): Promise<string>;
  /**
   * The grant that replaces `spent`. If it has already been replaced, the stored one is returned without a call.
   * Otherwise `exchange` is called, by one process at a time, and what it returns is stored before it is returned here.
   * Its signal aborts only after LIMIT_READ_DEADLINE_MS: a token that was rotated must not be lost because its caller
   * left. Raises what storage raises, and DestinationFailure `refused` if the exchange failed or took too long, whether
   * `exchange` raised that or an UpstreamFailure; a connector that had already written part of a chunk makes it
   * `unknown`.
   */
  renew(spent: string, exchange: GrantExchange): Promise<string>;
}

export type GrantExchange = (grant: string, signal: AbortSignal) => Promise<string>;

/** What is about to be stored for a destination, or a sync to it, in the vendor's own ids. */
export interface TargetQuestion {
  /** Every key of the type's target. */
  readonly target: Readonly<Record<string, string>>;
  /** Places in the target that accounts are mapped to: accounts of a budget, tabs of a spreadsheet. */
  readonly places: readonly string[];
  /** Categories of the target that rows should get. */
  readonly categories: readonly string[];
}

/** What cannot be written to. */
export interface TargetProblem {
  readonly part: 'target' | 'places' | 'categories';
  /** The key of the target, or the id that was checked. */
  readonly name: string;
  /** What is wrong and what to do, for the owner; repeats no input. */
  readonly message: string;
}

/** What to create at the vendor: a target, if there is none yet, and a place in it for each of the accounts. */
export interface CreationRequest {
  /**
   * Identifies the request, so that what is created can be marked with it and found by it: the same for every attempt,
   * and different for every request.
   */
  readonly key: string;
  /**
   * Whether an earlier attempt with this key may have created something. If so, look for it first and return it; create
   * only what is missing.
   */
  readonly again: boolean;
  /** The name of a new target. */
  readonly name: string;
  /** The vendor's id of the parent of a new target; null if the vendor needs none. */
  readonly parent: string | null;
  /** Null: create a target too. */
  readonly target: Readonly<Record<string, string>> | null;
  readonly type: SyncType;
  readonly mappingMode: MappingMode;
  /** Accounts that need their own place; empty if they share one. */
  readonly accounts: readonly DeliveryAccount[];
  /** Like OpenedSync.columns; absent if there is no sync yet. */
  readonly columns?: readonly string[] | null;
}

export interface CreatedTarget {
  /** Every key of the type's target. */
  readonly target: Readonly<Record<string, string>>;
  /** An entry for each of the requested accounts. */
  readonly mappings: readonly AccountMapping[];
}
