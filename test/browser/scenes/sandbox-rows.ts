import type { Page } from 'playwright-core';
import type { TestOwner } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { bookkeeper, budgetAccount } from './bookkeeper.ts';
import { type Route, type SceneMaker, type Scenes, sceneAt } from './scene.ts';

type Kept = Awaited<ReturnType<typeof bookkeeper>>['destinations'];

/** A page on which rows, or what holds them, can be looked at. */
function rowsAt(
  route: Route,
  pathOf: (kept: Kept, owner: TestOwner) => string | Promise<string>,
): SceneMaker {
  return sceneAt(route, async (service) => {
    const { owner, destinations } = await bookkeeper(service);
    const path = await pathOf(destinations, owner);
    return { owner, as: 'signed-out', path, ready: (page) => tableRow(page).waitFor() };
  });
}

function tableRow(page: Page) {
  return page.locator('tbody tr, ul.bases li, dl').first();
}

async function registerOf(owner: TestOwner, destination: Json): Promise<string> {
  return `${destination.target.budget_id}/accounts/${await budgetAccount(owner, destination)}`;
}

/** The pages of the simulators that show what was copied there. */
export const SANDBOX_ROWS_SCENES: Scenes = {
  'sandbox-spreadsheets': rowsAt('/sandbox/sheets/spreadsheets', () => '/sandbox/sheets/spreadsheets'),
  'sandbox-spreadsheet': rowsAt(
    '/sandbox/sheets/spreadsheets/*',
    ({ sheets }) => `/sandbox/sheets/spreadsheets/d/${sheets.target.spreadsheet_id}/edit`,
  ),
  'sandbox-databases': rowsAt('/sandbox/notion/databases', () => '/sandbox/notion/databases'),
  'sandbox-database': rowsAt(
    '/sandbox/notion/databases/*',
    ({ notion }) => `/sandbox/notion/databases/${notion.target.database_id}`,
  ),
  'sandbox-database-row': sceneAt('/sandbox/notion/pages/*', async (service) => {
    const { owner, destinations } = await bookkeeper(service);
    return {
      owner,
      as: 'signed-out',
      path: `/sandbox/notion/databases/${destinations.notion.target.database_id}`,
      ready: async (page) => {
        await page.locator('tbody a').first().click();
        await page.waitForURL('**/pages/*');
      },
    };
  }),
  'sandbox-bases': rowsAt('/sandbox/airtable/bases', () => '/sandbox/airtable/bases'),
  'sandbox-base': rowsAt(
    '/sandbox/airtable/app*',
    ({ airtable: { target } }) => `/sandbox/airtable/${target.base_id}/${target.table_id}`,
  ),
  'sandbox-plans': rowsAt('/sandbox/ynab/', () => '/sandbox/ynab/'),
  'sandbox-plan': rowsAt(
    '/sandbox/ynab/plans/*',
    async ({ ynab }, owner) => `/sandbox/ynab/plans/${await registerOf(owner, ynab)}`,
  ),
  'sandbox-budgets': rowsAt('/sandbox/actual/', () => '/sandbox/actual/'),
  'sandbox-budget': rowsAt(
    '/sandbox/actual/budgets/*',
    async ({ actual }, owner) => `/sandbox/actual/budgets/${await registerOf(owner, actual)}`,
  ),
  'sandbox-tables': rowsAt('/sandbox/postgres/', () => '/sandbox/postgres/'),
  'sandbox-table': rowsAt(
    '/sandbox/postgres/tables/*',
    ({ postgres: { target } }) => `/sandbox/postgres/tables/${target.schema}/${target.table}`,
  ),
  'sandbox-files': rowsAt('/sandbox/csv-folder/', () => '/sandbox/csv-folder/'),
  'sandbox-file': sceneAt('/sandbox/csv-folder/files/*', async (service) => {
    const { owner } = await bookkeeper(service);
    return {
      owner,
      as: 'signed-out',
      path: '/sandbox/csv-folder/',
      ready: async (page) => {
        await page.locator('tbody a').first().click();
        await page.waitForURL('**/files/**');
      },
    };
  }),
};
