import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatorControl } from '../../sandbox/shared/control.ts';
import { Faults } from '../../sandbox/shared/faults.ts';
import { RequestLog } from '../../sandbox/shared/request-log.ts';
import { demo, demoRows } from '../../src/app/demo/demo.ts';
import { Progress, showDemo } from '../../src/app/demo/demo-output.ts';
import { INTEGRATIONS, type Integration } from '../../src/app/integrations.ts';
import { address, credential } from '../../src/platform/integration-settings.ts';
import { createLog } from '../../src/platform/log.ts';
import { paperclipConnector } from '../connectors/destinations/paperclip/connector.ts';
import { Paperclip } from '../connectors/destinations/paperclip/vendor.ts';
import { seedDataDir } from '../support/schema-template.ts';
import { ONLY_THOROUGH } from '../support/thorough.ts';

const URL_OF = address('PAPERCLIP_URL', 'https://paperclip.invalid', 'Where Paperclip is reached.');
const ID = credential('PAPERCLIP_ID', 'Names our app.');

/** Paperclip in the table of integrations, in the place of whichever writes spreadsheets. */
function withPaperclip(twice: boolean): {
  readonly integrations: readonly Integration[];
  readonly vendor: Paperclip;
} {
  const vendor = new Paperclip();
  const rows = () =>
    [...vendor.documents.values()].flatMap((document) =>
      document.rows.map(({ id, tab, text }) => ({ id, place: tab, values: { text } })),
    );
  const paperclip: Integration = {
    row: {
      kind: 'destination',
      name: 'sheets',
      variables: [URL_OF, ID],
      open: async (values, { http }) => paperclipConnector(http, values.get(URL_OF)),
    },
    simulator: {
      folder: 'paperclip',
      pages: ['/documents'],
      personas: [],
      prepare: async () => ({
        demoPeople: () => [],
        start: async ({ pagesUrl = '' }) => {
          await vendor.open();
          vendor.signIns.redirectUri = `${new URL(pagesUrl).origin}/connect/return`;
          return {
            url: vendor.origin,
            controlUrl: vendor.origin,
            settings: { [URL_OF.env]: vendor.origin, [ID.env]: 'app' },
            people: null,
            received: {
              rows: () => (twice ? [...rows(), ...rows().slice(0, 3)] : rows()),
              pages: () => ['/documents'],
            },
            control: new SimulatorControl(new Faults(1), new RequestLog()),
            close: () => vendor.close(),
          };
        },
      }),
    },
  };
  const others = INTEGRATIONS.filter(({ row }) => row.name !== 'sheets');
  return { vendor, integrations: [...others, paperclip] };
}

/** On a copy of an empty database: making one is part of another test of the demo. */
const quiet = {
  env: {},
  log: createLog({ level: 'silent' }),
  progress: new Progress({ write: () => undefined }),
  makeDatabase: seedDataDir,
};
const options = { data: undefined, rows: 321, keep: false, destination: 'sheets' } as const;

test('The demo connects a destination with the secret of its simulator, and finds each row there once', async () => {
  let shown = '';
  const result = await demo(
    { ...options, destination: 'postgres' },
    {
      ...quiet,
      stay: async ({ pages }) => {
        const table = pages.find((page) => page.includes('/tables/')) ?? assert.fail(pages.join(' '));
        shown = await (await fetch(table)).text();
      },
    },
  );
  assert.deepEqual([result.rows_delivered, result.duplicates, result.lost], [321, 0, 0]);
  assert.match(shown, /money\.tributary_demo.*321 rows/s);
});

test(
  'The demo gives each budget the accounts in its currency, and a slow destination few rows',
  ONLY_THOROUGH,
  async () => {
    const all = { data: undefined, rows: undefined, keep: false } as const;
    for (const one of [
      { ...all, destination: 'ynab' },
      { ...all, destination: 'actual', provider: 'nz_banking' },
    ] as const) {
      const result = await demo(one, quiet);
      assert.deepEqual(result.problems, [], one.destination);
      // Some banks report a pending row before they know its day, which no budgeting app takes.
      assert.ok(result.rows_at_bank > 400 && result.rejected < 20, one.destination);
      assert.equal(result.rows_delivered + result.rejected, result.rows_at_bank, one.destination);
    }
    assert.equal(demoRows({ ...all, destination: 'notion' }), 300);
    for (const asked of [{ rows: 5000 }, { provider: 'nz_banking' }, { destination: 'airtable' }] as const)
      assert.equal(
        demoRows({ ...all, destination: 'notion', ...asked }),
        'rows' in asked ? asked.rows : undefined,
      );
  },
);

test(
  'The demo of a brokerage copies every trade and every holding, and shows the pages they are on',
  ONLY_THOROUGH,
  async () => {
    let shown: readonly string[] = [];
    const result = await demo(
      { data: undefined, rows: undefined, provider: 'brokerage', keep: false, destination: 'sheets' },
      {
        ...quiet,
        stay: async ({ pages }) => {
          const books = pages.filter((page) => page.includes('/spreadsheets/d/'));
          shown = await Promise.all(books.map(async (page) => (await fetch(page)).text()));
        },
      },
    );
    assert.deepEqual([result.problems, result.ok], [[], true]);
    assert.ok(result.rows_at_bank > 100 && result.rows_delivered === result.rows_at_bank);
    assert.equal(shown.length, 2);
    assert.ok(shown.some((page) => page.includes('Trade ID')));
    assert.ok(shown.some((page) => page.includes('Avg Price')));
  },
);

test('The demo links a destination by its pages, makes its target, and finds each row there once', async () => {
  const { integrations, vendor } = withPaperclip(false);
  let stayed = 0;
  const result = await demo(options, {
    ...quiet,
    integrations,
    stay: async ({ pages }) => {
      stayed += 1;
      const [page = ''] = pages;
      assert.match(page, /^http:\/\/127\.0\.0\.1:\d+\/sandbox\/paperclip\/documents$/);
      // Paperclip wants a token where a person would see the rows: the page is reached.
      assert.equal((await fetch(page)).status, 401);
    },
  });
  assert.deepEqual([result.problems, result.ok, stayed], [[], true, 1]);
  assert.deepEqual([result.rows_at_bank, result.rows_delivered, result.duplicates], [321, 321, 0]);
  assert.deepEqual([vendor.documents.size, vendor.signIns.reused], [1, 0]);
  assert.match(showDemo(result), /The rows that arrived: http/);
});

test('The demo fails where rows are at the destination twice', async () => {
  const { integrations } = withPaperclip(true);
  const result = await demo(options, { ...quiet, integrations });
  assert.equal(result.ok, false);
  assert.deepEqual(result.problems, ['3 rows arrived twice.']);
});
