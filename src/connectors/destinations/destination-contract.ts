import type { AuthorizationCallback, AuthorizationRequest } from '../../vocabulary/authorization.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { DestinationResourceType } from '../../vocabulary/destinations.ts';
import type { Holding } from '../../vocabulary/holdings.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { ColumnProblem, Refusal } from '../../vocabulary/verifications.ts';
import type {
  ChunkRow,
  DeliveryRow,
  ExistingRow,
  HoldingsSnapshot,
  OutgoingChunk,
  Snapshot,
  WrittenChunk,
} from './delivery-rows.ts';
import type {
  CreatedTarget,
  CreationRequest,
  DestinationAccess,
  DestinationOpening,
  TargetProblem,
  TargetQuestion,
} from './destination-requests.ts';

/**
 * What every destination adapter is to the rest of the house (docs/adding-a-destination.md). An adapter speaks the
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
  /**
   * The form in which it writes rows and chunks now, counted from 1; absent where there was only ever one. A chunk whose
   * outcome nobody knows is sent again in the form it was begun in, so an event id never names two bodies because the
   * service was updated in between. An adapter keeps writing every form in which a chunk may still be unconfirmed.
   */
  readonly rowForm?: number;
  /** Prepares to write one run. Raises DestinationFailure. */
  open(opening: DestinationOpening, signal: AbortSignal): Promise<DestinationWriter>;
  /** How a person links it by signing in there. Absent where a destination is created directly. */
  readonly linking?: DestinationLinking;
  /** How it is connected with an address and credentials of the owner's, or with nothing. Where its kind connects by `secret` or `direct`. */
  readonly signIn?: DestinationSignIn;
  /** What it can be aimed at. Absent where there is nothing to choose from. */
  readonly resources?: DestinationResources;
  /**
   * Looks whether a target, and what lies in it, is there and may be written to, before it is stored; null for a good
   * one. Writes nothing. Absent where a target is a web address, which the outgoing guard judges. Raises UpstreamFailure
   * where the vendor does not say, or rejects with `signal.reason`.
   */
  checkTarget?(
    access: DestinationAccess,
    question: TargetQuestion,
    signal: AbortSignal,
  ): Promise<TargetProblem | null>;
  /**
   * Makes a spreadsheet, database or table, or places in one. Absent where people make those themselves. Raises
   * DestinationFailure: `refused` when certainly nothing was made, `unknown` when something may have been; then the next
   * attempt comes under the same key, with `again`.
   */
  create?(access: DestinationAccess, request: CreationRequest, signal: AbortSignal): Promise<CreatedTarget>;
}

/** Signing in at the vendor (OAuth 2, with PKCE where the vendor knows it). Failures are UpstreamFailures. */
export interface DestinationLinking {
  /** The vendor's page to send the person to. May be asked for any number of times. */
  begin(request: AuthorizationRequest, signal: AbortSignal): Promise<string>;
  /** Exchanges the callback, once. A person who refused is an outcome, not a failure. */
  complete(callback: AuthorizationCallback, signal: AbortSignal): Promise<AuthorizationOutcome>;
  /**
   * Ends a grant at the vendor, as when the destination is deleted; a grant that is ended already is a success. Absent
   * where the vendor has no way to. Raises UpstreamFailure.
   */
  revoke?(grant: string, signal: AbortSignal): Promise<void>;
  /**
   * Whether ending `ended` would end `existing` too: because the vendor issued the same tokens again, or ends everything
   * a person granted at once. A grant with which one in use would end is left as it is. Absent where only the same text
   * is the same grant.
   */
  endsWith?(existing: string, ended: string): boolean;
}

/** Connecting with the address of the owner's own server and the credentials for it, in one text: empty where a kind connects by `direct`. */
export interface DestinationSignIn {
  /**
   * Signs in once, to see that the secret is good. A secret that cannot be used is an outcome; other failures are
   * UpstreamFailures. Only addresses that the outgoing guard allows may be asked.
   */
  check(owner: string, secret: string, signal: AbortSignal): Promise<SignInOutcome>;
}

export type SignInOutcome =
  /** As in AuthorizationOutcome. */
  | { readonly kind: 'accepted'; readonly grant: string; readonly name: string }
  /** `message`: what is wrong with the secret and what to do, for the caller; it may name the host, and repeats nothing else of the secret. */
  | { readonly kind: 'refused'; readonly message: string };

export type AuthorizationOutcome =
  /** `grant`: whatever the adapter needs later, as text; kept sealed. `name`: what to call the destination at first. */
  | { readonly kind: 'linked'; readonly grant: string; readonly name: string }
  /** `grant`: what was granted all the same, and is of no use. It is ended, unless one in use would end with it. */
  | {
      readonly kind: 'refused';
      readonly reason: 'access_denied' | 'unknown';
      readonly grant?: string;
    };

