import { parseSync, Visitor } from 'vite';
import { hasWords, PERCEIVED, VALUE, wordsOfMarkup } from './markup-words.ts';

/** Two words, or the beginning of a sentence or a name: what no path, header, class or code is. */
const PROSE = /^\s*\p{Lu}\p{Ll}+(?![\p{L}\d-])|\p{L}[.,]? \p{L}/u;
/** A text that is code for a browser. */
const SCRIPT = /^'use strict';/;
/** What is raised for ourselves; of a ServiceError, people read the message. */
const ERROR = /^(?:(?:Type|Range|Syntax)?Error|DOMException|UnreachableError)$/;
/** Whose arguments no one reads: lines of the log, names of what is missing, selectors of elements. */
const CALLED: ReadonlySet<string> = new Set(['log', 'missing', 'document']);

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Words that a file has people read, as `path:line: words`: the text and the perceived attributes of markup, in `html`
 * templates and in JSX, and every other text that reads like words.
 */
export function wordsOf(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`);
  const found: string[] = [];
  /** Values inside a tag, whose templates hold attributes. */
  const inTags: Range[] = [];
  /** What was looked at already, and what no one reads. */
  const done: Range[] = [];
  const say = ({ start }: Range, words: string) =>
    found.push(
      `${path}:${source.slice(0, start).split('\n').length}: ${words.replaceAll(VALUE, '…').replaceAll(/\s+/g, ' ').trim()}`,
    );
  const look = (at: Range, text: string) => {
    if (holds(done, at) || SCRIPT.test(text)) return;
    if (text.startsWith('<')) for (const words of wordsOfMarkup([text], false).words) say(at, words);
    else if (PROSE.test(text)) say(at, text);
  };

  new Visitor({
    TaggedTemplateExpression(node) {
      const { tag, quasi } = node;
      if (tag.type !== 'Identifier' || tag.name !== 'html') return;
      // The template itself, and not the values in it.
      done.push({ start: quasi.start, end: quasi.start + 1 });
      const texts = quasi.quasis.map(({ value }) => value.cooked ?? '');
      const { words, valuesInTags } = wordsOfMarkup(texts, holds(inTags, node));
      for (const one of words) say(node, one);
      inTags.push(...quasi.expressions.filter((_, at) => valuesInTags.has(at)));
    },
    TemplateLiteral(node) {
      look(node, node.quasis.map(({ value }) => value.cooked ?? '').join(VALUE));
    },
    Literal(node) {
      if (typeof node.value === 'string') look(node, node.value);
    },
    JSXText(node) {
      if (hasWords(node.value)) say(node, node.value);
    },
    JSXAttribute({ name, value }) {
      if (value?.type !== 'Literal') return;
      done.push(value);
      const perceived = name.type === 'JSXIdentifier' && PERCEIVED.has(name.name);
      if (perceived ? hasWords(value.value) : PROSE.test(value.value)) say(value, value.value);
    },
    ImportDeclaration({ source: from }) {
      done.push(from);
    },
    BinaryExpression({ operator, left, right }) {
      if (operator === '===' || operator === '!==') done.push(...[left, right].filter(isLiteral));
    },
    SwitchCase({ test }) {
      if (test !== null) done.push(test);
    },
    NewExpression({ callee, arguments: given }) {
      if (callee.type === 'Identifier' && ERROR.test(callee.name)) done.push(...given);
    },
    CallExpression({ callee, arguments: given }) {
      const called = callee.type === 'MemberExpression' ? callee.object : callee;
      if (called.type === 'Identifier' && CALLED.has(called.name)) done.push(...given);
    },
  }).visit(program);
  return found;
}

function holds(ranges: readonly Range[], { start }: Range): boolean {
  return ranges.some((range) => range.start <= start && start < range.end);
}

function isLiteral({ type }: { readonly type: string }): boolean {
  return type === 'Literal';
}
