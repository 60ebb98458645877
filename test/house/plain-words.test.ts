import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, readText, readTree, type Tree } from './tree.ts';

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
  [/\bfor ever\b/, 'forever'],
  [/\bhalf way\b/, 'halfway'],
  [/\blease (?:does not |still )?stands?\b/, 'is held'],
  [/\bhow (?:the|a|its|their) \w+ stands?\b/i, 'the state of, the usage of'],
  [/\bStanding\b/, 'state, usage'],
  [/\bwho comes back (?!to\b)/, 'a returning caller'],
  [/\bmeanwhile spent\b|\bspent (?:the last of it )?meanwhile\b/, 'used up in the meantime'],
];
/** The same for the files of CLEAN, in which nothing of it is left. */
const AVOIDED_IN_CLEAN: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b[Nn]obody\b/, 'no one, or who is meant'],
  [/\b(?:[Ss]omebody|[Aa]nybody|[Ee]verybody)\b/, 'a person, anyone, everyone'],
  [/\bby (?:itself|themselves)\b/, 'automatically, alone'],
  [/\banew\b|\b[Oo]nce more\b/, 'again'],
  [/\bbroken off\b|\bbreaks off\b/, 'aborted'],
  [/\b(?:[Aa]fter|[Ff]or) so long\b[^,]*(?:,|without|an? )/, 'how long it is'],
  [/\b(?:turned|turns) round\b/, 'reversed'],
  [/\bslash (?:at the end|at its end|behind it)\b/, 'trailing slash'],
  [/\b[Ww]hat became of\b/, 'the result of, the status of'],
  [/\ball the same\b(?! `)/, 'anyway, nevertheless'],
  [/\bis no (?:id|kind|account record|e-mail address) (?:of|in)\b/, 'is not the id of'],
  [/\bgoes by the time\b/, 'uses the actual time'],
  [/\bspends? of\b/, 'counts towards'],
  [/\bhears? of\b/, 'is notified'],
  [/\b[Aa]s it stands\b/, 'current'],
  [/\bin our own hands\b/, 'what the service itself does'],
  [/\b(?:have|has) run out\b|\bran out\b/, 'expired'],
  [/\blooks after the installation\b/, 'is an operator'],
  [/\b(?:[Nn]ull|[Ff]alse|[Ee]mpty|[Aa]bsent) where (?!it is kept)/, 'if'],
  [/\btakes? the place of\b/, 'replaces'],
  [/\bheld until the transaction ends\b/, 'locked until'],
  [/\b(?:read|delivered) to (?:its|the) end\b/, 'completely'],
  [/\bAnswers (?:how|false|true|the ids)\b/, 'Returns'],
];
/** Folders and pages, by their beginnings, that AVOIDED_IN_CLEAN covers. */
const CLEAN: readonly string[] = ['README.md', 'docs/', 'scripts/', 'src/', 'web/src/', 'bench/', 'sandbox/'];
/** Comments and the names of tests: in test files the rest is code, where `somebody` may be the name of an owner. */
const SAID_BY_TESTS = /^\s*(?:\/\/|\/?\*|(?:test|describe)\()/;
/** Where the words are named: here, and in migrations, which are never edited. */
const EXEMPT = /^test\/house\/plain-words|\/migrations\//;

function avoided(tree: Tree): string[] {
  return [...tree].flatMap(([path, source]) => {
    if (EXEMPT.test(path)) return [];
    const clean = CLEAN.some((beginning) => path.startsWith(beginning));
    return source.split('\n').flatMap((line, at) => {
      const words = clean || SAID_BY_TESTS.test(line) ? [...AVOIDED, ...AVOIDED_IN_CLEAN] : AVOIDED;
      const found = words.find(([pattern]) => pattern.test(line));
      return found === undefined ? [] : [`${path}:${at + 1}: write: ${found[1]}`];
    });
  });
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

test('more is avoided in clean folders and in what tests say, and each folder and page of the list exists', () => {
  const source = '// Nobody has asked.\n';
  assert.deepEqual(avoided(new Map([['test/a.ts', "const nobody = 'nobody';\n"]])), []);
  assert.deepEqual(avoided(new Map([['test/a.ts', source]])), [
    'test/a.ts:1: write: no one, or who is meant',
  ]);
  assert.deepEqual(avoided(new Map([['src/features/linking/a.ts', source]])), [
    'src/features/linking/a.ts:1: write: no one, or who is meant',
  ]);
  assert.deepEqual(
    CLEAN.filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
});
