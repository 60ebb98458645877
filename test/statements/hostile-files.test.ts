import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { guessCsvLayout, previewCsv } from '../../src/statements/csv/csv-file.ts';
import { MAX_STATEMENT_BYTES, UnusableFile } from '../../src/statements/statement-contract.ts';
import { fixture, parsed, refusal } from './parse.ts';

const OFX_ROW = '<STMTTRN><TRNTYPE>POS<DTPOSTED>20260103<TRNAMT>-12.50<FITID>A<NAME>Shop</STMTTRN>\n';
const ofx = (rows: string) => `<OFX><STMTRS><CURDEF>EUR<BANKTRANLIST>${rows}</BANKTRANLIST></STMTRS></OFX>`;
const NTRY =
  '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-01-05</Dt></BookgDt><AddtlNtryInf>Shop</AddtlNtryInf></Ntry>';
const camt = (inside: string, prologue = '') =>
  `<?xml version="1.0"?>${prologue}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${inside}</Stmt></BkToCstmrStmt></Document>`;
const MT940_ROW = ':61:2601150115C25,00NTRFNONREF//26015123456\n:86:Shop\n';
const mt940 = (rows: string) =>
  `:20:A\n:25:NL20INGB0001234567\n:60F:C260114EUR100,00\n${rows}:62F:C260115EUR121,00\n-\n`;
const QIF_ROW = "D1/31'26\nT-1.00\nPShop\n^\n";
const csv = (rows: string) => `Date,Description,Amount\n${rows}`;
const CSV_ROW = '2026-01-31,Shop,-1.00\n';

const ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';