/** What there is at the vendor, read live. Failures are UpstreamFailures; an unknown parent is a `bad_request`. */
export interface DestinationResources {
  /** At most `query.limit` items, those the vendor names first. */
  list(
    access: DestinationAccess,
    query: ResourceQuery,
    signal: AbortSignal,
  ): Promise<readonly DestinationResource[]>;
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

/** Writes one run. Every member raises DestinationFailure, or rejects with `signal.reason`. */
export interface DestinationWriter {
  /**
   * JSON text of the row as it will be sent. Pure; called once for each row, before chunks are packed. `form`: the
   * connector's `rowForm`, or the earlier one of a chunk that is sent again.
   */
  encode(row: DeliveryRow, form: number): string;
  /** Writes one chunk. When it returns, every row is there as it was sent, except those it names as rejected. */
  write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk>;
  /**
   * Which of the rows of a chunk are at the destination, by their source ids. Only where `afterUnknown` is `look_up`.
   * @param created when the chunk that is unconfirmed was first made, epoch milliseconds
   */
  lookUp?(
    rows: readonly Pick<ChunkRow, 'id' | 'account'>[],
    created: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ExistingRow>>;
  /**
   * Puts the snapshot in the place of what was written of the account before. Repeated after a death, so the same
   * snapshot twice must be as once. Needed by destinations that hold `holdings`, and by those with a tab of balances.
   */
  writeSnapshot?(snapshot: Snapshot, signal: AbortSignal): Promise<void>;
  /**
   * What is in the target, for those destinations that can be read. Writes nothing. Called for verifying only, never
   * in a run.
   */
  readonly reading?: TargetReading;
  /**
   * Called once when everything was written, before the run ends; again in the next attempt if a process dies before
   * that, so twice must be as once. For what can be done only then: verifying, tidying, sorting. The signal aborts
   * after LIMIT_FINISH_DEADLINE_MS.
   */
  finish?(ending: RunEnding, signal: AbortSignal): Promise<void>;
  /** Called once at the end of every attempt, however it ended. Its failure changes nothing of what the run ends with. */
  close(): Promise<void>;
}

/** What can be said of a target before any row is compared. */
export interface TargetInspection {
  /** Columns that rows of the sync are to show and that the target does not have, or not so that they hold them. */
  readonly lacking: readonly LackingColumn[];
  /**
   * What of a row with this encoded text the destination cannot show, so that no write takes it; null for nothing that
   * is known before. Pure.
   */
  refusal?(text: string): Refusal | null;
}

export interface LackingColumn {
  /** As people know it. */
  readonly name: string;
  /** In which part of the target, as a tab; null where it has one part. */
  readonly where: string | null;
  readonly problem: ColumnProblem;
}

/** Reads a target back, so that what is there can be compared with what was to be sent. */
export interface TargetReading {
  /**
   * What a row shows at the destination once its encoded text is written: each field that is compared, under the name
   * that people know it by. Pure. Equal to the `values` of that row from `rows`, as long as nobody edits it; a field that
   * either leaves out is not compared, and an empty text is as null.
   */
  shown(text: string): ShownValues;
  /**
   * The same of one position of a snapshot, but for when it was read: each run writes that anew. Absent where positions
   * cannot be read back; what accounts hold is then compared with the ledger alone.
   */
  shownHolding?(holding: Holding, of: HoldingsSnapshot): ShownValues;
  /**
   * What the row with this source id of this account is found by, the surest first: `keys` of the row that `rows` gives
   * has one of these, unless that has `row`. `remoteRef`: the destination's own id, where the ledger has it. Pure.
   */
  keysOf(id: string, remoteRef: string | null, account: RowId<'account'>): readonly string[];
  /**
   * Looks at the target itself, once and before `rows`. Absent where nothing is known before the rows are. Writes nothing.
   * Raises DestinationFailure `refused`, as for a target that is gone, or rejects with `signal.reason`.
   */
  inspect?(signal: AbortSignal): Promise<TargetInspection>;
  /** How long after a write `rows` may lack it, in milliseconds; absent where it never does. */
  readonly settlesMs?: number;
  /** Those of the fields that say something of the row's account: they change without the row being sent again. */
  readonly accountFields?: readonly string[];
  /**
   * Every row in the target that was written by a sync, in pages of a bounded number, each as the destination has it. Rows
   * of a person's own are not among them. Raises DestinationFailure `refused`, or rejects with `signal.reason`.
   */
  rows(signal: AbortSignal): AsyncIterable<readonly ShownRow[]>;
}

export type ShownValues = Readonly<Record<string, string | null>>;

export interface ShownRow {
  /**
   * The account and source id that it says it is of, where it says both. `keys` then counts for an account that no
   * expected row is of, as where another account record writes the same rows. Absent where it has an id alone.
   */
  readonly row?: { readonly account: RowId<'account'>; readonly id: string };
  /** The surest first. */
  readonly keys: readonly string[];
  /** How a person finds it there: a row number, a page, an id. */
  readonly where: string;
  readonly values: ShownValues;
  /** Of a row of a snapshot: whose position it says it is. What an account does not hold goes with its next snapshot. */
  readonly position?: ShownPosition;
}

export interface ShownPosition {
  readonly account: RowId<'account'>;
  /** What is there as the position's id. */
  readonly id: string;
}

export interface RunEnding {
  /** The sync's accounts. What was written of accounts that are not among them belongs to no account any more. */
  readonly accounts: readonly RowId<'account'>[];
  /** Those of them that were read to their end in this run. */
  readonly read: readonly RowId<'account'>[];
  /** Whether this run wrote anything, or one before it that did not end well may have: else there is nothing new to verify. */
  readonly wrote: boolean;
}
