import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DESTINATION_TYPES } from '../../src/vocabulary/destination-kinds.ts';
import { readTree, type Tree } from './tree.ts';

const TYPE = `['"\`](?:${DESTINATION_TYPES.join('|')})['"\`]`;
const COMPARISON = new RegExp(
  [
    `[=!]==?\\s*${TYPE}`,
    `${TYPE}\\s*[=!]==?`,
    `\\bcase\\s+${TYPE}`,
    `\\.(?:includes|has|get)\\(\\s*${TYPE}`,
    `\\[[^\\]]*${TYPE}[^\\]]*\\]\\s*\\.(?:includes|indexOf)\\(`,
  ].join('|'),
);
/** A kind of database for the service's own data. */
const STORE = "database.kind !== 'postgres'";
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/;

/** Lines that tell destinations apart by a type, as `path:line`. */
function comparisons(tree: Tree): string[] {
  return [...tree].flatMap(([path, source]) =>
    source
      .split('\n')
      .flatMap((line, at) =>
        !COMMENT_LINE.test(line) && COMPARISON.test(line.replace(STORE, '')) ? [`${path}:${at + 1}`] : [],
      ),
  );
}

test('nothing above the connectors compares with a type of destination: what differs is in DESTINATION_KINDS', () => {
  const trees = [
    ...['src/features', 'src/operations', 'src/background', 'src/surfaces'].map((folder) => readTree(folder)),
    readTree('src/app/demo'),
    new Map([...readTree('web/src'), ...readTree('web/src', '.tsx')]),
  ];
  for (const tree of trees) assert.ok(tree.size > 5, 'the walk found the source');
  assert.deepEqual(trees.flatMap(comparisons), []);
});

describe('a comparison with a type of destination is found', () => {
  const planted = [
    "if (row.type === 'webhook') return;",
    "if (row.type!=='sheets') return;",
    'if ("ynab" == row.type) return;',
    "  case 'notion':",
    "const special = ['sheets', 'airtable'].includes(row.type);",
    "if (types.includes('airtable')) return;",
  ];
  for (const line of planted) {
    test(line, () =>
      assert.deepEqual(comparisons(new Map([['src/features/a.ts', line]])), ['src/features/a.ts:1']),
    );
  }
});

describe('what compares with no type of destination passes', () => {
  const allowed = [
    "// row.type === 'webhook'",
    "export const example = { type: 'webhook', name: 'Ledger' };",
    "if (DESTINATION_KINDS[row.type].connects === 'url') return;",
    "throw new ServiceError('no_resources', { param: 'webhook' });",
  ];
  for (const line of allowed) {
    test(line, () => assert.deepEqual(comparisons(new Map([['src/features/a.ts', line]])), []));
  }
});
