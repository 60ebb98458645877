import type { ShownRow, ShownValues } from '../../../connectors/destinations/destination-contract.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { ProblemReason, Refusal } from '../../../vocabulary/verifications.ts';
import type { RowChange } from '../compare/row-changes.ts';

export interface ExpectedRow {
  readonly id: string;
  readonly account: RowId<'account'>;
  readonly expectation: Expectation;
  /** Days since 1970. */
  readonly day: number | null;
  /** Other ids of the row. */
  readonly aliases: readonly string[];
  /** How it is found at the destination. */
  readonly keys: readonly string[];
  /** Null if nothing is compared. */
  readonly shown: ShownValues | null;
  /** What the destination cannot show of it, if it is refused. */
  readonly refusal?: Refusal | null;
}

/** A row as it is remembered. */
export interface RememberedRow extends Pick<ExpectedRow, 'id' | 'account' | 'expectation' | 'day'> {
  readonly index: number;
  readonly refusal: Refusal | null;
}

type Shape = readonly string[];

const FIRST_HASHES = 1 << 12;
const NO_SHAPE: Shape = [];

/** What the destination should show, at about 300 bytes per row: ids, and a hash of each field instead of the field. */
export class ExpectedRows {
  readonly #most: number;
  /** Ids and keys together: an id of one row is never a key of another. */
  readonly #byKey = new Map<string, number>();
  /** Every account that has a row. */
  readonly #known = new Set<RowId<'account'>>();
  /** The rows of keys that several accounts share. */
  readonly #sharing = new Map<string, number[]>();
  readonly #ids: string[] = [];
  readonly #accounts: RowId<'account'>[] = [];
  readonly #expectations: Expectation[] = [];
  readonly #days: (number | null)[] = [];
  /** Names of the fields; nearly all rows share one list. */
  readonly #shapes: Shape[] = [];
  readonly #knownShapes = new Map<string, Shape>();
  /** For few rows. */
  readonly #refusals = new Map<number, Refusal>();
  /** The index of a row's first hash. */
  readonly #starts: number[] = [];
  #hashes = new Uint32Array(FIRST_HASHES);
  #used = 0;

