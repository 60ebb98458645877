import { isRecord, type Json } from '../shared/json.ts';
import { onlyMembers, recordAt } from './bodies.ts';
import { invalidValue } from './errors.ts';

const PIECES = 100;
const PIECE_LENGTH = 2_000;
const PLAIN = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: 'default',
} as const;

/** The pieces of a rich text of a request. Mentions and equations are not simulated. */
export function richTextAt(value: unknown, path: string): string[] {
  if (!Array.isArray(value)) throw invalidValue(path, 'an array', value);
  if (value.length > PIECES) {
    throw invalidValue(`${path}.length`, `≤ \`${PIECES}\``, value.length);
  }
  return value.map((item: unknown, at) => {
    const place = `${path}[${at}]`;
    const piece = recordAt(item, place);
    onlyMembers(piece, ['type', 'text', 'annotations', 'plain_text', 'href'], place);
    if (piece.type !== undefined && piece.type !== 'text')
      throw invalidValue(`${place}.type`, '`"text"`', piece.type);
    const text = recordAt(piece.text, `${place}.text`);
    onlyMembers(text, ['content', 'link'], `${place}.text`);
    const { content } = text;
    if (typeof content !== 'string') throw invalidValue(`${place}.text.content`, 'a string', content);
    if (content.length > PIECE_LENGTH) {
      throw invalidValue(`${place}.text.content.length`, `≤ \`${PIECE_LENGTH}\``, content.length);
    }
    return content;
  });
}

/** Rich text in the form of answers. */
export function richText(pieces: readonly string[]): Json {
  return pieces.map((content) => ({
    type: 'text',
    text: { content, link: null },
    annotations: PLAIN,
    plain_text: content,
    href: null,
  }));
}

export function isPieces(value: unknown): value is readonly string[] {
  return Array.isArray(value) && !value.some((one) => typeof one !== 'string' || isRecord(one));
}
