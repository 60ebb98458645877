import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TORTURED } from '../../scripts/lib/torture/banks.ts';
import { isClean, type Scenario, showReports } from '../../scripts/lib/torture/outcome.ts';
import { runAll, SCENARIOS, thisMachine } from '../../scripts/lib/torture/suite.ts';
import { LINKED_PROVIDERS } from '../../src/vocabulary/provider-kinds.ts';
import { tableRows } from '../house/markdown.ts';
import { readText } from '../house/tree.ts';
import { THOROUGH } from '../support/thorough.ts';

const QUICK = ['changed and withdrawn rows'];
/** Those that no other test does in less time; `npm run torture -- --all` does all of them, and longer. */
const SHORT = [
  ...QUICK,
  'killed while delivering events, embedded',
  'five hostile banks',
  'kills, embedded, brokerage',
  'killed while delivering events, two processes on Postgres',
  'rolling upgrade',
  'clock a day forward and an hour back',
  'late and back-dated rows',
  'killed at a bank that misbehaves',
];
const chosen = new Set(THOROUGH ? SHORT : QUICK);

for (const scenario of SCENARIOS.filter(({ name }) => chosen.has(name))) {
  test(`Nothing is lost, doubled or stuck: ${scenario.name}`, async (t) => {
    const lacks = scenario.missing(thisMachine());
    if (lacks !== null) return t.skip(lacks);
    const scale = THOROUGH && scenario.name === 'five hostile banks' ? 1 : 0.2;
    const reports = await runAll([scenario], thisMachine(), scale, () => undefined);
    assert.ok(reports.every(isClean), `\n${showReports(reports)}`);
  });
}

test('Every short scenario exists, and the page on the command line names every fault', () => {
  const names = SCENARIOS.map(({ name }) => name);
  for (const name of SHORT) assert.ok(names.includes(name), name);
  const rows = tableRows(readText('docs/command-line.md'), 'torture').flatMap(({ Fault = '' }) => Fault);
  for (const name of names) {
    const [kind = '', what = ''] = name.split(' ');
    const told = rows.some((row) =>
      ['Postgres', 'Redis'].includes(what) ? row.includes(kind) && row.includes(what) : row.includes(name),
    );
    assert.ok(told, name);
  }
});

test('The service is killed during syncs of the rows of every provider', () => {
  assert.deepEqual(Object.keys(TORTURED).toSorted(), [...LINKED_PROVIDERS].toSorted());
  const names = SCENARIOS.map(({ name }) => name).filter((name) => name.startsWith('kills, embedded'));
  for (const provider of Object.keys(TORTURED)) {
    assert.ok(
      names.some((name) => name.endsWith(provider === 'au_banking' ? 'embedded' : provider)),
      provider,
    );
  }
});

test('A scenario that loses a row, or cannot be run to its end, does not count as clean', async () => {
  const outcome = { faults: 1, lost: 1, doubled: 0, stuck: 0, errors: 0, recoverySeconds: 0 };
  const lossy: Scenario = { name: 'lossy', missing: () => null, run: async () => outcome };
  const broken: Scenario = {
    name: 'broken',
    missing: () => null,
    run: async () => {
      throw new Error('no');
    },
  };
  const reports = await runAll([lossy, broken], thisMachine(), 1, () => undefined);
  assert.deepEqual(reports.map(isClean), [false, false]);
  assert.match(showReports(reports), /lossy +1 +1 +0 +0 +0/);
});
