import type { DeliveryAccount } from '../../connectors/destinations/delivery-rows.ts';
import type { SetAside, SetAsideRow } from '../../vocabulary/set-aside-rows.ts';
import type { RowExport } from './row-export.ts';

/** The most rows set aside that wait to be named in a file. */
const MOST_WAITING = 10_000;

/** Rows of one account of an export that could not be read: all are counted, and a bounded number can be named. */
export class AsideRows {
  #waiting: SetAsideRow[] = [];
  #count = 0;

  /** Beyond the bound, which no page of a provider reaches, a row is only counted. */
  readonly add: SetAside = (row) => {
    this.#count += 1;
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(row);
  };

  /** Those since the last call. */
  readonly take = (): readonly SetAsideRow[] => {
    const rows = this.#waiting;
    this.#waiting = [];
    return rows;
  };

  /** How many there were so far. */
  readonly count = (): number => this.#count;
}

/** How many rows of an account are missing in a file because they could not be read. */
export interface AccountAside {
  readonly account: Pick<DeliveryAccount, 'id' | 'name'>;
  readonly rows: number;
}

/** The accounts of an export that lack rows; to be asked once the file is written. */
export function asideIn({ accounts }: Pick<RowExport, 'accounts'>): readonly AccountAside[] {
  return accounts
    .map(({ account, asideCount }) => ({ account, rows: asideCount() }))
    .filter(({ rows }) => rows > 0);
}