  /** @param most rows to remember */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#ids.length;
  }

  get isFull(): boolean {
    return this.#ids.length >= this.#most;
  }

  has(account: RowId<'account'>, id: string): boolean {
    return this.#byKey.has(this.#identity(account, id));
  }

  /** A row is identified by its account and its id. The id alone refers to the first account that has it. */
  #identity(account: RowId<'account'>, id: string): string {
    const known = this.#byKey.get(id);
    return known === undefined || this.#accounts[known] === account ? id : `${account} ${id}`;
  }

  /** False, with nothing done, if there is no more room. A known row is left as it is. */
  add({ id, account, expectation, day, aliases, keys, shown, refusal = null }: ExpectedRow): boolean {
    const identity = this.#identity(account, id);
    if (this.#byKey.has(identity)) return true;
    const index = this.#ids.length;
    if (this.isFull) return false;
    this.#ids.push(id);
    this.#accounts.push(account);
    this.#known.add(account);
    this.#expectations.push(expectation);
    this.#days.push(day);
    if (refusal !== null) this.#refusals.set(index, refusal);
    for (const key of new Set([identity, ...aliases, ...keys])) {
      const first = this.#byKey.get(key);
      if (first === undefined) this.#byKey.set(key, index);
      else if (this.#accounts[first] !== account) this.#share(key, first, index);
    }
    this.#shapes.push(shown === null ? NO_SHAPE : this.#shapeOf(shown));
    this.#starts.push(this.#used);
    if (shown !== null) this.#hash(Object.values(shown));
    return true;
  }

  /**
   * The rows that a target's row may be: the one with its account and id, or else those with the most reliable known
   * key. Several if accounts share the key. Keys of rows that should be there come before others.
   */
  find({ row, keys }: Pick<ShownRow, 'row' | 'keys'>): readonly RememberedRow[] {
    if (row !== undefined && (keys.length === 0 || this.#known.has(row.account))) {
      const { account, id } = row;
      const all = [...this.#rowsOf(this.#identity(account, id)), ...this.#rowsOf(id)];
      return all.filter((one) => one.account === account).slice(0, 1);
    }
    let unwanted: readonly RememberedRow[] = [];
    for (const key of keys) {
      const rows = this.#rowsOf(key);
      const wanted = rows.filter(({ expectation }) => EXPECTATIONS[expectation].wanted);
      if (wanted.length > 0) return wanted;
      if (unwanted.length === 0) unwanted = rows;
    }
    return unwanted;
  }

  #rowsOf(key: string): readonly RememberedRow[] {
    const first = this.#byKey.get(key);
    if (first === undefined) return [];
    return (this.#sharing.get(key) ?? [first]).map((index) => this.at(index));
  }

  #share(key: string, first: number, index: number): void {
    const rows = this.#sharing.get(key);
    if (rows === undefined) this.#sharing.set(key, [first, index]);
    else rows.push(index);
  }

  /** @throws RangeError for an index that no row has */
  at(index: number): RememberedRow {
    const id = this.#ids[index];
    const account = this.#accounts[index];
    const expectation = this.#expectations[index];
    const day = this.#days[index];
    if (id === undefined || account === undefined || expectation === undefined || day === undefined) {
      throw new RangeError('no row is remembered under this index');
    }
    return { index, id, account, expectation, day, refusal: this.#refusals.get(index) ?? null };
  }

  /** Names of the fields of a row that differ from what they should show. */
  differing(index: number, found: ShownValues): readonly string[] {
    const start = this.#starts[index] ?? 0;
    return (this.#shapes[index] ?? NO_SHAPE).filter((name, at) => {
      const value = found[name];
      return value !== undefined && textHash(value ?? '') !== this.#hashes[start + at];
    });
  }

  #shapeOf(shown: ShownValues): Shape {
    const names = Object.keys(shown);
    const text = JSON.stringify(names);
    const known = this.#knownShapes.get(text) ?? names;
    this.#knownShapes.set(text, known);
    return known;
  }

  #hash(values: readonly (string | null)[]): void {
    if (this.#used + values.length > this.#hashes.length) {
      const more = new Uint32Array(Math.max(this.#hashes.length * 2, this.#used + values.length));
      more.set(this.#hashes);
      this.#hashes = more;
    }
    for (const value of values) this.#hashes[this.#used++] = textHash(value ?? '');
  }
}

/**
 * A number of 32 bits for a text (FNV-1a with the last step of MurmurHash3). Texts that differ in one character never
 * have the same; two others have it once in four billion.
 */
function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

interface Verdict {
  /** Whether the destination should show the row. */
  readonly wanted: boolean;
  /** What it proves that a row is missing, is there as expected or unexpected, or differs; null: nothing. */
  readonly absent: ProblemReason | null;
  readonly present: ProblemReason | null;
  readonly differs: ProblemReason | null;
  /** What follows if the destination is not read. */
  readonly recorded: ProblemReason | null;
}

const NOTHING = { wanted: false, absent: null, present: null, differs: null, recorded: null } as const;

/** The expected states of rows, from what the bank says now and what was delivered. */
export const EXPECTATIONS = {
  delivered: { ...NOTHING, wanted: true, absent: 'removed_there', differs: 'edited_there' },
  changed: {
    ...NOTHING,
    wanted: true,
    absent: 'removed_there',
    differs: 'changed_since',
    recorded: 'changed_since',
  },
  /** It replaces another row with the next run. */
  replacing: {
    ...NOTHING,
    wanted: true,
    absent: 'removed_there',
    differs: 'replaced_since',
    recorded: 'replaced_since',
  },
  /** Not delivered; after a resync it may be there anyway. */
  undelivered: {
    ...NOTHING,
    wanted: true,
    absent: 'not_delivered_yet',
    differs: 'changed_since',
    recorded: 'not_delivered_yet',
  },
  /** Not delivered, and the destination accepts it in no run. */
  refused: {
    ...NOTHING,
    wanted: true,
    absent: 'refused',
    differs: 'change_refused',
    recorded: 'refused',
  },
  /** Delivered in an earlier form; the destination does not accept its current one. */
  changeRefused: {
    ...NOTHING,
    wanted: true,
    absent: 'removed_there',
    differs: 'change_refused',
    recorded: 'change_refused',
  },
  withdrawn: { ...NOTHING, present: 'withdrawn_by_bank', recorded: 'withdrawn_by_bank' },
  retired: { ...NOTHING, present: 'still_there' },
  /** It cannot be read now: what was delivered of it is left as it is. */
  unreadable: NOTHING,
  skipped: NOTHING,
  inDoubt: NOTHING,
} as const satisfies Record<string, Verdict>;
export type Expectation = keyof typeof EXPECTATIONS;

const REFUSED: Partial<Record<Expectation, Expectation>> = {
  undelivered: 'refused',
  changed: 'changeRefused',
};

/** The expectation if the destination accepts the row in no run. */
export const refusedOf = (expectation: Expectation): Expectation => REFUSED[expectation] ?? expectation;

/** The expected state of the row of a change. */
export function expectationOf({ change, replaces }: RowChange): Expectation {
  if (change === 'removed') return 'withdrawn';
  if (change === 'new') return 'undelivered';
  return replaces === null ? 'changed' : 'replacing';
}
