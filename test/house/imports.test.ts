import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FEATURE_ROOMS } from './floors.ts';
import { importBreaches } from './import-rule.ts';
import { dependenciesOf } from './manifest.ts';
import { readSources, readTree } from './tree.ts';

const packages = new Set(['kysely', '@scope/thing', 'fastify']);

/** Breaches in an invented tree; every file is a line or two of source. */
function breaches(files: Record<string, string>): string[] {
  return importBreaches(new Map(Object.entries(files)), packages);
}

test('every import of src and sandbox obeys the house: same room or a lower floor, no cycle, declared packages only', () => {
  const tree = readSources();
  assert.ok(tree.size > 100, 'the search found the source');
  assert.deepEqual(importBreaches(tree, new Set(Object.keys(dependenciesOf().runtime))), []);
});

const LEAF = 'export const leaf = 1;\n';
const use = (specifier: string) => `import { leaf } from '${specifier}';\nexport const user = leaf;\n`;

describe('the checker allows', () => {
  const allowed: ReadonlyArray<readonly [string, string, string]> = [
    ['src/features/sync-engine/a.ts', 'src/features/syncs/b.ts', '../syncs/b.ts'],
    ['src/features/access/a.ts', 'src/storage/b.ts', '../../storage/b.ts'],
    ['src/features/access/a.ts', 'src/vocabulary/b.ts', '../../vocabulary/b.ts'],
    [
      'src/features/access/a.ts',
      'src/connectors/providers/contract.ts',
      '../../connectors/providers/contract.ts',
    ],
    ['src/storage/a.ts', 'src/platform/b.ts', '../platform/b.ts'],
    ['src/connectors/providers/au-banking/a.ts', 'src/connectors/providers/contract.ts', '../contract.ts'],
    ['src/connectors/destinations/webhook/a.ts', 'src/connectors/destinations/contract.ts', '../contract.ts'],
    ['src/connectors/providers/au-banking/a.ts', 'src/connectors/providers/kit/b.ts', '../kit/b.ts'],
    ['src/connectors/providers/kit/a.ts', 'src/connectors/providers/contract.ts', '../contract.ts'],
    ['src/connectors/destinations/web/a.ts', 'src/connectors/destinations/kit/b.ts', '../kit/b.ts'],
    [
      'src/features/destinations/a.ts',
      'src/connectors/destinations/webhook/b.ts',
      '../../connectors/destinations/webhook/b.ts',
    ],
    [
      'src/features/sync-engine/a.ts',
      'src/connectors/destinations/contract.ts',
      '../../connectors/destinations/contract.ts',
    ],
    [
      'src/app/build.ts',
      'src/connectors/destinations/webhook/b.ts',
      '../connectors/destinations/webhook/b.ts',
    ],
    ['src/operations/table/a.ts', 'src/operations/b.ts', '../b.ts'],
    ['src/operations/a.ts', 'src/features/access/b.ts', '../features/access/b.ts'],
    ['src/surfaces/v2/a.ts', 'src/operations/table/b.ts', '../../operations/table/b.ts'],
    ['src/surfaces/v2/a.ts', 'src/surfaces/http/b.ts', '../http/b.ts'],
    ['src/surfaces/web/a.ts', 'src/surfaces/text/b.ts', '../text/b.ts'],
    ['src/surfaces/http/a.ts', 'src/surfaces/text/b.ts', '../text/b.ts'],
    ['src/surfaces/text/a.ts', 'src/surfaces/http/b.ts', '../http/b.ts'],
    ['src/background/a.ts', 'src/features/access/b.ts', '../features/access/b.ts'],
    ['src/app/serve.ts', 'sandbox/b.ts', '../../sandbox/b.ts'],
    [
      'src/app/build.ts',
      'src/connectors/providers/au-banking/b.ts',
      '../connectors/providers/au-banking/b.ts',
    ],
    ['src/app/demo/a.ts', 'src/app/serve.ts', '../serve.ts'],
    ['src/surfaces/cli/a.ts', 'src/features/operator/b.ts', '../../features/operator/b.ts'],
    ['src/main.ts', 'src/app/b.ts', './app/b.ts'],
    ['sandbox/bank/a.ts', 'sandbox/b.ts', '../b.ts'],
    ['sandbox/bank/a.ts', 'sandbox/shared/b.ts', '../shared/b.ts'],
  ];
  for (const [from, to, specifier] of allowed) {
    test(`${from} importing ${to}`, () => {
      assert.deepEqual(breaches({ [from]: use(specifier), [to]: LEAF }), []);
    });
  }

  test('built-in modules and declared packages, by any of their paths', () => {
    const source = `import { readFile } from 'node:fs/promises';\nimport { sql } from 'kysely/helpers';\n`;
    assert.deepEqual(
      breaches({ 'src/storage/a.ts': `${source}import thing from '@scope/thing/deep';\n` }),
      [],
    );
  });

  test('a surface to know the shape of a stored row', () => {
    const source = "import type { Row } from '../../storage/b.ts';\nexport type Shown = Row;\n";
    assert.deepEqual(
      breaches({ 'src/surfaces/web/a.ts': source, 'src/storage/b.ts': 'export type Row = string;\n' }),
      [],
    );
  });

  test('the word import in a comment or a text', () => {
    const source =
      "/** See import('../features/access/b.ts').\n * import { x } from './gone.ts';\n */\nconst text = 'import';\n";
    assert.deepEqual(breaches({ 'src/vocabulary/a.ts': source }), []);
  });
});

