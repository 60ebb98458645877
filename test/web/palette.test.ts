import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CONSOLE_PAGES } from '../../src/vocabulary/consoles.ts';
import { APP_PATHS } from '../../src/vocabulary/page-paths.ts';
import { ACTION_ENTRIES, GUIDE_ENTRIES, PAGE_ENTRIES } from '../../web/src/shell/palette/fixed-entries.ts';
import { foldedWords, found, rankOf } from '../../web/src/shell/palette/ranking.ts';
import { isOfferedAgain, readRecent, withChoice } from '../../web/src/shell/palette/recent-choices.ts';
import { GUIDES } from '../../web/src/text/guides.ts';

const named = (name: string, detail = '') => ({ name, detail });
const namesFor = (names: readonly string[], text: string) =>
  found(
    names.map((name) => named(name)),
    text,
  ).map(({ name }) => name);

const word = fc.stringMatching(/^[a-zäöéøß]{1,9}$/);
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const things = fc.array(fc.record({ name, detail: fc.oneof(fc.constant(''), name) }), { maxLength: 20 });

describe('the search of the palette', () => {
  test('finds the beginnings of words first, then what is inside them, then initials and letters in order', () => {
    const names = [
      'Business account',
      'Subaccount',
      'Amber cost cutting',
      'Aurora capital credit',
      'Accounts',
      'Savings',
    ];
    assert.deepEqual(namesFor(names, 'acc'), [
      'Accounts',
      'Business account',
      'Subaccount',
      'Amber cost cutting',
      'Aurora capital credit',
    ]);
    assert.deepEqual(namesFor(names, 'accounts'), ['Accounts']);
    assert.deepEqual(namesFor(['Savings account', 'Savings'], 'savings'), ['Savings', 'Savings account']);
  });

  test('finds by the words beside a name as well, after what the name begins with', () => {
    const all = [named('Everyday', 'Northwind Bank'), named('Northwind Bank'), named('Bank of North')];
    assert.deepEqual(
      found(all, 'north bank').map((one) => one.name),
      ['Northwind Bank', 'Bank of North', 'Everyday'],
    );
  });

  test('a word that is nowhere finds nothing, and neither does a search without letters', () => {
    assert.deepEqual(namesFor(['Everyday', 'Savings'], 'every zebra'), []);
    for (const text of ['', '   ', '—', '…!']) assert.deepEqual(namesFor(['Everyday'], text), [], text);
  });

  test('one letter finds no initials, which nearly everything would have', () => {
    assert.equal(rankOf(named('Everyday'), foldedWords('d')), 4);
    assert.equal(rankOf(named('Everyday'), foldedWords('z')), null);
  });

  test('accents, case and letters of other alphabets make no difference', () => {
    for (const [name, text] of [
      ['Épargne', 'epargne'],
      ['Epargne', 'épargne'],
      ['Straße', 'STRASSE'],
      ['İstanbul', 'istanbul'],
      ['Smørrebrød', 'smorrebrod'],
      ['Złoty', 'zloty'],
      ['ﬁnance', 'finance'],
      ['Сбережения', 'СБЕРЕЖЕНИЯ'],
    ] as const)
      assert.equal(rankOf(named(name), foldedWords(text)), 0, name);
    fc.assert(
      fc.property(things, name, (all, text) => {
        const plain = foldedWords(text).join(' ');
        assert.deepEqual(found(all, text.toUpperCase()), found(all, plain));
        assert.deepEqual(found(all, text.normalize('NFD')), found(all, plain));
      }),
    );
  });

  test('everything is found by its name and by the beginning of each of its words', () => {
    fc.assert(
      fc.property(things, fc.nat(), fc.nat(), (all, which, cut) => {
        const one = all[which % Math.max(all.length, 1)];
        if (one === undefined) return;
        assert.equal(rankOf(one, foldedWords(one.name)), 0);
        for (const part of foldedWords(one.name)) {
          const start = part.slice(0, 1 + (cut % part.length));
          const rank = rankOf(one, foldedWords(start));
          assert.ok(rank !== null && rank <= 2, `${one.name} by ${start}`);
          assert.ok(found(all, start).includes(one));
        }
      }),
    );
  });

  test('nothing that only holds the text, or its letters, comes before something whose word begins with it', () => {
    fc.assert(
      fc.property(things, word, (all, text) => {
        const [part = ''] = foldedWords(text);
        const begins = found(all, text).map(({ name, detail }) =>
          [...foldedWords(name), ...foldedWords(detail)].some((one) => one.startsWith(part)),
        );
        assert.deepEqual(
          begins,
          begins.toSorted((a, b) => Number(b) - Number(a)),
        );
      }),
    );
  });

  test('typing on never finds what was not found before, and nothing is found twice', () => {
    fc.assert(
      fc.property(things, name, (all, text) => {
        let before: readonly unknown[] = all;
        for (let letters = 1; letters <= text.length; letters++) {
          const now = found(all, text.slice(0, letters));
          assert.equal(new Set(now).size, now.length);
          if (foldedWords(text.slice(0, letters)).length > 0) {
            assert.ok(now.every((one) => before.includes(one)));
            before = now;
          }
        }
      }),
    );
  });

  test('equally good ones stay in the order in which they are offered', () => {
    const all = [named('Run one'), named('Run two'), named('Run three')];
    assert.deepEqual(found(all, 'run'), all);
    assert.deepEqual(found(all.toReversed(), 'run'), all.toReversed());
  });
});

