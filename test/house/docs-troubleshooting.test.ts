import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSync, Visitor } from 'vite';
import { cell, headingsOf, section, tableRows } from './markdown.ts';
import { readText, readTree } from './tree.ts';

const page = readText('docs/troubleshooting.md');
const VALUE = '…';
/** Shorter pieces would be found in almost any source. */
const LEAST_CHARACTERS = 12;
const FEWEST = 25;

/** Every text of a module, with `…` in place of what is filled in; parts that are added to each other are one text. */
function textsOf(path: string, source: string): string[] {
  const texts: string[] = [];
  new Visitor({
    BinaryExpression(node) {
      const joined = textOf(node);
      if (joined !== null) texts.push(joined);
    },
    Literal(node) {
      texts.push(textOf(node) ?? '');
    },
    TemplateLiteral(node) {
      texts.push(textOf(node) ?? '');
    },
  }).visit(parseSync(path, source).program);
  return texts.map(plain);
}

interface Node {
  readonly type: string;
}

function textOf(node: Node): string | null {
  if (node.type === 'Literal') return 'value' in node && typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral' && 'quasis' in node && Array.isArray(node.quasis))
    return node.quasis.map(({ value }) => value.cooked ?? '').join(VALUE);
  if (node.type !== 'BinaryExpression' || !('operator' in node) || node.operator !== '+') return null;
  const sides = ['left' in node ? node.left : null, 'right' in node ? node.right : null];
  return sides.map((side) => (isNode(side) ? (textOf(side) ?? VALUE) : VALUE)).join('');
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** As a person reads it: without markup, and with one space and one `…` where there are several. */
function plain(text: string): string {
  return text
    .replaceAll(/<\/?\w[^<>]*>/g, '')
    .replaceAll(/…+/g, VALUE)
    .replaceAll(/\s+/g, ' ');
}

const texts = [...readTree('src')].flatMap(([path, source]) => textsOf(path, source));
const isSaid = (message: string): boolean => texts.some((text) => text.includes(message));

interface Entry {
  readonly symptom: string;
  readonly message: string;
  readonly text: string;
}

/** A message of another program, with its name; or what a person sees where there is no message. */
const OF_OTHERS = /^> (?:\w+: `.+`|\*.+\*)$/m;

const symptoms = headingsOf(page, 3);
const entries: readonly Entry[] = symptoms.flatMap((symptom) => {
  const text = section(page, symptom);
  const message = /^> `(.+)`$/m.exec(text)?.[1];
  if (message !== undefined) return [{ symptom, message, text }];
  assert.match(text, OF_OTHERS, symptom);
  return [];
});

/** What differs at the beginning or the end belongs to no text: `DATA_DIR is …` is put together elsewhere. */
function fixedPart(message: string): string {
  return plain(message)
    .replace(/^… ?/, '')
    .replace(/ ?…\.?$/, '');
}

describe('docs/troubleshooting.md', () => {
  test(`has at least ${FEWEST} entries, each with a message, why it comes and what to do`, () => {
    assert.ok(entries.length >= FEWEST, `${entries.length}`);
    for (const symptom of symptoms) {
      const text = section(page, symptom);
      for (const part of ['Why', 'What to do'])
        assert.match(text, new RegExp(`^- \\*\\*${part}\\.\\*\\* .{5,}$`, 'm'), `${symptom}: ${part}`);
    }
    const messages = entries.map(({ message }) => message);
    assert.equal(new Set(messages).size, messages.length, 'no message has two entries');
  });

  test('quotes only messages that the source has', () => {
    assert.ok(texts.length > 5_000, 'the search found the texts');
    const unknown = entries.filter(({ message }) => {
      const fixed = fixedPart(message);
      return fixed.replaceAll(VALUE, '').length < LEAST_CHARACTERS || !isSaid(fixed);
    });
    assert.deepEqual(
      unknown.map(({ symptom, message }) => `${symptom}: ${message}`),
      [],
    );
  });

  test('so do the pages on upgrading, on HTTPS and on the consoles of vendors', () => {
    const consoles = [...readTree('docs/consoles', '.md').values()]
      .flatMap((text) => tableRows(text))
      .flatMap((row) => [...(row['You see'] ?? '').matchAll(/`([^`]+ [^`]+ [^`]+)`/g)])
      .map(([, message = '']) => message)
      // What the vendor shows, and what begins with the name of a variable.
      .filter((message) => !/^(?:Error \d|[A-Z]+_)/.test(message));
    assert.ok(consoles.length >= 15);
    const quoted = [
      ...tableRows(readText('docs/upgrading.md'), 'What is refused').map((row) => cell(row, 'Message')),
      ...tableRows(readText('docs/https.md'), 'When it does not work').map((row) => cell(row, 'You see')),
    ].flatMap((text) => /^`([A-Z][^`]+)`$/.exec(text)?.[1] ?? []);
    assert.ok(quoted.length >= 5);
    assert.deepEqual(
      [...quoted, ...consoles].filter((message) => !isSaid(fixedPart(message))),
      [],
    );
  });

  test('would not quote a message that was changed', () => {
    assert.ok(isSaid(fixedPart('The disk is full (…). Free some space and start again; nothing is lost.')));
    assert.ok(!isSaid(fixedPart('The disk is full (…). Free some space and start again; all is lost.')));
  });
});
