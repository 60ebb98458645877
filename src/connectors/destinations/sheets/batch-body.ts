import { type SheetRequest, WrittenCells } from './sheet-requests.ts';

/** Text is collected up to so many characters before it becomes bytes. */
const PIECE = 64 * 1024;

/** The body of a batch of requests: JSON in UTF-8, made without holding all of it as objects or as one text. */
export function batchBody(requests: readonly SheetRequest[]): Buffer {
  const pieces: Buffer[] = [];
  let text = '';
  for (const next of textsOf(requests)) {
    text += next;
    if (text.length < PIECE) continue;
    pieces.push(Buffer.from(text));
    text = '';
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

function* textsOf(requests: readonly SheetRequest[]): Generator<string> {
  yield '{"requests":[';
  for (const [at, request] of requests.entries()) {
    if (at > 0) yield ',';
    if (request instanceof WrittenCells) yield* request.texts();
    else yield JSON.stringify(request);
  }
  yield ']}';
}
