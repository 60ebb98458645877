import assert from 'node:assert/strict';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import type { DestinationType } from '../../../../src/vocabulary/destination-kinds.ts';
import type { Holding } from '../../../../src/vocabulary/holdings.ts';
import { publicId, type RowId } from '../../../../src/vocabulary/ids.ts';
import type { Limits } from '../../../../src/vocabulary/limits.ts';
import type { World } from '../../../features/sync-engine/support/world.ts';
import { Scene as Postgres } from '../postgres/scene.ts';
import { Scene as Sheets } from '../sheets/scene.ts';
import { syncTo } from '../support/linked-world.ts';

type Account = RowId<'account'>;

/** A destination of positions, and what a person does there. */
export interface HeldPlace extends AsyncDisposable {
  readonly world: World;
  readonly quantityField: string;
  sync(accounts: readonly Account[], more?: Partial<NewSync>): Promise<Sync>;
  /** Every cell there is. */
  contents(): unknown;
  edit(account: Account, id: string, quantity: string): Promise<void>;
  remove(account: Account, id: string): Promise<void>;
  /** Another row of the account, with this id. */
  add(account: Account, id: string): Promise<void>;
  /** A row that says of no account that it is its own. */
  own(): Promise<void>;
}

export function holding(symbol: string, quantity: string, more: Partial<Holding> = {}): Holding {
  return {
    id: `hold_st_${symbol}`,
    symbol,
    name: `${symbol} Ltd`,
    exchange: 'XNAS',
    currency: 'usd',
    quantity,
    average_price: { money: { amount: 1000, currency: 'usd' }, decimal: '10.00' },
    current_price: { money: { amount: 3312, currency: 'usd' }, decimal: '33.1234' },
    market_value: null,
    unrealized_pnl: null,
    asset_type: null,
    ...more,
  };
}

const SHEETS_IDS = ['Account ID', 'Position ID'];

async function sheets(limits: Partial<Limits>): Promise<HeldPlace> {
  const scene = await Sheets.open({ limits });
  const columnOf = (header: string): number => scene.grid()[0]?.indexOf(header) ?? assert.fail(header);
  const rowOf = (account: Account, id: string): number => {
    const [accounts, ids] = SHEETS_IDS.map(columnOf);
    const found = scene
      .grid()
      .findIndex((row) => row[accounts ?? 0] === publicId('account', account) && row[ids ?? 0] === id);
    assert.ok(found > 0, `${id} is not there`);
    return found;
  };
  const type = (rowIndex: number, columnIndex: number, text: string): void => {
    const values = [{ userEnteredValue: { stringValue: text } }];
    const start = { sheetId: 0, rowIndex, columnIndex };
    scene.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
  };
  const newRow = (): number => {
    const rowIndex = scene.grid().length;
    scene.edit({ appendDimension: { sheetId: 0, dimension: 'ROWS', length: 1 } });
    return rowIndex;
  };
  return {
    world: scene.world,
    quantityField: 'Quantity',
    sync: (accounts, more) => scene.sync(accounts, { type: 'holdings', ...more }),
    contents: () => scene.google.control.values(scene.spreadsheet, 0),
    edit: async (account, id, quantity) => type(rowOf(account, id), columnOf('Quantity'), quantity),
    remove: async (account, id) => {
      const startIndex = rowOf(account, id);
      const range = { sheetId: 0, dimension: 'ROWS', startIndex, endIndex: startIndex + 1 };
      scene.edit({ deleteDimension: { range } });
    },
    add: async (account, id) => {
      const row = newRow();
      type(row, columnOf('Account ID'), publicId('account', account));
      type(row, columnOf('Position ID'), id);
      type(row, columnOf('Symbol'), 'MINE');
    },
    own: async () => type(newRow(), columnOf('Symbol'), 'MINE'),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

async function postgres(limits: Partial<Limits>): Promise<HeldPlace> {
  const scene = await Postgres.open({ type: 'holdings', limits });
  const { world, destination } = scene;
  const is = (account: Account, id: string): string =>
    `tributary_account = '${publicId('account', account)}' and symbol = '${id.replace('hold_st_', '')}'`;
  return {
    world,
    quantityField: 'quantity',
    sync: (accounts, more) => syncTo(world, destination, accounts, { type: 'holdings', ...more }),
    contents: () => scene.tableRows(),
    edit: (account, id, quantity) =>
      scene.execute(`update % set quantity = ${quantity} where ${is(account, id)}`),
    remove: (account, id) => scene.execute(`delete from % where ${is(account, id)}`),
    add: (account, id) => {
      const owner = publicId('account', account);
      return scene.execute(
        `insert into % (tributary_id, tributary_account, symbol) values ('${owner}/${id}', '${owner}', 'MINE')`,
      );
    },
    own: () => scene.execute("insert into % (symbol) values ('MINE')"),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

export type OpenPlace = (limits: Partial<Limits>) => Promise<HeldPlace>;

/** Where positions can be read back. */
export const HELD_PLACES: Partial<Record<DestinationType, OpenPlace>> = { sheets, postgres };
