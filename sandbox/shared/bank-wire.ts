import type { Json, JsonObject } from './json.ts';
import type { AccountMembers, RowMembers } from './members.ts';
import type { SimulatedRequest } from './request.ts';
import type { StatementRow } from './statement.ts';

/** What a request asks a bank for. `account`: the vendor's id, null for all of them. */
export type Asked =
  | { readonly list: 'rows'; readonly account: string | null; readonly pending: 'with' | 'only' | 'without' }
  | { readonly list: 'accounts' };

/** How one bank writes its lists: what misbehaviours and dictated statements need to know about a vendor. */
export type BankWire = {
  readonly rows: RowMembers;
  /** Between the bank's days and those of UTC. */
  readonly offsetHours: number;
  readonly accounts: AccountMembers;
  readonly asked: (request: SimulatedRequest) => Asked | null;
  /** The query that asks for every row, of the first page. */
  readonly everything: (query: URLSearchParams) => URLSearchParams;
  readonly items: (answer: JsonObject) => readonly Json[];
  /** The query of the next page, null on the last. */
  readonly next: (answer: JsonObject, query: URLSearchParams, items: number) => URLSearchParams | null;
  /** Whether the query wants a row. `moment`: epoch ms of the row, `-Infinity` without one. */
  readonly wants: (
    query: URLSearchParams,
    row: { readonly moment: number; readonly pending: boolean },
  ) => boolean;
  readonly pageSize: (query: URLSearchParams) => number;
  /** Where a page begins in the list. */
  readonly begin: (query: URLSearchParams) => number;
  /** The answer of a list; `next`: where the next page begins. `whole` is an answer with all rows of the same list. */
  readonly answer: (
    whole: JsonObject,
    items: readonly Json[],
    page: {
      readonly begin: number;
      readonly next: number | null;
      readonly total: number;
      readonly address: string;
    },
    query: URLSearchParams,
  ) => Json;
  /** A row that was dictated. */
  readonly row: (row: StatementRow, account: string) => JsonObject;
  /** How the vendor refuses a cursor that it no longer knows. */
  readonly staleCursor: { readonly status: number; readonly code: string; readonly message: string };
};

/** A cursor of a list with misbehaviours. */
export const encodePlace = (place: number): string => `rows-from-${place}`;

/** The place of a cursor; 0 without one. */
export function placeOf(cursor: string | null): number {
  const digits = /^rows-from-(\d{1,9})$/.exec(cursor ?? '')?.[1];
  return digits === undefined ? 0 : Number(digits);
}

/** A copy of a query without some parameters and with others. */
export function requery(
  query: URLSearchParams,
  without: readonly string[],
  more: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const copy = new URLSearchParams(query);
  for (const name of without) copy.delete(name);
  for (const [name, value] of Object.entries(more)) copy.set(name, value);
  return copy;
}
