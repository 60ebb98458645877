import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { csvText } from '../../../src/features/exports/csv-export.ts';
import { ofxStatements } from '../../../src/features/exports/ofx-export.ts';
import { qifLists } from '../../../src/features/exports/qif-export.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { TRANSACTION_FIELDS } from '../../../src/vocabulary/row-fields.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { pending, posted } from '../sync-engine/support/bank.ts';
import { exported, signal, whole } from './exported.ts';
import { ofxFaults, parseOfx } from './ofx-checker.ts';

const run = promisify(execFile);
const EXAMPLES = fileURLToPath(new URL('../../../docs/examples/', import.meta.url));
const XML_HEADER =
  '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n';

/** Rows with any texts and amounts that a bank may send. */
const rows = fc.array(
  fc.record({
    description: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        'a^b',
        '^',
        '\n^\n',
        'D2026-01-01\nT9',
        '<STMTTRN>',
        '&amp;',
        '!Type:Cash',
        'مرحبا ☕ 喫茶',
      ),
    ),
    merchant_name: fc.option(fc.string({ unit: 'binary', maxLength: 60 })),
    amount_decimal: fc
      .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.constantFrom(0, 2, 3))
      .map(([units, places]) => (units / 10 ** places).toFixed(places)),
  }),
  { maxLength: 8 },
);
const transactions = (made: readonly Partial<Transaction>[]): Transaction[] =>
  made.map((fields, at) => posted(at + 1, fields));

/** One text, however it was broken: as files have it. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '')
    .trim();

interface QifEntry {
  readonly [field: string]: string;
}

/** By the description of the format: fields by their first character, `^` ends an entry, `!` begins a list. */
function readQif(text: string): {
  readonly lists: { readonly header: QifEntry; readonly type: string; readonly entries: QifEntry[] }[];
} {
  const lists: { header: QifEntry; type: string; entries: QifEntry[] }[] = [];
  let [fields, header, inAccount]: [Record<string, string>, QifEntry, boolean] = [{}, {}, false];
  for (const line of text.split('\n').slice(0, -1)) {
    const [first = '', rest] = [line[0], line.slice(1)];
    if (line === '!Account') inAccount = true;
    else if (first === '!') {
      lists.push({ header, type: rest.replace('Type:', ''), entries: [] });
      inAccount = false;
    } else if (line === '^') {
      if (inAccount) header = fields;
      else lists.at(-1)?.entries.push(fields);
      fields = {};
    } else {
      assert.ok(!(first in fields), `${first} twice`);
      fields[first] = rest;
    }
  }
  assert.deepEqual(fields, {}, 'the last entry has its end');
  return { lists };
}

describe('OFX 1.02', () => {
  test('has the header of SGML in UTF-8, and the elements of OFX 2', async () => {
    const of = (version: 1 | 2): Promise<string> =>
      whole(
        ofxStatements(
          exported([posted(1), posted(2)], ['transaction', 'credit-card']),
          { version, now: 0 },
          signal,
        ),
      );
    const [header = '', ...elements] = (await of(1)).split('\r\n\r\n');
    assert.deepEqual(header.split('\r\n'), [
      'OFXHEADER:100',
      'DATA:OFXSGML',
      'VERSION:102',
      'SECURITY:NONE',
      'ENCODING:UTF-8',
      'CHARSET:NONE',
      'COMPRESSION:NONE',
      'OLDFILEUID:NONE',
      'NEWFILEUID:NONE',
    ]);
    assert.equal(XML_HEADER + elements.join(''), await of(2));
  });

  test('keeps the rules of the standard for any text and amount', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (made) => {
        const text = await whole(ofxStatements(exported(transactions(made)), { version: 1, now: 0 }, signal));
        const root = parseOfx(XML_HEADER + text.slice(text.indexOf('<OFX>')));
        assert.deepEqual(ofxFaults(root), []);
      }),
    );
  });
});

