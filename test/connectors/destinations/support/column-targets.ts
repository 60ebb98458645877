import assert from 'node:assert/strict';
import type { DestinationConnector } from '../../../../src/connectors/destinations/destination-contract.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import type { SyncRunRow } from '../../../../src/storage/sync-runs.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import type { World } from '../../../features/sync-engine/support/world.ts';
import { Scene as AirtableScene } from '../airtable/scene.ts';
import { Scene as NotionScene } from '../notion/scene.ts';
import { Scene as SheetsScene } from '../sheets/scene.ts';
import { linkedDestination, syncTo } from './linked-world.ts';

/** A target of one of the vendors, as the person sees it to whom it belongs. */
export interface Target extends AsyncDisposable {
  readonly world: World;
  readonly connector: DestinationConnector;
  sync(accounts: readonly RowId<'account'>[], more: Partial<NewSync>): Promise<Sync>;
  /** Names of the columns, in their order. */
  columns(): readonly string[];
  shown(id: string): Readonly<Record<string, string | undefined>>;
  /** The person writes into the row, in a column of their own. */
  note(id: string, text: string): void;
  /** The person moves a column to the front. */
  moveFirst(column: string): void;
  /** The person gives a column another name. */
  rename(column: string, name: string): void;
  /** The person removes a column. */
  remove(column: string): void;
}

export interface Kind {
  /** Without columns of ours; `existing`: with a column of the person's, Notes, and one called Merchant. */
  readonly open: (existing: boolean) => Promise<Target>;
  /** The columns that it has after a run that shows these, in both cases. */
  readonly made: (shown: readonly string[]) => readonly string[];
  readonly existing: (added: readonly string[]) => readonly string[];
}

const sheets = async (existing: boolean): Promise<Target> => {
  const scene = await SheetsScene.open(existing ? { headers: ['Notes', 'Merchant'] } : {});
  const columns = () => (scene.grid()[0] ?? []).filter((name) => name !== '');
  const at = (column: string) => (scene.grid()[0] ?? []).indexOf(column);
  return {
    world: scene.world,
    connector: scene.google.connector,
    sync: (accounts, more) => scene.sync(accounts, more),
    columns,
    shown: (id) => scene.row(id),
    note: (id, text) => {
      const rowIndex = scene.grid().findIndex((row) => row.includes(id));
      const start = { sheetId: 0, rowIndex, columnIndex: at('Notes') };
      const values = [{ userEnteredValue: { stringValue: text } }];
      scene.edit({ updateCells: { start, rows: [{ values }], fields: 'userEnteredValue' } });
    },
    remove: (column) => {
      const startIndex = at(column);
      const range = { sheetId: 0, dimension: 'COLUMNS', startIndex, endIndex: startIndex + 1 };
      scene.edit({ deleteDimension: { range } });
    },
    rename: (column, name) => {
      const start = { sheetId: 0, rowIndex: 0, columnIndex: at(column) };
      const rows = [{ values: [{ userEnteredValue: { stringValue: name } }] }];
      scene.edit({ updateCells: { start, rows, fields: 'userEnteredValue' } });
    },
    moveFirst: (column) => {
      const source = {
        sheetId: 0,
        dimension: 'COLUMNS',
        startIndex: at(column),
        endIndex: at(column) + 1,
      };
      scene.edit({ moveDimension: { source, destinationIndex: 0 } });
    },
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
};

const notion = async (existing: boolean): Promise<Target> => {
  const scene = await NotionScene.open();
  const { control } = scene.notion;
  if (existing) {
    control.addProperty(scene.database, { name: 'Notes', type: 'rich_text' });
    control.addProperty(scene.database, { name: 'Merchant', type: 'rich_text' });
  }
  const database = () =>
    control.workspace().databases.find(({ id }) => id === scene.database) ?? assert.fail();
  return {
    world: scene.world,
    connector: scene.connector,
    sync: (accounts, more) => scene.sync(accounts, more),
    columns: () => database().properties.map(({ name }) => name),
    shown: (id) => scene.shown(id),
    note: (id, text) => control.editText(scene.pageOf(id), 'Notes', text),
    moveFirst: (column) => control.moveProperty(scene.database, column, 0),
    remove: (column) => control.removeProperty(scene.database, column),
    rename: (column, name) => control.renameProperty(scene.database, column, name),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
};

const airtable = async (existing: boolean): Promise<Target> => {
  const scene = await AirtableScene.open();
  const { control, world, base } = scene;
  const type = 'singleLineText';
  const table = existing
    ? control.addTable(base, 'Mine', [
        { name: 'Notes', type },
        { name: 'Merchant', type },
      ])
    : scene.table;
  const target = { base_id: base, table_id: table };
  const grant = await scene.access().current();
  const destination = existing
    ? await linkedDestination(world, 'airtable', grant, target)
    : scene.destination;
  const idOf = (name: string) =>
    control.fields(table).find((field) => field.name === name)?.id ?? assert.fail(name);
  return {
    world,
    connector: scene.connector,
    sync: (accounts, more) => syncTo(world, destination, accounts, more),
    columns: () => control.fields(table).map(({ name }) => name),
    shown: (id) => scene.shown(id),
    note: (id, text) => {
      const record = control.records(table).find((one) => JSON.stringify(one).includes(id));
      control.editRecord(String(record?.id), { Notes: text });
    },
    moveFirst: (column) => control.moveField(idOf(column), 0),
    remove: (column) => control.deleteField(idOf(column)),
    rename: (column, name) => control.renameField(idOf(column), name),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
};

export const KINDS: Readonly<Record<string, Kind>> = {
  sheets: {
    open: sheets,
    made: (shown) => shown,
    existing: (added) => ['Notes', 'Merchant', ...added],
  },
  notion: {
    open: notion,
    // The title shows the description, wherever it is among the chosen ones.
    made: (shown) => ['Description', ...shown.filter((name) => name !== 'Description')],
    existing: (added) => ['Name', 'Notes', 'Merchant', ...added],
  },
  airtable: {
    open: airtable,
    made: (shown) => ['Name', ...shown],
    existing: (added) => ['Notes', 'Merchant', ...added],
  },
};

export const counts = ({ status, added, updated, rejected }: SyncRunRow) => [
  status,
  added,
  updated,
  rejected,
];

/** Rows that are older than what runs read again on their own. */
export const ROWS = [3, 2, 1].map((number) => posted(number, { merchant_name: `Shop ${number}` }));
export const [NEWEST] = ROWS;
export const id = NEWEST?.id ?? '';

/** A target with rows that were written with these columns. */
export async function written(kind: Kind, columns: readonly string[] | null, existing = false) {
  const target = await kind.open(existing);
  const { world } = target;
  const account = world.account();
  const reports = (rows: readonly Transaction[]) => world.bank.accounts.set(account, [...rows]);
  reports(ROWS);
  const sync = await target.sync([account], { columns });
  const run = () => {
    world.clock.advance(3_600_000);
    return world.run(sync);
  };
  const choose = (chosen: readonly string[] | null) =>
    world.syncs.update(world.owner, sync.row.id, { columns: chosen });
  assert.deepEqual(counts(await run()), ['succeeded', 3, 0, 0]);
  return { target, sync, run, choose, reports };
}
