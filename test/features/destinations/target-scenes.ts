import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ActualControl } from '../../../sandbox/actual/control.ts';
import { AirtableControl } from '../../../sandbox/airtable/control.ts';
import { CsvFolderControl } from '../../../sandbox/csv-folder/control.ts';
import { NotionControl } from '../../../sandbox/notion/control.ts';
import { PostgresControl } from '../../../sandbox/postgres/control.ts';
import { SheetsControl } from '../../../sandbox/sheets/control.ts';
import { YnabControl } from '../../../sandbox/ynab/control.ts';

import type { DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import { startLink } from '../../connectors/destinations/support/linked.ts';
import { completeConsent } from '../../support/consent-client.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import { Browser } from '../linking/browser.ts';

export type Target = Readonly<Record<string, string>>;

/** A target that cannot be written to, and the key of it at fault. */
export interface BadTarget {
  readonly wrong: string;
  readonly key: string;
  make(): Target | Promise<Target>;
}

/** What lies in a target, by the vendor's ids. */
export interface Lying {
  readonly good: readonly [string, string];
  /** Ids that cannot be written to, by what is wrong with them. */
  readonly bad: Readonly<Record<string, string>>;
}

/** One type of destination at its simulator. */
export interface TargetScene {
  readonly type: DestinationType;
  /** A new target that is there. */
  good(): Target | Promise<Target>;
  readonly bad: readonly BadTarget[];
  /** Takes a target away; absent if a target cannot go. */
  remove?(target: Target): void | Promise<void>;
  /** What a member of an entry of `account_mappings` names. */
  readonly places?: (target: Target) => Lying & { entry(account: string, id: string): object };
  readonly categories?: (target: Target) => Lying;
  /** How a destination of the type is created; null if people sign in at the vendor. */
  readonly body: object | null;
}

let made = 0;
const name = (): string => `Target ${++made}`;
const budgetEntry = (account: string, id: string) => ({ account, destination_account: id });

/** Each type as the sandbox has it. */
export function scenesOf({ app }: Pick<TestService, 'app'>): readonly TargetScene[] {
  const simulators = app.sandbox?.simulators ?? assert.fail();
  const controlOf = <T>(type: DestinationType, kind: new (...given: never[]) => T): T => {
    const control = simulators.get(type)?.control;
    return control instanceof kind ? control : assert.fail(type);
  };
  const secretOf = (type: DestinationType) => ({ type, secret: simulators.get(type)?.secret });
  return [
    sheets(controlOf('sheets', SheetsControl)),
    notion(controlOf('notion', NotionControl)),
    airtable(controlOf('airtable', AirtableControl)),
    ynab(controlOf('ynab', YnabControl)),
    postgres(controlOf('postgres', PostgresControl), secretOf('postgres')),
    actual(controlOf('actual', ActualControl), secretOf('actual')),
    webhook(),
    csvFolder(controlOf('csv_folder', CsvFolderControl)),
  ];
}

/** A destination without a target, as its owner connects it; its id. */
export async function connected(owner: TestOwner, { type, body }: TargetScene): Promise<string> {
  if (body !== null) {
    const answer = await owner.v2('POST', '/v2/destinations', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.id;
  }
  const link = await startLink(owner, { type });
  const browser = new Browser();
  const begun = await browser.visit(link.url, 'POST');
  await browser.visit((await completeConsent(begun.location)).href);
  const { body: ended } = await owner.v2('GET', `/v2/destination_links/${link.id}`);
  assert.equal(ended.status, 'completed', JSON.stringify(ended));
  return ended.destination;
}

function sheets(control: SheetsControl): TargetScene {
  const CHART = '77';
  const add = (more: object = {}): Target => {
    const id = control.addSpreadsheet({ title: name(), ...more });
    return { spreadsheet_id: id, sheet_id: '0', spreadsheet_name: 'Money', sheet_name: 'Sheet1' };
  };
  const changed = (change: (id: string) => void): Target => {
    const target = add();
    change(target.spreadsheet_id ?? '');
    return target;
  };
  return {
    type: 'sheets',
    body: null,
    good: () => add(),
    bad: [
      { wrong: 'missing', key: 'spreadsheet_id', make: () => ({ ...add(), spreadsheet_id: 'nowhere' }) },
      { wrong: 'not visible to the service', key: 'spreadsheet_id', make: () => add({ picked: false }) },
      {
        wrong: 'deleted',
        key: 'spreadsheet_id',
        make: () => changed((id) => control.deleteSpreadsheet(id)),
      },
      {
        wrong: 'in the bin',
        key: 'spreadsheet_id',
        make: () => changed((id) => control.setTrashed(id, true)),
      },
      {
        wrong: 'read-only',
        key: 'spreadsheet_id',
        make: () => changed((id) => control.setReadOnly(id, true)),
      },
      { wrong: 'missing', key: 'sheet_id', make: () => ({ ...add(), sheet_id: CHART }) },
      { wrong: 'not a number', key: 'sheet_id', make: () => ({ ...add(), sheet_id: 'Sheet1' }) },
    ],
    remove: ({ spreadsheet_id: id = '' }) => control.deleteSpreadsheet(id),
    places: ({ spreadsheet_id: id = '' }) => {
      for (const sheetId of [11, 12]) {
        control.edit(id, [{ addSheet: { properties: { sheetId, title: `Tab ${sheetId}` } } }]);
      }
      return {
        good: ['11', '12'],
        bad: { missing: '13', 'not a number': 'Tab 11' },
        entry: (account, tab) => ({ account, sheet_id: tab, sheet_name: `Tab ${tab}` }),
      };
    },
  };
}

function notion(control: NotionControl): TargetScene {
  const page = () => control.addPage(name(), true);
  const add = (): string => control.addDatabase(name(), page(), []);
  const changed = (change: (id: string) => void): Target => {
    const id = add();
    change(id);
    return { database_id: id };
  };
  const bad = (wrong: string, make: BadTarget['make']): BadTarget => ({ wrong, key: 'database_id', make });
  return {
    type: 'notion',
    body: null,
    good: () => ({ database_id: add() }),
    bad: [
      bad('missing', () => ({ database_id: crypto.randomUUID() })),
      bad('not an id', () => ({ database_id: 'Transactions' })),
      bad('a page', () => ({ database_id: page() })),
      bad('not shared', () => ({
        database_id: control.addDatabase(name(), control.addPage(name(), false), []),
      })),
      bad('in the trash', () => changed((id) => control.trash(id, true))),
      bad('deleted', () => changed((id) => control.purge(id))),
    ],
    remove: ({ database_id: id = '' }) => control.purge(id),
  };
}

function airtable(control: AirtableControl): TargetScene {
  const table = (base: string): string =>
    control.addTable(base, name(), [{ name: 'Name', type: 'singleLineText' }]);
  const add = (permission?: Parameters<AirtableControl['addBase']>[1]) => {
    const base = control.addBase(name(), permission);
    return { base_id: base, table_id: table(base) };
  };
  const changed = (change: (target: ReturnType<typeof add>) => void): Target => {
    const target = add();
    change(target);
    return target;
  };
  return {
    type: 'airtable',
    body: null,
    good: () => add(),
    bad: [
      { wrong: 'missing', key: 'base_id', make: () => ({ ...add(), base_id: 'appNowhere0000000' }) },
      { wrong: 'a table', key: 'base_id', make: () => ({ ...add(), base_id: add().table_id }) },
      { wrong: 'read-only', key: 'base_id', make: () => add('read') },
      { wrong: 'only to be commented on', key: 'base_id', make: () => add('comment') },
      { wrong: 'deleted', key: 'base_id', make: () => changed(({ base_id }) => control.deleteBase(base_id)) },
      {
        wrong: 'missing',
        key: 'table_id',
        make: () => ({ ...add(), table_id: 'tblNowhere0000000' }),
      },
      {
        wrong: 'in another base',
        key: 'table_id',
        make: () => ({ ...add(), table_id: add().table_id }),
      },
      {
        wrong: 'deleted',
        key: 'table_id',
        make: () => changed(({ table_id }) => control.deleteTable(table_id)),
      },
    ],
    remove: ({ table_id: id = '' }) => control.deleteTable(id),
  };
}

function ynab(control: YnabControl): TargetScene {
  const add = (): string => control.addPlan(name(), 'AUD');
  const planOf = (id: string) => control.plans().find(({ planId }) => planId === id) ?? assert.fail(id);
  const accountsOf = (id: string) => planOf(id).accounts.map(({ accountId }) => accountId);
  const categoriesOf = (id: string) => planOf(id).categories.map(({ categoryId }) => categoryId);
  const bad = (wrong: string, make: BadTarget['make']): BadTarget => ({ wrong, key: 'budget_id', make });
  return {
    type: 'ynab',
    body: null,
    good: () => ({ budget_id: add() }),
    bad: [
      bad('missing', () => ({ budget_id: crypto.randomUUID() })),
      bad('an alias', () => ({ budget_id: 'last-used' })),
      bad('an account', () => ({ budget_id: accountsOf(add())[0] ?? '' })),
      bad('deleted', () => {
        const id = add();
        control.deletePlan(id);
        return { budget_id: id };
      }),
    ],
    remove: ({ budget_id: id = '' }) => control.deletePlan(id),
    places: ({ budget_id: id = '' }) => {
      const [one = '', other = '', third = '', closed = ''] = accountsOf(id);
      control.changeAccount(third, { deleted: true });
      const missing = crypto.randomUUID();
      const elsewhere = accountsOf(add())[0] ?? '';
      return {
        good: [one, other],
        bad: { missing, deleted: third, closed, 'in another plan': elsewhere, 'a plan': id },
        entry: budgetEntry,
      };
    },
    categories: ({ budget_id: id = '' }) => {
      const ids = categoriesOf(id);
      const [one = '', other = '', third = ''] = ids;
      control.changeCategory(third, { deleted: true });
      const elsewhere = categoriesOf(add())[0] ?? '';
      return {
        good: [one, other],
        bad: { missing: crypto.randomUUID(), deleted: third, 'in another plan': elsewhere },
      };
    },
  };
}

function actual(control: ActualControl, body: object): TargetScene {
  const add = (): string => control.addBudget(name(), 'AUD');
  const budgetOf = (id: string) => control.budgets().find(({ budgetId }) => budgetId === id) ?? assert.fail();
  const accountOf = (id: string, called: string): string =>
    budgetOf(id).accounts.find((account) => account.name === called)?.accountId ?? assert.fail(called);
  const categoryOf = (id: string, called: string): string =>
    budgetOf(id).categories.find((category) => category.name === called)?.categoryId ?? assert.fail(called);
  const bad = (wrong: string, make: BadTarget['make']): BadTarget => ({ wrong, key: 'budget_id', make });
  return {
    type: 'actual',
    body,
    good: () => ({ budget_id: add() }),
    bad: [
      bad('missing', () => ({ budget_id: crypto.randomUUID() })),
      bad('not an id', () => ({ budget_id: 'the household budget' })),
      bad('deleted', () => {
        const id = add();
        control.deleteBudget(id);
        return { budget_id: id };
      }),
    ],
    remove: ({ budget_id: id = '' }) => control.deleteBudget(id),
    places: ({ budget_id: id = '' }) => {
      const deleted = accountOf(id, 'Mortgage');
      const closed = accountOf(id, 'Old Account');
      const good = [accountOf(id, 'Everyday'), accountOf(id, 'Savings')] as const;
      control.changeAccount(id, deleted, { deleted: true });
      const elsewhere = accountOf(add(), 'Everyday');
      return {
        good,
        bad: { missing: crypto.randomUUID(), deleted, closed, 'in another budget': elsewhere },
        entry: budgetEntry,
      };
    },
    categories: ({ budget_id: id = '' }) => {
      const deleted = categoryOf(id, 'Transport');
      const good = [categoryOf(id, 'Rent'), categoryOf(id, 'Groceries')] as const;
      control.changeCategory(id, deleted, { deleted: true });
      const elsewhere = categoryOf(add(), 'Rent');
      return { good, bad: { missing: crypto.randomUUID(), deleted, 'in another budget': elsewhere } };
    },
  };
}

function postgres(control: PostgresControl, body: object): TargetScene {
  const word = (): string => `target_${++made}`;
  const add = async (schema = 'money'): Promise<Target> => {
    const table = word();
    await control.execute(
      `create table ${schema}.${table} (note text); alter table ${schema}.${table} owner to books`,
    );
    return { schema, table };
  };
  const elsewhere = async (rights: string): Promise<Target> => {
    const schema = word();
    await control.execute(`create schema ${schema}; ${rights.replaceAll('%', schema)}`);
    return add(schema);
  };
  const foreign = async (rights = ''): Promise<Target> => {
    const { schema = '', table = '' } = await add();
    await control.execute(
      `alter table ${schema}.${table} owner to postgres; ${rights.replaceAll('%', `${schema}.${table}`)}`,
    );
    return { schema, table };
  };
  return {
    type: 'postgres',
    body,
    good: () => add(),
    bad: [
      { wrong: 'missing', key: 'schema', make: () => ({ schema: word(), table: 'rows' }) },
      { wrong: 'not usable by the user', key: 'schema', make: () => elsewhere('') },
      {
        wrong: 'without CREATE for the user',
        key: 'schema',
        make: () => elsewhere('grant usage on schema % to books'),
      },
      { wrong: 'missing', key: 'table', make: () => ({ schema: 'money', table: word() }) },
      {
        wrong: 'a view',
        key: 'table',
        make: async () => {
          const { table = '' } = await add();
          const view = `${table}_view`;
          await control.execute(
            `create view money.${view} as table money.${table}; alter view money.${view} owner to books`,
          );
          return { schema: 'money', table: view };
        },
      },
      { wrong: 'of another user', key: 'table', make: () => foreign() },
      { wrong: 'read-only', key: 'table', make: () => foreign('grant select on % to books') },
      {
        wrong: 'not to be completed by the user',
        key: 'table',
        make: () => foreign('grant select, insert, update, delete on % to books'),
      },
    ],
    remove: ({ schema = '', table = '' }) => control.execute(`drop table ${schema}.${table}`),
  };
}

function webhook(): TargetScene {
  const url = (): string => `http://127.0.0.1:9/${crypto.randomUUID()}`;
  const bad = (wrong: string, address: string): BadTarget => ({
    wrong,
    key: 'url',
    make: () => ({ url: address }),
  });
  return {
    type: 'webhook',
    get body() {
      return { type: 'webhook', name: 'Hook', target: { url: url() } };
    },
    good: () => ({ url: url() }),
    bad: [
      bad('no web address', 'ftp://hooks.example.com/'),
      bad("inside the operator's network", 'http://10.0.0.1/'),
      bad('with a password', 'https://me:secret@hooks.example.com/'),
    ],
  };
}

function csvFolder(control: CsvFolderControl): TargetScene {
  /** Of the only account record that has one. */
  const pathOf = (folder: string): string => join(control.root, readdirSync(control.root)[0] ?? '', folder);
  const add = (make: (path: string) => void = (path) => mkdirSync(path)): Target => {
    const folder = name();
    make(pathOf(folder));
    return { folder };
  };
  const bad = (wrong: string, make: BadTarget['make']): BadTarget => ({ wrong, key: 'folder', make });
  return {
    type: 'csv_folder',
    body: { type: 'csv_folder' },
    good: () => add(),
    bad: [
      bad('missing', () => ({ folder: name() })),
      bad('not a folder name', () => ({ folder: '../elsewhere' })),
      bad('a file', () => add((path) => writeFileSync(path, ''))),
      bad('a link', () => add((path) => symlinkSync(control.root, path))),
    ],
    remove: ({ folder = '' }) => rmSync(pathOf(folder), { recursive: true }),
  };
}