describe('a file that cannot be used as a whole is refused with its reason', () => {
  const binary = (start: string) => new Uint8Array([...start].map((letter) => letter.charCodeAt(0)));
  const cases: ReadonlyArray<readonly [what: string, reason: string, file: string | Uint8Array]> = [
    ['nothing', 'empty', new Uint8Array(0)],
    ['spaces', 'empty', '  \r\n '],
    ['zeros', 'empty', new Uint8Array(100)],
    ['a ZIP archive', 'unknown_format', binary('PK\x03\x04rest')],
    ['a PDF', 'unknown_format', binary('%PDF-1.7 rest')],
    ['an old spreadsheet', 'unknown_format', binary('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
    ['a web page', 'unknown_format', '<!DOCTYPE html><html><body>Sign in</body></html>'],
    ['JSON', 'unknown_format', '[{"date":"2026-01-31"}]'],
    ['prose', 'unknown_format', 'Dear customer,\nyour statement is attached.\n'],
    ['other XML', 'unknown_format', '<?xml version="1.0"?><pain.001/>'],
    [
      'a notification',
      'unknown_format',
      camt('').replaceAll('camt.053', 'camt.054').replaceAll('Stmt', 'DbtCdtNtfctn'),
    ],
    ['bytes that are not text', 'encoding', `${csv(CSV_ROW)}2026-01-30,\0\0\x01,1.00\n`],
    ['too many bytes', 'too_large', new Uint8Array(MAX_STATEMENT_BYTES + 1).fill(65)],
    ['entities in CAMT', 'entities', camt(NTRY, ENTITIES)],
    ['external entities in CAMT', 'entities', camt(NTRY, '<!DOCTYPE x SYSTEM "file:///etc/passwd">')],
    [
      'entities far behind the beginning',
      'entities',
      camt(NTRY, `<!--${' '.repeat(20_000)}-->${ENTITIES}`).replace(
        '<?xml version="1.0"?>',
        '<?xml version="1.0"?><?camt.053?>',
      ),
    ],
    ['entities in OFX', 'entities', `<?xml version="1.0"?>${ENTITIES}${ofx(OFX_ROW)}`],
    ['entities inside OFX', 'entities', ofx(`${ENTITIES}${OFX_ROW}`)],
    ['deep CAMT', 'too_deep', camt('<a>'.repeat(5_000))],
    ['deep OFX', 'too_deep', ofx(Array.from({ length: 100 }, (_, at) => `<A${at}>`).join(''))],
    ['CAMT without its end', 'malformed', camt(NTRY).slice(0, -30)],
    ['OFX without its end', 'malformed', ofx(OFX_ROW.repeat(3)).slice(0, -20)],
    ['CAMT without a statement', 'empty', camt('').replaceAll('<Stmt></Stmt>', '')],
    ['OFX without a statement', 'empty', '<OFX><SIGNONMSGSRSV1></SIGNONMSGSRSV1></OFX>'],
    ['QIF without transactions', 'empty', '!Type:Cat\nNFood\n^\n'],
  ];
  for (const [what, reason, file] of cases) {
    test(what, async () => assert.equal(await refusal(file), reason));
  }

  test('and its message never repeats what is in it', async () => {
    await assert.rejects(
      parsed('secret,table\nof,words\n'),
      (error: Error) => !error.message.includes('secret'),
    );
  });
});

const MANY: ReadonlyArray<readonly [format: string, of: (rows: number) => string]> = [
  ['ofx', (rows) => ofx(OFX_ROW.repeat(rows))],
  ['qif', (rows) => `!Type:Bank\n${QIF_ROW.repeat(rows)}`],
  ['camt', (rows) => camt(NTRY.repeat(rows))],
  ['mt940', (rows) => mt940(MT940_ROW.repeat(rows))],
  ['csv', (rows) => csv(CSV_ROW.repeat(rows))],
];

describe('a file with more rows than the cap is refused, one with as many is read', () => {
  for (const [format, of] of MANY) {
    test(format, async () => {
      const { statements } = await parsed(of(20), { maxRows: 20 });
      assert.equal(statements.flatMap(({ rows }) => rows).length, 20);
      assert.equal(await refusal(of(21), { maxRows: 20 }), 'too_many_rows');
    });
  }
});

describe('parsing gives everything else its turn, and ends when it is no longer wanted', () => {
  for (const [format, of] of MANY) {
    test(format, async () => {
      const text = of(10_000);
      let turns = 0;
      let ended = false;
      const turn = () => {
        turns += 1;
        if (!ended) setImmediate(turn);
      };
      setImmediate(turn);
      await parsed(text);
      ended = true;
      assert.ok(turns > text.length / 65_536, `${turns} turns in ${text.length} characters`);

      const stop = new AbortController();
      const reason = new Error('no longer wanted');
      setImmediate(() => setImmediate(() => stop.abort(reason)));
      await assert.rejects(parsed(text, { signal: stop.signal }), (error) => error === reason);
    });
  }

  test('a batch of many transactions in one entry', async () => {
    const part =
      '<TxDtls><Amt Ccy="EUR">1.00</Amt><RltdPties><Cdtr><Nm>Anna</Nm></Cdtr></RltdPties></TxDtls>';
    const entry = NTRY.replace('1.00', '20000.00').replace(
      '</Ntry>',
      `<NtryDtls>${part.repeat(20_000)}</NtryDtls></Ntry>`,
    );
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const { statements } = await parsed(camt(entry));
    clearInterval(timer);
    assert.equal(statements[0]?.rows.length, 20_000);
    assert.ok(turns > 5, `${turns} turns`);
  });
});

/** A million characters of what a pattern with backtracking would take hours for. */
const LONG = 1_000_000;
const HOSTILE: ReadonlyArray<readonly [string, string]> = [
  ['digits', '1'.repeat(LONG)],
  ['spaces before a letter', `${' '.repeat(LONG)}x`],
  ['groups of digits', '1,'.repeat(LONG / 2)],
  ['quotes', '"'.repeat(LONG)],
  ['quotes that never close', '"a\n'.repeat(LONG / 3)],
  ['quotes before text', '"a"b'.repeat(LONG / 4)],
  ['opening signs', '<'.repeat(LONG)],
  ['opening tags', '<a'.repeat(LONG / 2)],
  ['empty sections', '<![CDATA[]]>'.repeat(LONG / 12)],
  ['ampersands', '&'.repeat(LONG)],
  ['unfinished entities', '&#1'.repeat(LONG / 3)],
  ['slashes', '/'.repeat(LONG)],
  ['code words', '/REMI/NAME'.repeat(LONG / 10)],
  ['question marks', '?20?'.repeat(LONG / 4)],
  ['purposes', '?20SVWZ+'.repeat(LONG / 8)],
  ['brackets', '('.repeat(LONG)],
  ['line ends', '\r\n'.repeat(LONG / 2)],
  ['delimiters', ','.repeat(LONG)],
  ['dates', '1/1/'.repeat(LONG / 4)],
];

describe('no line of a million characters takes more than linear time', () => {
  for (const [what, text] of HOSTILE) {
    test(what, { timeout: 120_000 }, async () => {
      const files = [
        text,
        ofx(`${OFX_ROW}<STMTTRN><TRNAMT>${text}<DTPOSTED>${text}<NAME>${text}</STMTTRN>`),
        `!Type:Bank\n${QIF_ROW}D${text}\nT${text}\nP${text}\nL${text}\n^\n`,
        camt(`${NTRY}<Ntry><Amt>${text}</Amt></Ntry>`),
        mt940(
          `${MT940_ROW}:61:${text}\n:86:166?00${text}\n${MT940_ROW}:61:260101D1,00NTRF${text}\n:86:${text}\n`,
        ),
        csv(`${CSV_ROW}${text},${text},${text}\n`),
        `{1:${text}{4:\n${mt940(MT940_ROW)}`,
      ];
      for (const file of files) await refusal(file);
    });
  }
});

const SEEDS = [
  'checking-sgml.ofx',
  'several-accounts.ofx',
  'quicken.qif',
  'german.sta',
  'dutch.940',
  'batch-v2.xml',
  'pending-v8.xml',
  'sparkasse.csv',
  'uk-columns.csv',
  'swiss.csv',
].map((name) => fixture(name));

/** A place in the file, and what is done there. */
const edit = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom('set', 'cut', 'repeat', 'end'),
  fc.integer({ min: 0, max: 255 }),
);

function edited(file: Uint8Array, edits: ReadonlyArray<readonly [number, string, number]>): Uint8Array {
  return edits.reduce<Uint8Array>((bytes, [where, what, value]) => {
    const at = Math.floor(where * bytes.length);
    const parts = {
      set: [bytes.subarray(0, at), new Uint8Array([value]), bytes.subarray(at + 1)],
      cut: [bytes.subarray(0, at), bytes.subarray(at + value)],
      repeat: [bytes.subarray(0, at + value), bytes.subarray(at)],
      end: [bytes.subarray(0, at)],
    }[what];
    return Buffer.concat(parts ?? [bytes]);
  }, file);
}

test('a file with any bytes changed is read or refused, and a CSV guessed and shown, never anything else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SEEDS),
      fc.array(edit, { minLength: 1, maxLength: 8 }),
      async (seed, edits) => {
        const bytes = edited(seed, edits);
        await refusal(bytes);
        try {
          const { layout } = await guessCsvLayout(bytes);
          if (layout !== null) await previewCsv(bytes, layout, 50);
        } catch (error) {
          assert.ok(error instanceof UnusableFile, String(error));
        }
      },
    ),
    { numRuns: process.env.THOROUGH === 'true' ? 5_000 : 300 },
  );
});
