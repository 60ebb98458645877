import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { INTEGRATIONS } from '../../src/app/integrations.ts';
import { LINK_WORDS } from '../../src/vocabulary/link-words.ts';
import { isLinkedProvider, isProviderIdentifier, PROVIDERS } from '../../src/vocabulary/provider-kinds.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readSources, readTree, type Tree } from './tree.ts';

const providers = INTEGRATIONS.flatMap(({ row, simulator }) =>
  row.kind === 'provider' ? [{ row, simulator }] : [],
);

/** Words of the interface for what an account is for: a provider may be called by one. */
const CATEGORIES: ReadonlySet<string> = new Set(Object.values(PROVIDERS).map(({ category }) => category));

/** Providers named after a protocol that the service also speaks to its own callers. */
const PROTOCOLS: ReadonlySet<string> = new Set(['simplefin']);

/** How the identifier and the folder of a provider are written; where it is called by a category, only as its own name. */
function namesOf(name: string): readonly string[] {
  if (CATEGORIES.has(name)) return [`provider\\b.{0,12}'${name}'`, `/${name}/`];
  if (PROTOCOLS.has(name)) return [`provider\\b.{0,12}'${name}'`, `providers/${name}/`, `sandbox/${name}/`];
  return [name, name.replaceAll('_', '-'), name.replaceAll('_', '')];
}

/** Everything by which a source file could know a provider: identifier, folder and vendor, however they are written. */
const NAMES: readonly string[] = [
  ...new Set(
    providers.flatMap(({ row, simulator }) => [
      ...namesOf(row.name),
      LINK_WORDS[row.name].recipient.name,
      ...(simulator === null ? [] : namesOf(simulator.folder)),
      // From the first letter on: the end of another name may read like one of these.
      ...row.variables.map(({ env }) => `\\b${env}`),
    ]),
  ),
];
const NAMED = new RegExp(NAMES.join('|'), 'i');

/** The folders of an integration, the table of integrations, and the identifiers that are words of the interface. */
function mayName(path: string): boolean {
  const folders = providers.flatMap(({ row, simulator }) => [
    `src/connectors/providers/${row.name.replaceAll('_', '-')}/`,
    ...(simulator === null ? [] : [`sandbox/${simulator.folder}/`]),
  ]);
  // A merged migration is never edited.
  const elsewhere = [
    'src/app/integrations.ts',
    'src/vocabulary/link-words.ts',
    'src/vocabulary/provider-kinds.ts',
    'src/vocabulary/provider-kinds/',
    'src/storage/migrations/',
  ];
  return [...folders, ...elsewhere].some((start) => path.startsWith(start));
}

/** Lines outside those that name a provider, comments included, as `path:line`. */
function naming(tree: Tree): string[] {
  return [...tree].flatMap(([path, source]) =>
    mayName(path)
      ? []
      : source.split('\n').flatMap((line, at) => (NAMED.test(line) ? [`${path}:${at + 1}`] : [])),
  );
}

test('No file of the source or of the web application names a provider but those of its folders and its descriptor', () => {
  const src = readSources();
  const web = new Map([...readTree('web/src'), ...readTree('web/src', '.tsx')]);
  assert.ok(src.size > 100 && web.size > 100 && NAMES.length >= 6, 'the source was found, and its names');
  assert.ok([...src.keys()].some(mayName), 'the folders are where the table says');
  assert.deepEqual([...naming(src), ...naming(web)], []);
});

describe('A provider named elsewhere is found', () => {
  const planted = [
    "if (connection.provider === 'au_banking') return;",
    "import { x } from '../connectors/providers/au-banking/x.ts';",
    'const { auBanking } = sandbox;',
    '/** As Fiskil wants it. */',
    'env.FISKIL_CLIENT_ID',
    "if (connection.provider === 'brokerage') return;",
    "import { x } from '../sandbox/brokerage/x.ts';",
    "if (connection.provider === 'simplefin') return;",
    "import { x } from '../connectors/providers/simplefin/x.ts';",
  ];
  for (const line of planted)
    test(line, () =>
      assert.deepEqual(naming(new Map([['src/features/a.ts', line]])), ['src/features/a.ts:1']),
    );
});

test('The README lists every provider with the credentials it needs', () => {
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Which banks\n');
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  assert.deepEqual(
    rows.map((line) => {
      const [, name = '', , credentials = ''] = line.split('|');
      return [name.trim().replaceAll('`', ''), [...credentials.matchAll(/`([^`]+)`/g)].map(([, env]) => env)];
    }),
    providers.map(({ row }) => [
      row.name,
      row.variables.filter(({ role }) => role === 'credential').map(({ env }) => env),
    ]),
  );
});

test('docs/providers.md lists every provider with the vendor that its descriptor names', () => {
  const page = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8');
  const rows = tableRows(page)
    .filter((row) => Object.hasOwn(row, 'Vendor'))
    .map((row) => [plain(cell(row, 'Provider')), cell(row, 'Vendor')]);
  const listed = new Set(rows.map(([provider]) => provider));
  assert.deepEqual([...listed].toSorted(), providers.map(({ row }) => row.name).toSorted());
  for (const [provider = '', vendor = ''] of rows) {
    assert.ok(isProviderIdentifier(provider) && isLinkedProvider(provider));
    const { name } = PROVIDERS[provider].texts;
    const { recipient } = LINK_WORDS[provider];
    const shown = /^\[([^\]]+)\]/.exec(vendor)?.[1] ?? '';
    const names: readonly string[] = [name, recipient.name];
    assert.ok(names.includes(shown), `${provider}: ${shown}`);
  }
});
