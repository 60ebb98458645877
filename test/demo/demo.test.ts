import assert from 'node:assert/strict';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { demo } from '../../src/app/demo/demo.ts';
import { Progress, showDemo } from '../../src/app/demo/demo-output.ts';
import { createLog } from '../../src/platform/log.ts';
import { DESTINATION_TYPES } from '../../src/vocabulary/destination-kinds.ts';
import { csvOf } from '../features/documents/statements.ts';
import { decimal, WRITERS } from '../statements/writers.ts';
import { seedDataDir } from '../support/schema-template.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { THOROUGH } from '../support/thorough.ts';
import { tributary, tributaryInProcess } from '../surfaces/cli/run-tributary.ts';

/** On a copy of an empty database: that the demo makes one of its own is part of the test of --json. */
const QUIETLY = {
  env: {},
  log: createLog({ level: 'silent' }),
  progress: new Progress({ write: () => undefined }),
  makeDatabase: seedDataDir,
};

test('The demo delivers every row of a generated account once, and leaves no directory behind', async () => {
  let said = '';
  const progress = new Progress({
    write: (text) => {
      said += text;
    },
  });
  const result = await demo({ data: undefined, rows: 1234, keep: false }, { ...QUIETLY, progress });
  assert.deepEqual(result.problems, []);
  assert.equal(result.ok, true);
  assert.equal(result.rows_at_bank, 1234);
  assert.equal(result.rows_delivered, 1234);
  assert.equal(result.signatures_verified, result.deliveries);
  assert.match(said, /Linking .*\nReading .*\nSyncing/s);
  assert.match(
    showDemo(result),
    /accounts +rows at the bank +rows delivered +rejected +duplicates +lost +seconds\n +1 +1,234 +1,234 +0 +0 +0/,
  );
});

test('The demo does the main job with a provider whose own page asks for the bank', async () => {
  const result = await demo(
    { provider: 'nz_banking', data: undefined, rows: undefined, keep: false },
    QUIETLY,
  );
  assert.deepEqual(result.problems, []);
  assert.equal(result.accounts, 2);
  assert.ok(result.rows_at_bank > 100 && result.rows_delivered === result.rows_at_bank);
});

test('The demo of a brokerage delivers every trade to a webhook once', async () => {
  const result = await demo(
    { data: undefined, rows: undefined, provider: 'brokerage', keep: false },
    QUIETLY,
  );
  assert.deepEqual(result.problems, []);
  assert.equal(result.accounts, 2);
  assert.ok(result.rows_at_bank > 50);
  assert.equal(result.rows_delivered, result.rows_at_bank);
  assert.match(showDemo(result), /deliveries, each verified in both signature schemes/);
});

const FORMATS = [...Object.keys(WRITERS), 'CSV'];

for (const format of THOROUGH ? FORMATS : ['OFX 1']) {
  test(`The demo delivers every row of a statement file in ${format} once`, async () => {
    const rows = Array.from({ length: 120 }, (_, at) => ({
      date: `2026-0${(at % 9) + 1}-${String((at % 28) + 1).padStart(2, '0')}`,
      minor: at % 3 === 0 ? 125_000 + at : -(450 + (at % 5)),
      text: `Shop ${at % 7}`,
      reference: `r${at}`,
    }));
    const write = WRITERS[format];
    const text =
      write === undefined
        ? csvOf(
            rows.map(({ date, minor, text: description, reference }) => ({
              date,
              amount: decimal(minor),
              description,
              reference,
            })),
          )
        : write(rows, 'EUR');
    const statement = join(await scratchDirectory(), 'statement');
    await writeFile(statement, text);
    const result = await demo({ statement, data: undefined, rows: undefined, keep: false }, QUIETLY);
    assert.deepEqual(result.problems, []);
    assert.deepEqual(
      [result.rows_at_bank, result.rows_delivered, result.duplicates, result.lost],
      [rows.length, rows.length, 0, 0],
    );
    assert.match(showDemo(result), /rows in the file/);
  });
}

test('The demo of a file that is no statement says so', async () => {
  const { code, stderr } = await tributaryInProcess(['demo', '--statement', 'docs/errors.md']);
  assert.equal(code, 1);
  assert.match(stderr, /docs\/errors\.md: The file is not OFX/);
});

/** As many as the slowest vendor takes in a few seconds. */
const FEW = 30;

for (const destination of DESTINATION_TYPES.filter((type) => type !== 'webhook')) {
  const skip = THOROUGH ? false : 'runs with THOROUGH: each type has a suite of its own';
  test(`The demo delivers every row to ${destination} once`, { skip }, async () => {
    const result = await demo({ data: undefined, rows: FEW, destination, keep: false }, QUIETLY);
    assert.deepEqual(result.problems, []);
    assert.deepEqual([result.rows_at_bank, result.rows_delivered], [FEW, FEW]);
  });
}

test('With --json standard output is one JSON object, and --keep keeps the directory', async (t) => {
  const { code, stdout, stderr } = await tributary(['demo', '--rows', '50', '--json', '--keep']);
  const result: unknown = JSON.parse(stdout);
  assert.ok(typeof result === 'object' && result !== null && 'directory' in result);
  const { directory } = result;
  assert.ok(typeof directory === 'string');
  t.after(() => rm(directory, { recursive: true, force: true }));
  assert.equal(code, 0, stderr);
  assert.ok((await stat(directory)).isDirectory());
});

test('A file that is no bank data file is refused before anything starts', async () => {
  const { code, stdout, stderr } = await tributaryInProcess(['demo', '--data', 'package.json']);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /package\.json is not a bank data file/);
});
