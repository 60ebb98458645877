import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { INTEGRATIONS } from '../../src/app/integrations.ts';
import { DESTINATION_TYPES } from '../../src/vocabulary/destination-kinds.ts';
import { readSources, readTree, type Tree } from './tree.ts';

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
  for (const tree of trees) assert.ok(tree.size > 5, 'the search found the source');
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

/** Also the trigger of a run, and the kind of database for the service's own data. */
const OTHER_WORDS: ReadonlySet<string> = new Set(['webhook', 'postgres']);
const QUOTED = new RegExp(
  `['"\`](?:${DESTINATION_TYPES.filter((type) => !OTHER_WORDS.has(type)).join('|')})['"\`]`,
);
/** The table, examples in the documentation of the interface, and the tour, which is one of spreadsheets. */
const MAY_NAME = [
  'src/vocabulary/destination-kinds',
  'src/app/integrations.ts',
  'src/operations/v2/destinations/resource.ts',
  'src/operations/v2/destination-links.ts',
  'web/src/home/tour-steps.tsx',
  'web/src/home/welcome-page.tsx',
  ...INTEGRATIONS.flatMap(({ row, simulator }) =>
    row.kind === 'provider'
      ? []
      : [
          `src/connectors/destinations/${row.name.replaceAll('_', '-')}/`,
          ...(simulator === null ? [] : [`sandbox/${simulator.folder}/`]),
        ],
  ),
];

/** Lines elsewhere that name a type, comments included, as `path:line`. */
function naming(tree: Tree): string[] {
  return [...tree].flatMap(([path, source]) =>
    MAY_NAME.some((start) => path.startsWith(start))
      ? []
      : source.split('\n').flatMap((line, at) => (QUOTED.test(line) ? [`${path}:${at + 1}`] : [])),
  );
}

test('a type of destination is named in its folders and its descriptor, and elsewhere only as an example', () => {
  const web = new Map([...readTree('web/src'), ...readTree('web/src', '.tsx')]);
  assert.deepEqual([...naming(readSources()), ...naming(web)], []);
  const planted = new Map([['src/features/a.ts', "const open = { csv_folder: 1 }['csv_folder'];"]]);
  assert.deepEqual(naming(planted), ['src/features/a.ts:1']);
});
