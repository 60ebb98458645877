import { ID_PREFIXES, parsePublicId, publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { ChunkRow, OutgoingChunk } from '../delivery-rows.ts';
import type { DestinationOpening } from '../destination-contract.ts';

type Account = RowId<'account'>;
type Named = Pick<ChunkRow, 'id' | 'account'> & Partial<Pick<ChunkRow, 'replaces'>>;

/** What a chunk did to an account's rows with an id. */
interface Written {
  readonly account: Account;
  readonly gone: readonly string[];
  readonly there: string | null;
}

/** How many chunks may not be in the ledger yet: the one being recorded and those around it. */
const UNRECORDED_CHUNKS = 4;
const NO_ACCOUNTS: readonly Account[] = [];

/** The id of a row at a destination where another account's row has its plain id. */
export function qualifiedId(account: Account, id: string): string {
  return `${publicId('account', account)}/${id}`;
}

/** The account and id in a qualified id; null for a plain one. */
export function parseQualifiedId(text: string): { readonly account: Account; readonly id: string } | null {
  if (!text.startsWith(ID_PREFIXES.account)) return null;
  const end = text.indexOf('/');
  const account = end === -1 ? null : parsePublicId('account', text.slice(0, end));
  return account === null ? null : { account, id: text.slice(end + 1) };
}

/**
 * Finds rows at a destination that has one column for the ids of several accounts
 * (docs/destinations.md#identity-of-rows). A row is identified by its account and its id, so it has its plain id there
 * only if no row of another account has it.
 */
export class SharedIds {
  readonly #accountsWithRows: DestinationOpening['accountsWithRows'];
  /** Oldest first. */
  #written: readonly (readonly Written[])[] = [];

  constructor(accountsWithRows: DestinationOpening['accountsWithRows']) {
    this.#accountsWithRows = accountsWithRows;
  }

  /** Call it before the rows of a chunk are looked for. Raises what storage raises. */
  async of(rows: readonly Named[]): Promise<RowIds> {
    const ids = new Set(rows.flatMap(idsOf));
    const recorded = await this.#accountsWithRows([...ids]);
    if (recorded === null) return NOTHING_SHARED;
    const accounts = new Map(recorded);
    const change = (id: string, account: Account, isThere: boolean): void => {
      if (!ids.has(id)) return;
      const others = (accounts.get(id) ?? []).filter((one) => one !== account);
      accounts.set(id, isThere ? [...others, account] : others);
    };
    for (const chunk of this.#written) {
      for (const { account, gone } of chunk) for (const id of gone) change(id, account, false);
      for (const { account, there } of chunk) if (there !== null) change(there, account, true);
    }
    return new RowIds(accounts);
  }

  /** Call it once the destination has the chunk, with the ids of rows that it refused. */
  note(
    { added, updated, removed }: Pick<OutgoingChunk, 'added' | 'updated' | 'removed'>,
    rejected: readonly string[],
  ): void {
    const refused = new Set(rejected);
    const written = [
      ...[...added, ...updated].map(({ id, account, replaces }) => ({
        id,
        account,
        gone: replaces === null ? [] : [replaces],
        there: id,
      })),
      ...removed.map(({ id, account }) => ({ id, account, gone: [id], there: null })),
    ].filter(({ id }) => !refused.has(id));
    this.#written = [...this.#written, written].slice(-UNRECORDED_CHUNKS);
  }
}

const idsOf = ({ id, replaces = null }: Named): readonly string[] =>
  replaces === null ? [id] : [id, replaces];

export interface FoundRow<Found> {
  readonly found: Found;
  /** The id that it should have there from now on. */
  readonly text: string;
}

/** Which ids the rows of a chunk have at the destination. */
export class RowIds {
  readonly #accounts: ReadonlyMap<string, readonly Account[]>;
  /** Whether the destination has rows of several accounts. */
  readonly isShared: boolean;

  /**
   * @param accounts for each id, the accounts of which a row with that id is there; null if it has rows of only one
   * account
   */
  constructor(accounts: ReadonlyMap<string, readonly Account[]> | null) {
    this.#accounts = accounts ?? new Map();
    this.isShared = accounts !== null;
  }

  /** Other accounts that have a row with this id there. */
  others({ id, account }: Named): readonly Account[] {
    return (this.#accounts.get(id) ?? NO_ACCOUNTS).filter((one) => one !== account);
  }

  /** The id for a newly written row. */
  fresh(row: Named): string {
    return this.others(row).length === 0 ? row.id : qualifiedId(row.account, row.id);
  }

  /** Every id that has to be looked up for `find` to tell which row is whose. */
  texts(row: Named): readonly string[] {
    const { id, account } = row;
    return [id, ...[account, ...this.others(row)].map((one) => qualifiedId(one, id))];
  }

  /**
   * The row as it is there: under its qualified id, else under the plain one unless that is another account's. If a
   * person gave rows of several accounts the plain id, they are distinguished by where they are (`isAt`), else by their
   * order, which is that of the sync's accounts. Null also if there are fewer rows with the plain id than accounts that
   * may have written them.
   *
   * @param at what has an id there, oldest first
   * @param isAt whether something is where rows of that account go and rows of the row's own account do not
   */
  find<Found>(
    row: Named,
    at: (text: string) => readonly Found[],
    isAt: (found: Found, account: Account) => boolean = () => false,
  ): FoundRow<Found> | null {
    const { id, account } = row;
    const own = qualifiedId(account, id);
    const [qualified] = at(own);
    if (qualified !== undefined) return { found: qualified, text: own };
    let plain = at(id);
    if (plain.length === 0) return null;
    const rivals = this.others(row).filter((rival) => {
      if (at(qualifiedId(rival, id)).length > 0) return false;
      const theirs = plain.find((one) => isAt(one, rival));
      plain = plain.filter((one) => one !== theirs);
      return theirs === undefined;
    });
    if (plain.length <= rivals.length) return null;
    const claims = this.#accounts.get(id) ?? NO_ACCOUNTS;
    const rank = claims.filter((one) => one === account || rivals.includes(one)).indexOf(account);
    const found = plain[rank === -1 ? rivals.length : rank];
    return found === undefined ? null : { found, text: rivals.length === 0 ? id : own };
  }
}

export const NOTHING_SHARED = new RowIds(null);
