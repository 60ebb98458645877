import { isUtf8 } from 'node:buffer';
import type { Reading } from './reading.ts';
import { MAX_STATEMENT_BYTES, UnusableFile } from './statement-contract.ts';

/** Bytes decoded between two turns of the event loop. */
const PIECE = 262_144;
/** Bytes in which a file declares its encoding. */
const HEAD = 2_048;
const FALLBACK = 'windows-1252';

/** First bytes of files that people pick by mistake, and what to do instead. */
const OTHER_FILES: ReadonlyArray<readonly [start: string, message: string]> = [
  [
    'PK\x03\x04',
    'This is a ZIP archive or a spreadsheet. Unpack it, or save the spreadsheet as CSV, and upload that.',
  ],
  ['%PDF', 'This is a PDF. Download the statement as OFX, CAMT.053, MT940, QIF or CSV instead.'],
  ['\xd0\xcf\x11\xe0', 'This is a document of an older Office program. Save it as CSV and upload that.'],
  ['\x1f\x8b', 'This is a compressed file. Unpack it and upload its contents.'],
  ['7z\xbc\xaf', 'This is a compressed archive. Unpack it and upload its contents.'],
  ['Rar!', 'This is a compressed archive. Unpack it and upload its contents.'],
  ['\x89PNG', 'This is a picture. Download the statement as OFX, CAMT.053, MT940, QIF or CSV instead.'],
  ['\xff\xd8\xff', 'This is a picture. Download the statement as OFX, CAMT.053, MT940, QIF or CSV instead.'],
  ['SQLite format 3', 'This is a database. Export the transactions as OFX, QIF or CSV and upload that.'],
];

/**
 * The text of a file: by its byte order mark, by what it declares (XML declaration, header of OFX), as UTF-8 if that is
 * what the bytes are, and as Windows-1252 otherwise. Raises UnusableFile for what is too large, empty or not text.
 */
export async function fileText(bytes: Uint8Array, reading: Reading): Promise<string> {
  if (bytes.length > MAX_STATEMENT_BYTES) {
    throw new UnusableFile('too_large', 'The file is larger than 10 MB. Export a shorter period.');
  }
  const head = latin1(bytes.subarray(0, HEAD));
  for (const [start, message] of OTHER_FILES) {
    if (head.startsWith(start)) throw new UnusableFile('unknown_format', message);
  }
  const text = (await decoded(withoutPadding(bytes), encodingOf(bytes, head), reading)).replace(
    /^\uFEFF/,
    '',
  );
  if (text.includes('\0')) {
    throw new UnusableFile(
      'encoding',
      'The file contains bytes that are not text. Download it again, as OFX, CAMT.053, MT940, QIF or CSV.',
    );
  }
  if (text.trim() === '') throw new UnusableFile('empty', 'The file is empty. Download it again.');
  return text;
}

/** Some programs fill the last block of a file with zeros. */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  if (bytes.length % 2 === 0 && wide(bytes) !== null) return bytes;
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0 || bytes[end - 1] === 0x1a)) end -= 1;
  return bytes.subarray(0, end);
}

function encodingOf(bytes: Uint8Array, head: string): string {
  const utf16 = wide(bytes);
  if (utf16 !== null) return utf16;
  // A file with characters of two bytes that is valid UTF-8 is UTF-8, whatever it declares: banks declare what their
  // template says, and no text of another encoding looks like this by chance.
  if (isUtf8(bytes)) return 'utf-8';
  return declared(head) ?? FALLBACK;
}

/** UTF-16 by its byte order mark, or by the zeros in every second byte of plain text. */
function wide(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const length = Math.min(bytes.length - (bytes.length % 2), HEAD);
  let [even, odd] = [0, 0];
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  const most = (length / 2) * 0.7;
  if (length < 4 || (even > 0 && odd > 0)) return null;
  return odd > most ? 'utf-16le' : even > most ? 'utf-16be' : null;
}

/** What the file says, if the runtime knows it. `USASCII` with `CHARSET:1252` is how OFX 1 declares Windows-1252. */
function declared(head: string): string | null {
  const label =
    /<\?xml[^>]{0,200}?\sencoding\s?=\s?["']([\w.:-]{1,40})["']/i.exec(head)?.[1] ??
    /\bCHARSET:\s?([\w.-]{1,40})/i.exec(head)?.[1];
  if (label === undefined) return null;
  const name = /^\d{3,4}$/.test(label) ? `windows-${label}` : label;
  try {
    const { encoding } = new TextDecoder(name);
    return encoding.startsWith('utf') ? null : encoding;
  } catch {
    return null;
  }
}

async function decoded(bytes: Uint8Array, encoding: string, reading: Reading): Promise<string> {
  const decoder = new TextDecoder(encoding);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    pieces.push(decoder.decode(bytes.subarray(at, at + PIECE), { stream: true }));
    await reading.pause();
  }
  pieces.push(decoder.decode());
  return pieces.join('');
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
