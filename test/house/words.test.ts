import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FRAME, WORDS } from './floors.ts';
import { importsOf } from './import-list.ts';
import { readTree, type Tree } from './tree.ts';
import { wordsOf } from './words.ts';

const surfaces = readTree('src/surfaces');
const web = new Map([...readTree('web/src'), ...readTree('web/src', '.tsx')]);

/** The rooms whose every text is on a page; of the others, the files that write markup or send a page. */
const PAGES = ['src/surfaces/web/', 'src/surfaces/hosted/'];
const WRITES = /\/(?:html|page)\.ts$/;

/**
 * What reads like words in the application and is none: keys of the cache and of queues, code and commands to copy, and
 * the name of a language. Each is the beginning of what is found.
 */
const NO_WORDS: ReadonlyArray<readonly [path: string, found: readonly string[]]> = [
  ['web/src/api/categories.ts', ['provider categories']],
  ['web/src/rules/categories/category-actions.ts', ['move category', 'category moves']],
  ['web/src/rules/rulesets/use-rule-changes.ts', ['rules of …']],
  ['web/src/developer/apps/agent-setups.ts', ['claude mcp add', 'Bearer ', 'Tributary API key']],
  ['web/src/parts/list-keys.ts', ['main li', 'input:not']],
  ['web/src/developer/keys/api-key-secret.tsx', ['Authorization: Bearer …']],
  ['web/src/destinations/new-destination-page.tsx', ['create role tributary']],
];

function foundIn(tree: Tree, read: (path: string, source: string) => boolean): string[] {
  return [...tree].flatMap(([path, source]) => (read(path, source) ? wordsOf(path, source) : []));
}

function isNoWord(found: string): boolean {
  const [path = '', , ...rest] = found.split(':');
  const words = rest.join(':').trim();
  return NO_WORDS.some(([file, starts]) => file === path && starts.some((start) => words.startsWith(start)));
}

test(`every word on the pages that the service writes is in ${WORDS}`, () => {
  const writes = (path: string, source: string) =>
    !path.startsWith(`${WORDS}/`) &&
    (PAGES.some((room) => path.startsWith(room)) ||
      importsOf(source).some(({ specifier }) => WRITES.test(specifier)));
  assert.ok(
    [...surfaces].filter(([path, source]) => writes(path, source)).length > 40,
    'the search found pages',
  );
  assert.deepEqual(foundIn(surfaces, writes), []);
});

test('every word of the web application is in web/src/text', () => {
  const found = foundIn(web, (path) => !path.startsWith('web/src/text/'));
  assert.deepEqual(
    found.filter((one) => !isNoWord(one)),
    [],
  );
  for (const [path, starts] of NO_WORDS) {
    for (const start of starts) {
      const used = found.some((one) => one.startsWith(`${path}:`) && one.includes(`: ${start}`));
      assert.ok(used, `${path} still has ${start}`);
    }
  }
});

test('the words of the pages know types, tables and markup, and nothing else of the service', () => {
  const texts = [...surfaces].filter(([path]) => path.startsWith(`${WORDS}/`));
  assert.ok(texts.length > 5, 'the texts are found');
  const markup = `../${FRAME.split('/').at(-1)}/html.ts`;
  const odd = texts.flatMap(([path, source]) =>
    importsOf(source)
      .filter(
        ({ specifier }) => specifier !== markup && !/^(?:\.\/|\.\.\/\.\.\/vocabulary\/)/.test(specifier),
      )
      .map(({ specifier }) => `${path}: ${specifier}`),
  );
  assert.deepEqual(odd, []);
});

describe('found as words', () => {
  const found: ReadonlyArray<readonly [what: string, source: string, words: readonly string[]]> = [
    ['text of a template', 'const a = html`<p class="x">Sign in</p>`;', ['Sign in']],
    ['a single word in lower case', 'const a = html`<p>§{x}, until §{y}</p>`;', ['…, until …']],
    ['text of a template in a template', 'const a = html`<p>§{x ? html` or so` : html``}</p>`;', ['or so']],
    [
      'attributes that people perceive',
      'const a = html`<a aria-label="Go §{x}" title="y" alt=z>§{x}</a>`;',
      ['Go …', 'y', 'z'],
    ],
    [
      'an attribute of a template in a tag',
      'const a = html`<a§{x ? html` title="y"` : html``}></a>`;',
      ['y'],
    ],
    [
      'a text in a value of a template',
      "const a = html`<p>§{x ? 'Yes' : card('What stays')}</p>`;",
      ['Yes', 'What stays'],
    ],
    ['the title of a page', "const a = { title: 'Security' };", ['Security']],
    ['a sentence in a template', 'const a = `§{x} is linked`;', ['… is linked']],
    [
      'a message for people',
      "throw new ServiceError('body_invalid', { message: 'Choose a role.' });",
      ['Choose a role.'],
    ],
    ['text and attributes of JSX', 'const a = <p title="y" id="z">Two {x} words</p>;', ['y', 'Two', 'words']],
    ['a text in a value of JSX', "const a = <p>{x ? 'Yes' : `§{y} or no`}</p>;", ['Yes', '… or no']],
    ['a property of a component', 'const a = <Page heading="Two words" />;', ['Two words']],
  ];
  for (const [what, source, words] of found) {
    test(what, () => {
      assert.deepEqual(
        wordsOf('a.tsx', source.replaceAll('§', '$')),
        words.map((one) => `a.tsx:1: ${one}`),
      );
    });
  }
});

describe('not found as words', () => {
  const others: ReadonlyArray<readonly [what: string, source: string]> = [
    ['markup around values', 'const a = html`<p class="two words" id="x">§{x}: §{y}</p>&nbsp;<br>`;'],
    ['attributes in a tag', 'const a = html`<a§{x ? html` aria-current="page"` : html` checked`}>§{x}</a>`;'],
    ['comments', '/* Two words */ const a = html`<!-- Two words --><p></p>`;'],
    ['names in code', "const a = ['text/html; charset=utf-8', 'set-cookie', '/settings/x', 'ArrowDown'];"],
    ['what is compared', "switch (x) { case 'Home': y = z === 'Enter'; }"],
    [
      'errors for ourselves, and lines of the log',
      "log.warn('A page failed.'); throw new Error('Not here');",
    ],
    ['a script', "const a = `'use strict';\\nfor (const part of parts) go(part);`;"],
    ['classes of JSX', 'const a = <p className={`a §{b}`} lang="en">{x}: {y}</p>;'],
  ];
  for (const [what, source] of others) {
    test(what, () => assert.deepEqual(wordsOf('a.tsx', source.replaceAll('§', '$')), []));
  }
});
