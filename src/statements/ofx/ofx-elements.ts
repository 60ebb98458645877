import type { Reading } from '../reading.ts';
import { UnusableFile } from '../statement-contract.ts';

/** Deeper than any file of OFX, whose deepest element is the twelfth. */
const MAX_DEPTH = 64;
const CDATA = '<![CDATA[';
const NAME = /^[A-Za-z][\w.:-]{0,63}$/;
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
);

export interface OfxHandler {
  /** An element that contains others begins. */
  open(name: string): void;
  /** An element that contains others ends, by its end tag or because one around it does. */
  close(name: string): void;
  /** An element that contains text; never empty. */
  value(name: string, text: string): void;
}

/**
 * Reads both generations of OFX: the SGML of version 1, in which elements with text need no end tag, and the XML of
 * version 2. An element is one with text if text follows its tag. Names are in capitals, without a prefix. An `&` that
 * begins no entity and a `<` that begins no tag are text. Raises UnusableFile for declarations of entities, for what is
 * nested too deeply and for a file that ends before its last tag.
 */
export async function readOfxElements(text: string, reading: Reading, handler: OfxHandler): Promise<void> {
  const stack: string[] = [];
  let at = text.indexOf('<');
  while (at >= 0) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4);
      if (end < 0) throw truncated();
      at = text.indexOf('<', end);
      continue;
    }
    const end = text.indexOf('>', at);
    if (end < 0) break;
    const tag = tagOf(text.slice(at + 1, Math.min(end, at + 200)));
    const next = nextTag(text, end + 1);
    const stop = next < 0 ? text.length : next;
    if (tag !== null) {
      if (tag.name === '!')
        throw new UnusableFile('entities', 'The file declares entities, which no bank needs.');
      if (tag.kind === 'end') close(stack, tag.name, handler);
      else if (tag.kind === 'start') {
        const words = valueIn(text, end + 1, stop);
        if (words !== '') handler.value(tag.name, words);
        else {
          // No element of OFX contains one of its own name: the earlier one had no end tag.
          close(stack, tag.name, handler);
          stack.push(tag.name);
          if (stack.length > MAX_DEPTH) throw tooDeep();
          handler.open(tag.name);
        }
      }
    }
    if (reading.worked(stop - at)) await reading.pause();
    at = next;
  }
  if (stack.includes('OFX')) throw truncated();
}

function truncated(): UnusableFile {
  return new UnusableFile(
    'malformed',
    'The file ends before its last tag, so rows are missing. Download it again.',
  );
}

interface Tag {
  readonly kind: 'start' | 'end' | 'other';
  readonly name: string;
}

function tagOf(inside: string): Tag | null {
  if (inside.startsWith('?')) return { kind: 'other', name: '?' };
  if (/^!(?:DOCTYPE|ENTITY|ELEMENT)/i.test(inside)) return { kind: 'other', name: '!' };
  const kind = inside.startsWith('/') ? 'end' : inside.endsWith('/') ? 'other' : 'start';
  const [word = ''] = inside.replace(/^\//, '').trim().split(/[\s/]/, 1);
  return NAME.test(word) ? { kind, name: word.slice(word.indexOf(':') + 1).toUpperCase() } : null;
}

/** The next `<` that begins a tag, a comment or a declaration; one in front of anything else is text. */
function nextTag(text: string, from: number): number {
  let at = text.indexOf('<', from);
  while (at >= 0) {
    if (text.startsWith(CDATA, at)) {
      const end = text.indexOf(']]>', at);
      if (end < 0) return -1;
      at = text.indexOf('<', end);
    } else if (/[A-Za-z/!?]/.test(text.charAt(at + 1))) return at;
    else at = text.indexOf('<', at + 1);
  }
  return at;
}

function valueIn(text: string, from: number, to: number): string {
  const raw = text.slice(from, to).trim();
  const cdata = raw.startsWith(CDATA) && raw.endsWith(']]>');
  return cdata ? raw.slice(CDATA.length, -3).trim() : withoutEntities(raw).trim();
}

/** The text without entities. Some exporters escape twice, so that `&amp;lt;` means `<`. */
function withoutEntities(text: string): string {
  return text.includes('&') ? decoded(decoded(text)) : text;
}

function decoded(text: string): string {
  return text.replace(/&(#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z]{2,6});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? whole;
    const hex = /^#x/i.test(name);
    const code = Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10);
    return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });
}

/** Ends the element and those inside it that have no end tags. An end tag of an element with text ends nothing. */
function close(stack: string[], name: string, handler: OfxHandler): void {
  const at = stack.lastIndexOf(name);
  if (at < 0) return;
  for (const inner of stack.splice(at).reverse()) handler.close(inner);
}

function tooDeep(): UnusableFile {
  return new UnusableFile(
    'too_deep',
    `The file nests more than ${MAX_DEPTH} elements, which no statement does.`,
  );
}
