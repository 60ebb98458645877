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
  /** Further ids under which the row is known. */
  readonly aliases: readonly string[];
  /** What it is found by at the destination. */
  readonly keys: readonly string[];
  /** Null where nothing is compared. */
  readonly shown: ShownValues | null;
  /** What of it the destination cannot show, where it is refused. */
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

/**
 * What the destination is to show, of any number of rows in about 300 bytes each: their ids, and a hash of each field
 * instead of the field.
 */
export class ExpectedRows {
  readonly #most: number;
  /** Ids and keys together: neither is ever the other's of another row. */
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
  /** Of few rows. */
  readonly #refusals = new Map<number, Refusal>();
  /** Where the hashes of a row begin. */
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

  /** A row is known by its account and its id. The id alone is that of the first account that has it. */
  #identity(account: RowId<'account'>, id: string): string {
    const known = this.#byKey.get(id);
    return known === undefined || this.#accounts[known] === account ? id : `${account} ${id}`;
  }

  /** False, and nothing done, where there is no more room. A row that is known stays as it is. */
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
   * The rows that the row of a target may be: one that says its account and id, or those of the surest key that is
   * known. Several where accounts share the key. Keys of rows that are to be there come before others.
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

  /** Names of the fields of a row that show something else than they should. */
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
  /** Whether the destination is to show the row. */
  readonly wanted: boolean;
  /** What a row proves that is not there, that is there as wanted or unwanted, and that shows something else; null: nothing. */
  readonly absent: ProblemReason | null;
  readonly present: ProblemReason | null;
  readonly differs: ProblemReason | null;
  /** What follows where nobody looks at the destination. */
  readonly recorded: ProblemReason | null;
}

const NOTHING = { wanted: false, absent: null, present: null, differs: null, recorded: null } as const;

/** How rows are expected to stand, from what the bank says now and what was delivered. */
export const EXPECTATIONS = {
  delivered: { ...NOTHING, wanted: true, absent: 'removed_there', differs: 'edited_there' },
  changed: {
    ...NOTHING,
    wanted: true,
    absent: 'removed_there',
    differs: 'changed_since',
    recorded: 'changed_since',
  },
  /** Another row's place, which it takes with the next run. */
  replacing: {
    ...NOTHING,
    wanted: true,
    absent: 'removed_there',
    differs: 'replaced_since',
    recorded: 'replaced_since',
  },
  /** Not delivered; after a resync it may be there all the same. */
  undelivered: {
    ...NOTHING,
    wanted: true,
    absent: 'not_delivered_yet',
    differs: 'changed_since',
    recorded: 'not_delivered_yet',
  },
  /** Not delivered, and the destination takes it in no run. */
  refused: {
    ...NOTHING,
    wanted: true,
    absent: 'refused',
    differs: 'change_refused',
    recorded: 'refused',
  },
  /** Delivered as it was; the destination does not take what it is now. */
  changeRefused: {
    ...NOTHING,
    wanted: true,
    absent: 'removed_there',
    differs: 'change_refused',
    recorded: 'change_refused',
  },
  withdrawn: { ...NOTHING, present: 'withdrawn_by_bank', recorded: 'withdrawn_by_bank' },
  retired: { ...NOTHING, present: 'still_there' },
  /** It cannot be read now: what was delivered of it stays as it is. */
  unreadable: NOTHING,
  skipped: NOTHING,
  inDoubt: NOTHING,
} as const satisfies Record<string, Verdict>;
export type Expectation = keyof typeof EXPECTATIONS;

const REFUSED: Partial<Record<Expectation, Expectation>> = {
  undelivered: 'refused',
  changed: 'changeRefused',
};

/** What becomes of an expectation where the destination takes the row in no run. */
export const refusedOf = (expectation: Expectation): Expectation => REFUSED[expectation] ?? expectation;

/** How the row of a change is expected to stand. */
export function expectationOf({ change, replaces }: RowChange): Expectation {
  if (change === 'removed') return 'withdrawn';
  if (change === 'new') return 'undelivered';
  return replaces === null ? 'changed' : 'replacing';
}