describe('the checker refuses', () => {
  const refused: ReadonlyArray<readonly [string, string, string, RegExp]> = [
    ['src/features/access/a.ts', 'src/operations/b.ts', '../../operations/b.ts', /higher floor/],
    ['src/operations/a.ts', 'src/surfaces/v2/b.ts', '../surfaces/v2/b.ts', /higher floor/],
    ['src/operations/a.ts', 'src/background/b.ts', '../background/b.ts', /higher floor/],
    ['src/vocabulary/a.ts', 'src/platform/b.ts', '../platform/b.ts', /higher floor/],
    ['src/storage/a.ts', 'src/features/access/b.ts', '../features/access/b.ts', /higher floor/],
    ['src/features/access/a.ts', 'src/surfaces/v2/b.ts', '../../surfaces/v2/b.ts', /higher floor/],
    ['src/storage/a.ts', 'src/connectors/providers/b.ts', '../connectors/providers/b.ts', /neighbour/],
    ['src/connectors/providers/b.ts', 'src/storage/a.ts', '../../storage/a.ts', /neighbour/],
    [
      'src/connectors/providers/a.ts',
      'src/connectors/destinations/b.ts',
      '../destinations/b.ts',
      /neighbour/,
    ],
    [
      'src/connectors/providers/au/a.ts',
      'src/connectors/providers/nz/b.ts',
      '../nz/b.ts',
      /only the gateway/,
    ],
    ['src/connectors/providers/a.ts', 'src/connectors/providers/au/b.ts', './au/b.ts', /only the gateway/],
    [
      'src/connectors/providers/kit/a.ts',
      'src/connectors/providers/au/b.ts',
      '../au/b.ts',
      /only the gateway/,
    ],
    ['src/connectors/providers/a.ts', 'src/connectors/providers/kit/b.ts', './kit/b.ts', /kit is for/],
    [
      'src/features/provider-gateway/a.ts',
      'src/connectors/providers/kit/b.ts',
      '../../connectors/providers/kit/b.ts',
      /kit is for/,
    ],
    [
      'src/connectors/destinations/web/a.ts',
      'src/connectors/providers/kit/b.ts',
      '../../providers/kit/b.ts',
      /kit is for/,
    ],
    [
      'src/features/access/a.ts',
      'src/connectors/providers/au/b.ts',
      '../../connectors/providers/au/b.ts',
      /only the gateway/,
    ],
    [
      'src/connectors/destinations/web/a.ts',
      'src/connectors/providers/b.ts',
      '../../providers/b.ts',
      /neighbour/,
    ],
    [
      'src/features/sync-engine/a.ts',
      'src/connectors/destinations/kit/b.ts',
      '../../connectors/destinations/kit/b.ts',
      /kit is for/,
    ],
    ['src/connectors/destinations/a.ts', 'src/connectors/destinations/web/b.ts', './web/b.ts', /neighbour/],
    [
      'src/connectors/destinations/ynab/a.ts',
      'src/connectors/destinations/web/b.ts',
      '../web/b.ts',
      /neighbour/,
    ],
    [
      'src/features/syncs/a.ts',
      'src/connectors/destinations/web/b.ts',
      '../../connectors/destinations/web/b.ts',
      /a destination is reached/,
    ],
    [
      'src/surfaces/v2/a.ts',
      'src/connectors/destinations/contract.ts',
      '../../connectors/destinations/contract.ts',
      /a destination is reached/,
    ],
    [
      'src/background/a.ts',
      'src/connectors/destinations/web/b.ts',
      '../connectors/destinations/web/b.ts',
      /a destination is reached/,
    ],
    ['src/surfaces/v2/a.ts', 'src/surfaces/v1/b.ts', '../v1/b.ts', /neighbour/],
    ['src/surfaces/http/a.ts', 'src/surfaces/v2/b.ts', '../v2/b.ts', /neighbour/],
    ['src/surfaces/text/a.ts', 'src/surfaces/web/b.ts', '../web/b.ts', /neighbour/],
    ['src/background/a.ts', 'src/surfaces/http/b.ts', '../surfaces/http/b.ts', /neighbour/],
    ['src/surfaces/v2/a.ts', 'src/background/b.ts', '../../background/b.ts', /neighbour/],
    ['src/features/access/a.ts', 'src/app/serve.ts', '../../app/serve.ts', /wiring/],
    ['src/surfaces/cli/a.ts', 'src/app/serve.ts', '../../app/serve.ts', /wiring/],
    ['src/surfaces/web/a.ts', 'src/surfaces/cli/b.ts', '../cli/b.ts', /neighbour/],
    ['src/surfaces/cli/a.ts', 'src/storage/b.ts', '../../storage/b.ts', /never the storage/],
    ['sandbox/a.ts', 'src/vocabulary/b.ts', '../src/vocabulary/b.ts', /sandbox imports only/],
    ['src/features/access/a.ts', 'sandbox/b.ts', '../../../sandbox/b.ts', /over HTTP only/],
    ['sandbox/a.ts', 'src/app/serve.ts', '../src/app/serve.ts', /wiring/],
    ['sandbox/bank/a.ts', 'sandbox/broker/b.ts', '../broker/b.ts', /no simulator/],
    ['sandbox/shared/a.ts', 'sandbox/bank/b.ts', '../bank/b.ts', /no simulator/],
    ['sandbox/bank/a.ts', 'src/platform/b.ts', '../../src/platform/b.ts', /sandbox imports only/],
  ];
  for (const [from, to, specifier, why] of refused) {
    test(`${from} importing ${to}`, () => {
      const found = breaches({ [from]: use(specifier), [to]: LEAF });
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0] ?? '', why);
    });
  }

  const target = 'src/features/access/b.ts';
  const ways: ReadonlyArray<readonly [string, string]> = [
    ['import type', "import type { Leaf } from '../features/access/b.ts';\n"],
    ['an import over several lines', "import {\n  leaf,\n  type Other,\n} from '../features/access/b.ts';\n"],
    ['an import for its effect', "import '../features/access/b.ts';\n"],
    ['a namespace import', "import * as all from '../features/access/b.ts';\n"],
    ['a dynamic import', "export const later = () => import('../features/access/b.ts');\n"],
    ['a thread', "export const t = new Worker(new URL('../features/access/b.ts', import.meta.url), {});\n"],
    ['a process', "export const p = spawn(new URL('../features/access/b.ts', import.meta.url));\n"],
    ['a type taken by import()', "export type Leaf = import('../features/access/b.ts').Leaf;\n"],
  ];
  for (const [way, source] of ways) {
    test(`${way} of a higher floor`, () => {
      assert.match(
        breaches({ 'src/storage/a.ts': source, [target]: LEAF }).join('\n'),
        /a\.ts:1: .*higher floor/,
      );
    });
  }

  const statements: ReadonlyArray<readonly [string, string, RegExp]> = [
    ['a re-export', "export { leaf } from './b.ts';\n", /no re-exports/],
    ['a type re-export', "export type { Leaf } from './b.ts';\n", /no re-exports/],
    ['a barrel', "export * from './b.ts';\n", /no re-exports/],
    ['a default export', 'export default 1;\n', /no default exports/],
    ['a default export by name', 'const x = 1;\nexport { x as default };\n', /no default exports/],
    ['a default import of our own', "import b from './b.ts';\n", /no default export/],
    ['an import without extension', "import { leaf } from './b';\n", /ends in \.ts/],
    ['an import of .js', "import { leaf } from './b.js';\n", /ends in \.ts/],
    ['an import of nothing', "import { leaf } from './gone.ts';\n", /no such file/],
    ['an import from the tests', "import { x } from '../../../test/support/x.ts';\n", /outside src/],
    ['an undeclared package', "import { x } from 'left-pad';\n", /left-pad is not among/],
    [
      'an undeclared package of a scope',
      "import { x } from '@scope/other/deep';\n",
      /@scope\/other is not among/,
    ],
    ['a built-in without its scheme', "import { x } from 'fs';\n", /fs is not among/],
    ['a built-in that does not exist', "import { x } from 'node:left';\n", /no such module/],
  ];
  for (const [what, source, why] of statements) {
    test(what, () => {
      assert.match(
        breaches({ 'src/features/access/a.ts': source, 'src/features/access/b.ts': LEAF }).join('\n'),
        why,
      );
    });
  }

  test('a transport below the surfaces', () => {
    const source = "import type { FastifyReply } from 'fastify';\nexport type Reply = FastifyReply;\n";
    for (const path of ['src/operations/a.ts', 'src/features/access/a.ts', 'src/background/a.ts']) {
      assert.match(breaches({ [path]: source }).join('\n'), /only surfaces know fastify/);
    }
    assert.deepEqual(breaches({ 'src/surfaces/v2/a.ts': source, 'src/app/serve.ts': source }), []);
  });

  test('a cycle, once, however long and wherever it is entered', () => {
    const found = breaches({
      'src/features/access/a.ts': use('./b.ts'),
      'src/features/access/b.ts': use('./c.ts'),
      'src/features/access/c.ts': use('./a.ts'),
      'src/features/access/d.ts': use('./c.ts'),
    });
    assert.deepEqual(found, [
      'cycle: src/features/access/a.ts -> src/features/access/b.ts -> src/features/access/c.ts -> src/features/access/a.ts',
    ]);
    assert.match(breaches({ 'src/features/access/a.ts': use('./a.ts') }).join('\n'), /cycle/);
  });

  for (const [user, uses] of Object.entries(FEATURE_ROOMS)) {
    for (const used of Object.keys(FEATURE_ROOMS)) {
      if (user === used || uses.includes(used)) continue;
      test(`${user} using ${used}, which its list of rooms does not allow`, () => {
        const [from, to] = [`src/features/${user}/a.ts`, `src/features/${used}/b.ts`];
        const found = breaches({ [from]: use(`../${used}/b.ts`), [to]: LEAF });
        assert.match(found.join('\n'), new RegExp(`${user} may not use ${used}$`));
      });
    }
  }

  test('a table of rooms in which two could depend on each other', () => {
    const rooms = Object.keys(FEATURE_ROOMS);
    for (const [user, uses] of Object.entries(FEATURE_ROOMS)) {
      for (const used of uses) assert.ok(rooms.indexOf(used) < rooms.indexOf(user), `${user} uses ${used}`);
    }
  });

  test('a room of the features that is not in the table, or has no files', () => {
    assert.match(breaches({ 'src/features/attic/a.ts': LEAF }).join('\n'), /no room/);
    assert.match(breaches({ 'src/features/a.ts': LEAF }).join('\n'), /no room/);
    const paths = [...readTree('src').keys()];
    for (const room of Object.keys(FEATURE_ROOMS)) {
      assert.ok(
        paths.some((path) => path.startsWith(`src/features/${room}/`)),
        `${room} has files`,
      );
    }
  });

  test('a file in no room', () => {
    assert.match(breaches({ 'src/helpers/a.ts': LEAF }).join('\n'), /no room/);
    assert.match(breaches({ 'src/connectors/loose.ts': LEAF }).join('\n'), /no room/);
    assert.match(breaches({ 'src/surfaces/loose.ts': LEAF }).join('\n'), /no room/);
  });

  test('a statement it cannot read', () => {
    assert.throws(() => breaches({ 'src/features/access/a.ts': 'import b = require("./b.ts");\n' }));
    assert.throws(() => breaches({ 'src/features/access/a.ts': 'export const x = import(name);\n' }));
    assert.throws(() => breaches({ 'src/features/access/a.ts': 'export const x = new Worker(name);\n' }));
  });
});
