import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { csvText } from '../../../src/features/exports/csv-export.ts';
import { jsonLines } from '../../../src/features/exports/json-lines-export.ts';
import { ofxStatements } from '../../../src/features/exports/ofx-export.ts';
import { csvLine, defused } from '../../../src/vocabulary/csv-lines.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { TRANSACTION_FIELDS } from '../../../src/vocabulary/row-fields.ts';
import type { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { pending, posted } from '../sync-engine/support/bank.ts';
import { readCsv, runsAsFormula, textOfCell } from './csv-reader.ts';
import { exported, EXPORTED_ACCOUNT as ID, signal, whole } from './exported.ts';
import { elementsOf, ofxFaults, parseOfx } from './ofx-checker.ts';

const plain = { bom: false, defuse: true };

describe('CSV', () => {
  test('has the columns of a row in their order and is read back as it was written', async () => {
    const awkward = posted(1, { description: 'a "quoted", comma\r\nand line', merchant_name: 'Café ☕' });
    const [names, ...rows] = readCsv(await whole(csvText(exported([awkward, posted(2)]), plain, signal)));
    assert.deepEqual(
      names,
      Object.values(TRANSACTION_FIELDS).map(({ header }) => header),
    );
    assert.deepEqual(
      rows.map((row) => [row[0], row[2], row[3], row[7]]),
      [
        [awkward.id, 'a "quoted", comma\r\nand line', '-1.01', 'Café ☕'],
        [posted(2).id, 'row 2', '-1.02', ''],
      ],
    );
  });

  test('has the columns that were chosen, in their order, and no other', async () => {
    const columns = ['amount', 'description', 'account_id'];
    const [names, line] = readCsv(await whole(csvText({ ...exported([posted(1)]), columns }, plain, signal)));
    assert.deepEqual(names, ['Amount', 'Description', 'Account ID']);
    assert.deepEqual(line, ['-1.01', 'row 1', publicId('account', ID)]);
    const trades = { ...exported([]), type: 'trades', columns: ['symbol', 'trade_id'] } as const;
    assert.equal(await whole(csvText(trades, plain, signal)), 'Symbol,Trade ID\r\n');
  });

  test('has its line of names also without rows, and a byte order mark where one is asked for', async () => {
    const text = await whole(csvText(exported([]), { ...plain, bom: true }, signal));
    assert.ok(text.startsWith('\uFEFFTransaction ID,Date'));
    assert.equal(readCsv(text).length, 1);
  });

  test('any cells are read back as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2 }), (cells) => {
        assert.deepEqual(readCsv(csvLine(cells, { defuse: false })), [cells]);
      }),
    );
  });

  test('no cell begins like a formula unless it is a number, and every text can be had back', () => {
    const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];
    const unseen = [
      '\t',
      '\r',
      '\n',
      '\r\n',
      ' ',
      '\u00a0',
      '\u0000',
      '\u000b',
      '\u200b',
      '\ufeff',
      '\u2028',
      '\u034f',
      '\u2800',
      '\u3164',
    ];
    const first = fc
      .array(fc.constantFrom(...signs, ...unseen, "'", 'a'), { maxLength: 4 })
      .map((parts) => parts.join(''));
    const rest = fc.oneof(fc.string(), fc.constantFrom('1', '1.50', '=1', 'cmd|x', ''));
    fc.assert(
      fc.property(first, rest, (begin, end) => {
        const text = begin + end;
        const safe = defused(text);
        assert.ok(!runsAsFormula(safe), JSON.stringify(safe));
        assert.equal(textOfCell(safe), text);
      }),
      { numRuns: 2000 },
    );
    assert.deepEqual(['-12.50', '+3', '=1+1', "'=1", "it's", '-x'].map(defused), [
      '-12.50',
      '+3',
      "'=1+1",
      "''=1",
      "it's",
      "'-x",
    ]);
    for (const text of [
      '＝1+1',
      '＋1',
      '－1',
      '＠SUM(1)',
      '\n=1+1',
      '\r\n-x',
      ' =1',
      '\u200b@x',
      '\u0000=1',
      '\u034f=1',
      '\u115f=1',
      '\u17b4=1',
      '\u2800=1',
      '\u3164=1',
      '\ufe0f=1',
      ' －1',
    ]) {
      assert.equal(defused(text), `'${text}`, JSON.stringify(text));
    }
    for (const text of [' groceries', '5 ＋ 5', 'a\n=1', '-12', '']) assert.equal(defused(text), text);
    assert.equal(csvLine(['=1+1'], { defuse: false }), '=1+1\r\n');
  });
});