describe('QIF', () => {
  test('any text and amount is read back as one line of the row it belongs to', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (made) => {
        const { lists } = readQif(await whole(qifLists(exported(transactions(made)), signal)));
        assert.deepEqual(
          lists.map(({ header }) => header),
          [{}],
          'an only account needs no name',
        );
        assert.deepEqual(
          lists[0]?.entries.map(({ T, P = '', M = '' }) => [T, P, M]),
          made.map(({ description, merchant_name, amount_decimal }) => {
            const payee = oneLine(merchant_name ?? description);
            const memo = oneLine(description);
            return [amount_decimal, payee, memo === payee ? '' : memo];
          }),
        );
      }),
    );
  });

  test('has a list for each account under a name of its own, debts as such, and no pending row', async () => {
    const text = await whole(
      qifLists(exported([posted(1), pending(2)], ['transaction', 'credit-card', 'loan']), signal),
    );
    const { lists } = readQif(text);
    assert.deepEqual(
      lists.map(({ header, type, entries }) => [header.T, type, entries.length]),
      [
        ['Bank', 'Bank', 1],
        ['CCard', 'CCard', 1],
        ['Oth L', 'Oth L', 1],
      ],
    );
    // Three accounts of one name in this file.
    for (const { header } of lists) assert.match(header.N ?? '', /^Everyday \w{6}$/);
  });

  test('has days with the month first and a year of four digits, as Quicken writes and reads them', async () => {
    const made = [
      posted(1, { post_date: localDate('2026-10-31') }),
      posted(2, { post_date: localDate('2026-02-03') }),
    ];
    const { lists } = readQif(await whole(qifLists(exported(made), signal)));
    assert.deepEqual(
      lists[0]?.entries.map(({ D }) => D),
      ['10/31/2026', '02/03/2026'],
    );
  });

  test('is refused for trades, holdings and several currencies', async () => {
    const code = { code: 'not_supported' };
    await assert.rejects(whole(qifLists({ ...exported([]), type: 'trades' }, signal)), code);
    await assert.rejects(whole(qifLists({ ...exported([]), type: 'holdings' }, signal)), code);
    const foreign = posted(2, { amount: { amount: 1, currency: 'usd' } });
    await assert.rejects(whole(qifLists(exported([posted(1), foreign]), signal)), code);
  });
});

describe('The examples for plain-text accounting', () => {
  const awkward = [
    posted(1, { description: 'a "quoted", comma; and %text', merchant_name: 'Café ☕' }),
    posted(2, {
      amount_decimal: '12345.60',
      amount: { amount: 1234560, currency: 'aud' },
      direction: 'credit',
    }),
    posted(3, { description: '=1+1' }),
  ];

  async function written(): Promise<{ readonly directory: string; readonly file: string }> {
    const directory = await scratchDirectory();
    await mkdir(directory, { recursive: true });
    const file = join(directory, 'everyday.csv');
    await writeFile(file, await whole(csvText(exported(awkward), { bom: false, defuse: true }, signal)));
    return { directory, file };
  }

  test('name the columns of the CSV', () => {
    const headers: readonly string[] = Object.values(TRANSACTION_FIELDS).map(({ header }) => header);
    const rules = readFileSync(join(EXAMPLES, 'tributary.rules'), 'utf8');
    const fields = /^fields (.*)$/m.exec(rules)?.[1]?.split(', ') ?? [];
    assert.equal(fields.length, headers.length);
    const shown = { id: 'Transaction ID', day: 'Date', text: 'Description', amt: 'Amount', state: 'Status' };
    for (const [field, header] of Object.entries(shown)) assert.equal(headers[fields.indexOf(field)], header);
    const config = readFileSync(join(EXAMPLES, 'beancount_config.py'), 'utf8');
    for (const [, header = ''] of config.matchAll(/Col\.\w+: "([^"]+)"/g))
      assert.ok(headers.includes(header), header);
  });

  test('let hledger read every row to the cent', async (t) => {
    if (!(await installed('hledger'))) return t.skip('hledger is not installed');
    const { file } = await written();
    const { stdout } = await run('hledger', [
      'print',
      '-f',
      file,
      '--rules-file',
      join(EXAMPLES, 'tributary.rules'),
      '-O',
      'json',
    ]);
    const read: {
      readonly tcode: string;
      readonly tpostings: {
        readonly pamount: {
          readonly aquantity: { readonly decimalMantissa: number; readonly decimalPlaces: number };
        }[];
      }[];
    }[] = JSON.parse(stdout);
    const amounts = new Map(
      read.map(({ tcode, tpostings }) => {
        const { decimalMantissa, decimalPlaces } = tpostings[0]?.pamount[0]?.aquantity ?? assert.fail();
        return [tcode, decimalMantissa / 10 ** decimalPlaces];
      }),
    );
    assert.deepEqual(amounts, new Map(awkward.map(({ id, amount_decimal }) => [id, Number(amount_decimal)])));
  });

  test('let Beancount read every row to the cent', async (t) => {
    if (!(await installed('bean-extract'))) return t.skip('Beancount is not installed');
    const { file } = await written();
    const { stdout } = await run('bean-extract', [join(EXAMPLES, 'beancount_config.py'), file]);
    for (const { id, amount_decimal } of awkward) {
      assert.match(
        stdout,
        new RegExp(`\\^${id}\\n +Assets:Everyday +${amount_decimal.replace('.', '\\.')} AUD`),
      );
    }
  });
});

function installed(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  );
}
