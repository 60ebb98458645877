import type { ReceivedRow } from '../../../../sandbox/shared/simulator.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import type { World } from '../../../features/sync-engine/support/world.ts';

/**
 * One destination for the shared suites. To join: write `suite/<type>-member.ts` that exports a SuiteMember, and
 * `suite/<type>.test.ts` that calls `describeStreams(member)` and `describeFaults(member)` and closes the database of the
 * worlds with `after(closeDatabase)`. `paperclip-member.ts` is the model for a linked destination.
 *
 * - `open` starts the simulator, opens a World with the connector, and stores a linked, aimed destination
 *   (`linkedDestination`). The world's clock stands still, so a connector that waits before it tries again needs a clock
 *   whose `sleep` ends at once, beside the engine's own.
 * - `rows` answers with `ReceivedRows.rows()` of the simulator, the id being the transaction's id of v2.
 * - `drop` counts the requests that the simulator has from that moment on, sign-in included: with `shared/faults.ts` it is
 *   `connection-reset` (`before`), `truncated-body` (`during`) or `drop-answer` (`after`) on the route `*` with
 *   `after: request`.
 */
export interface SuiteMember {
  readonly name: string;
  open(): Promise<SuiteScene>;
  /**
   * Whether it recognises rows that were there: then a resync adds none of them. A destination that cannot, such as a
   * webhook, has them sent again as new.
   */
  readonly recognises: boolean;
  /** The text as it is there; the same text where the destination takes everything. */
  readonly text: (given: string) => string;
  /** What the destination shows of a row, as the suite compares it; `text` is the description. */
  shown(row: ReceivedRow): ShownRow;
  /** Why rows that were there may count as added where a process died in a resync; they are there once anyway. */
  readonly uncertainResync?: string;
  /** Why rows of all accounts are in one place; absent if mappings give them places. */
  readonly onePlace?: string;
  /** The only currency whose rows it takes, and why; rows of others count as rejected. */
  readonly oneCurrency?: { readonly code: string; readonly because: string };
  /** Rows of the large stream; {@link MANY_ROWS} where the vendor takes rows in bulk. */
  readonly manyRows: number;
  /** Rows of the stories that the fault suite repeats, if not {@link BULK_ROWS}: fewer where each row or few rows are a call. */
  readonly storyRows?: StoryRows;
}

export interface StoryRows {
  /** More than one chunk holds. */
  readonly first: number;
  /** Rows that are there when a resync begins. */
  readonly standing: number;
}

/** For destinations that take rows in bulk. */
export const BULK_ROWS: StoryRows = { first: 620, standing: 130 };

export interface ShownRow {
  /** Decimal text with the places of the currency. */
  readonly amount: string;
  readonly text: string;
  readonly status: string;
}

export interface SuiteScene extends AsyncDisposable {
  readonly world: World;
  sync(accounts: readonly RowId<'account'>[], more?: Partial<NewSync>): Promise<Sync>;
  rows(): readonly ReceivedRow[];
  /** Requests that the simulator has had. */
  requests(): number;
  /**
   * Drops the connection of one request, 0 being the next: before it takes effect, or after that, with its answer half
   * sent (`during`) or not at all.
   */
  drop(request: number, when: 'before' | 'during' | 'after'): void;
  /** Where a refresh token counts once: a renewal that is not stored ends the grant (docs/destinations.md#grants). */
  readonly grant?: SuiteGrant;
  /** The mapping that sends rows of an account to the place of that name; absent with `onePlace`. */
  place?(account: RowId<'account'>, name: 'first' | 'second'): NewSync['accountMappings'][number];
  /** Has the simulator refuse this row alone; absent if it refuses none. */
  refuse?(id: string): void;
  /** What a person does who deletes the row there; absent if no one can. */
  deleteRow?(id: string): void;
  /** Gives rows that have their account in their id the plain id, as a person might; absent if none has. */
  plainIds?(): void | Promise<void>;
  /** Of a destination that can be read. */
  readonly verified?: VerifiedScene;
}

export interface VerifiedScene {
  /** Requests that change something at the vendor, sign-in aside. */
  writes(): number;
  /** A person puts the text in the place of the row's description, or does what `edited` says. */
  edit(id: string, text: string): void;
  /** What is found and expected then, where a text that a person wrote stays theirs. */
  readonly edited?: { readonly found: string; readonly expected: string };
  /** A person copies the row; absent if a copy is another row. */
  copy?(id: string): void;
  /** A person adds a row of their own. */
  own?(): void;
}

export interface SuiteGrant {
  /** Does the work, and answers whether the vendor renewed the grant meanwhile and the renewed one was not stored. */
  losesRenewal(work: () => Promise<unknown>): Promise<boolean>;
  /** The person signs in again, and the destination is active. */
  signInAgain(): Promise<void>;
}