describe('OFX', () => {
  const rows = [
    posted(1, { description: `5 < 6 & "so" \u0001${'long '.repeat(80)}`, class: 'fee' }),
    posted(2, { cents: 20_05, class: 'interest', merchant_name: 'Bank & Söhne ☕' }),
    posted(3, { amount_decimal: '+0.105', cents: 11 }),
    pending(4),
  ];

  test('keeps the rules of the standard for accounts of every kind', async () => {
    const types = [
      'credit-card',
      'transaction',
      'savings',
      'loan',
      'term-deposit',
      'investment',
      'other',
    ] as const;
    const root = parseOfx(await whole(ofxStatements(exported(rows, types), { version: 2, now: 0 }, signal)));
    assert.deepEqual(ofxFaults(root), []);
    assert.equal(elementsOf(root, 'STMTRS').length, 6);
    assert.equal(elementsOf(root, 'CCSTMTRS').length, 1);
  });

  test('has exact amounts and stable ids, and no pending row', async () => {
    const root = parseOfx(await whole(ofxStatements(exported(rows), { version: 2, now: 0 }, signal)));
    const texts = (name: string) => elementsOf(root, name).map(({ text }) => text);
    assert.deepEqual(texts('TRNAMT'), ['-1.01', '20.05', '0.105']);
    assert.deepEqual(
      texts('FITID'),
      rows.slice(0, 3).map(({ id }) => id),
    );
    assert.deepEqual(texts('TRNTYPE'), ['FEE', 'INT', 'CREDIT']);
    assert.deepEqual(texts('CURDEF'), ['AUD']);
    assert.deepEqual(texts('BALAMT'), ['-123.45']);
    assert.equal(texts('DTPOSTED')[0], rows[0]?.post_date?.replaceAll('-', ''));
    assert.equal(texts('NAME')[1], 'Bank & Söhne ☕');
  });

  test('keeps the rules also without rows', async () => {
    assert.deepEqual(
      ofxFaults(parseOfx(await whole(ofxStatements(exported([]), { version: 2, now: 0 }, signal)))),
      [],
    );
  });

  test('that is cut off is not well-formed', async () => {
    let text = '';
    await assert.rejects(async () => {
      for await (const piece of ofxStatements(
        exported(rows, ['transaction'], true),
        { version: 2, now: 0 },
        signal,
      ))
        text += piece;
    });
    assert.notEqual(text, '');
    assert.throws(() => parseOfx(text));
  });

  test('the checker finds what breaks a rule', async () => {
    const text = await whole(ofxStatements(exported(rows), { version: 2, now: 0 }, signal));
    for (const [from, to] of [
      [/<TRNAMT>[^<]*<\/TRNAMT>/, '<TRNAMT>1e5</TRNAMT>'],
      [/<FITID>[^<]*<\/FITID>/, ''],
      [/<LEDGERBAL>.*<\/LEDGERBAL>/, ''],
      [/<NAME>/, `<NAME>${'x'.repeat(40)}`],
      [/<CURDEF>AUD/, '<CURDEF>aud'],
    ] as const) {
      assert.notDeepEqual(ofxFaults(parseOfx(text.replace(from, to))), [], String(from));
    }
  });

  test('is refused for trades, for rows in another currency, and without a balance', async () => {
    const code = { code: 'not_supported' };
    await assert.rejects(
      whole(ofxStatements({ ...exported([]), type: 'trades' }, { version: 2, now: 0 }, signal)),
      code,
    );
    await assert.rejects(
      whole(ofxStatements({ ...exported([]), type: 'holdings' }, { version: 2, now: 0 }, signal)),
      code,
    );
    const foreign = posted(1, { amount: { amount: 1, currency: 'usd' } });
    await assert.rejects(whole(ofxStatements(exported([foreign]), { version: 2, now: 0 }, signal)), code);
  });
});

describe('JSON lines', () => {
  const present = (row: { readonly kind: string }) => row.kind;
  const explain = ({ code }: ServiceError) => ({ error: code });

  test('are one object a line', async () => {
    const text = await whole(jsonLines(exported([posted(1), posted(2)]), present, explain, signal));
    assert.equal(text, '"transaction"\n"transaction"\n');
  });

  test('that break off end with the error, which is raised as well', async () => {
    const pieces: string[] = [];
    await assert.rejects(async () => {
      for await (const piece of jsonLines(
        exported([posted(1)], ['transaction'], true),
        present,
        explain,
        signal,
      )) {
        pieces.push(piece);
      }
    });
    assert.deepEqual(pieces, ['"transaction"\n', '{"error":"upstream_unavailable"}\n']);
  });
});
