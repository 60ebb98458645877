import { SaxesParser } from 'saxes';
import type { Reading } from '../reading.ts';
import { UnusableFile } from '../statement-contract.ts';

/** Deeper than any file of ISO 20022, whose deepest element is about the fifteenth. */
const MAX_DEPTH = 64;
/** Characters given to the parser at once. */
const PIECE = 16_384;

/** An element with its texts and elements; names have no prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: XmlElement[];
  readonly texts: string[];
  /** Whether the element is given to the handler as a whole, or is inside one that is. */
  readonly kept: boolean;
}

export interface XmlHandler {
  /** Whether the element is to be kept as a whole and handed over when it ends; only asked outside of kept ones. */
  keeps(name: string): boolean;
  /** An element that is not kept begins. */
  begin(name: string): void;
  /** A kept element has ended. */
  element(element: XmlElement): void;
  /** After every few thousand characters: time for work that may take longer. */
  settle(): Promise<void>;
}

/**
 * Reads well-formed XML, element by element, so that only what is kept is in memory. Raises UnusableFile for a document
 * type or entities other than those of XML itself, for what is nested too deeply, and for XML that is not well-formed.
 */
export async function readXmlElements(text: string, reading: Reading, handler: XmlHandler): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const open: OpenElement[] = [];
  parser.on('doctype', () => {
    throw new UnusableFile('entities', 'The file declares a document type or entities, which no bank needs.');
  });
  parser.on('error', () => {
    throw new UnusableFile(
      'malformed',
      'The file is not well-formed XML, perhaps because its end is missing. Download it again.',
    );
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= MAX_DEPTH) {
      throw new UnusableFile(
        'too_deep',
        `The file nests more than ${MAX_DEPTH} elements, which no statement does.`,
      );
    }
    const plain = name.slice(name.indexOf(':') + 1);
    const kept = open.at(-1)?.kept === true || handler.keeps(plain);
    if (!kept) handler.begin(plain);
    open.push({
      name: plain,
      attributes: new Map(Object.entries(attributes)),
      elements: [],
      texts: [],
      kept,
    });
  });
  const addText = (part: string) => {
    const inside = open.at(-1);
    if (inside?.kept === true) inside.texts.push(part);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const ended = open.pop();
    if (ended?.kept !== true) return;
    const { name, attributes, elements, texts } = ended;
    const element = { name, attributes, elements, text: texts.join('').trim() };
    const around = open.at(-1);
    if (around?.kept === true) around.elements.push(element);
    else handler.element(element);
  });
  for (let at = 0; at < text.length; at += PIECE) {
    parser.write(text.slice(at, at + PIECE));
    await handler.settle();
    if (reading.worked(PIECE)) await reading.pause();
  }
  parser.close();
  await handler.settle();
}

/** The first element at the path below this one, or null. */
export function at(element: XmlElement | null, ...path: readonly string[]): XmlElement | null {
  let found = element;
  for (const name of path) found = found?.elements.find((inner) => inner.name === name) ?? null;
  return found;
}

/** The text of the first of the paths (`Dt/DtTm`) whose element has any. */
export function textAt(element: XmlElement | null, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = at(element, ...path.split('/'))?.text ?? '';
    if (text !== '') return text;
  }
  return null;
}

/** All elements of the name directly below this one. */
export function all(element: XmlElement | null, name: string): XmlElement[] {
  return element?.elements.filter((inner) => inner.name === name) ?? [];
}