describe('recent choices', () => {
  test('are of one account record each, latest first, once each, and bounded', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k');
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 14 }), ids), { maxLength: 120 });
    fc.assert(
      fc.property(steps, (choices) => {
        let recent = readRecent(null);
        for (const [record, id] of choices) {
          recent = withChoice(recent, `rec_${record}`, id);
          const own = recent.get(`rec_${record}`) ?? [];
          assert.equal(own[0], id);
          assert.equal(new Set(own).size, own.length);
          assert.ok(own.length <= 8 && recent.size <= 10);
        }
        assert.deepEqual(readRecent(JSON.stringify(Object.fromEntries(recent))), recent);
      }),
    );
  });

  test('whatever else is stored in their place is left out', () => {
    for (const text of ['', 'no json', '[]', '7', 'null', '{"a":7}', '{"a":{"b":1}}'])
      assert.equal(readRecent(text).size, 0, text);
    assert.deepEqual(
      readRecent(JSON.stringify({ a: ['x', 7, null, 'y'.repeat(500)] })),
      new Map([['a', ['x']]]),
    );
  });
});

test('no action that changes something or signs out is offered again, so that Enter does not repeat it by habit', () => {
  const again = ACTION_ENTRIES.map(([entry]) => entry).filter((entry) => !isOfferedAgain(entry));
  assert.deepEqual(
    again.map(({ id }) => id),
    ['action:sign-out'],
  );
  assert.ok(PAGE_ENTRIES.every(isOfferedAgain));
  for (const does of ['run', 'refresh'] as const)
    assert.ok(!isOfferedAgain({ kind: 'action', choice: { does } }), does);
});

test('every page without a part to fill in can be chosen, and so can what is begun on pages of their own', () => {
  const chosen = [...PAGE_ENTRIES, ...ACTION_ENTRIES.map(([entry]) => entry)].flatMap(({ choice }) =>
    choice.does === 'open' ? [choice.place.to] : [],
  );
  assert.deepEqual(
    Object.values(APP_PATHS).filter((path) => !path.includes('$') && !chosen.includes(path)),
    [],
  );
});

test('every guide is found by its heading', () => {
  const folder = new URL('../../docs/', import.meta.url);
  const pages = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const heading = (file: string) => readFileSync(new URL(file, folder), 'utf8').split('\n')[0]?.slice(2);
  assert.deepEqual(
    { ...GUIDES },
    Object.fromEntries(pages.toSorted().map((file) => [file.replace('.md', ''), heading(file)])),
  );
  for (const { page, title } of CONSOLE_PAGES) {
    assert.equal(heading(`${page}.md`), title);
    assert.ok(GUIDE_ENTRIES.some(({ id, name }) => id === `guide:docs/${page}` && name === title));
  }
});
