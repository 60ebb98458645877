import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText, readTree, type Tree } from './tree.ts';

/** Turns of phrase that native readers stumble over, and what is written in their place. */
const AVOIDED: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:database|store|server|service|cache) (?:is|was|has been) away\b/, 'unreachable'],
  [/\bin other hands\b/, 'taken over by another worker'],
  [/\b[Aa]stray\b/, 'misplaced'],
  [/\bcould not be looked for\b/, 'Failed to find …'],
  [/\bin doubt\b/, 'unconfirmed'],
  [/\b[Ww]hoever\b/, 'anyone who'],
  [/\bstands? there\b/, 'is there'],
  [/\bin hand\b/, 'in progress'],
  [/\b(?:leaves?|leaving) a doubt\b/, 'leaves it unconfirmed'],
  [/\b(?:outside |simulated )part(?:y|ies)\b/, 'integration'],
  [/\b(?:a|the) nouns?\b/, 'the type of resource'],
  [/\b(?:a|the) walk\b|\bwalks? through (?:a|the) list\b/, 'request for a page of a list'],
  [/\bheld against (?:the|its|their) (?:schema|description|table|page)/, 'compared with'],
];
/** Where the words are named: here, and in migrations, which are never edited. */
const EXEMPT = /^test\/house\/plain-words|\/migrations\//;

function avoided(tree: Tree): string[] {
  return [...tree].flatMap(([path, source]) =>
    EXEMPT.test(path)
      ? []
      : source.split('\n').flatMap((line, at) => {
          const found = AVOIDED.find(([pattern]) => pattern.test(line));
          return found === undefined ? [] : [`${path}:${at + 1}: write: ${found[1]}`];
        }),
  );
}

test('comments, messages and docs are in plain English: none of the turns of phrase that were replaced', () => {
  const trees = [
    ...['src', 'sandbox', 'test', 'scripts', 'bench'].map((folder) => readTree(folder)),
    new Map([...readTree('web/src'), ...readTree('web/src', '.tsx')]),
    readTree('docs', '.md'),
    new Map(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map((path) => [path, readText(path)])),
  ];
  for (const tree of trees) assert.ok(tree.size > 0, 'the search found the files');
  assert.deepEqual(trees.flatMap(avoided), []);
});

test('a turn of phrase that is avoided is found', () => {
  assert.deepEqual(avoided(new Map([['src/a.ts', '// The database is away.\n']])), [
    'src/a.ts:1: write: unreachable',
  ]);
});
