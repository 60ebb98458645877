import { readCamt } from './camt/camt-file.ts';
import { readCsv } from './csv/csv-file.ts';
import { fileText } from './file-text.ts';
import { readMt940 } from './mt940/mt940-file.ts';
import { readOfx } from './ofx/ofx-file.ts';
import { readQif } from './qif/qif-file.ts';
import { Reading } from './reading.ts';
import {
  MAX_STATEMENT_ROWS,
  type ParsedFile,
  type ParseOptions,
  type Statement,
  type StatementFormat,
  UnusableFile,
} from './statement-contract.ts';
import { mergedByAccount } from './statement-draft.ts';

/** Characters in which a format is recognised. */
const HEAD = 16_384;

/**
 * The rows of a statement file. Its format is recognised by what is in it, never by its name; a text of no other format
 * is read as CSV. Gives control back every few milliseconds. Raises UnusableFile for a file that cannot be used as a
 * whole, and the reason of the signal if that ends the parsing; rows that cannot be read are listed in the result.
 */
export async function parseStatementFile(bytes: Uint8Array, options: ParseOptions): Promise<ParsedFile> {
  options.signal.throwIfAborted();
  const reading = new Reading(options);
  const text = await fileText(bytes, reading);
  const format = formatOf(text.slice(0, HEAD));
  const statements = await readers[format](text, options, reading);
  return { format, statements: mergedByAccount(statements) };
}

const readers: Readonly<
  Record<StatementFormat, (text: string, options: ParseOptions, reading: Reading) => Promise<Statement[]>>
> = {
  ofx: (text, _, reading) => readOfx(text, reading),
  qif: (text, _, reading) => readQif(text, reading),
  camt: (text, _, reading) => readCamt(text, reading),
  mt940: (text, _, reading) => readMt940(text, reading),
  csv: (text, { layout, maxRows = MAX_STATEMENT_ROWS }, reading) => readCsv(text, layout, maxRows, reading),
};

/** The format that the beginning of a file shows. Raises UnusableFile for XML and JSON of other kinds. */
function formatOf(head: string): StatementFormat {
  if (/^\s*OFXHEADER\s*:/i.test(head) || /<OFX[\s>]|<\?OFX\b/i.test(head)) return 'ofx';
  if (/^\s*</.test(head)) return xmlFormat(head);
  if (/^\s*[[{]\s*["[{\]}]/.test(head)) {
    throw new UnusableFile(
      'unknown_format',
      'This is JSON. Download the statement as OFX, CAMT.053, MT940, QIF or CSV.',
    );
  }
  if (/^[ \t]*!(?:type:|account|option:|clear:)/im.test(head)) return 'qif';
  if (
    /^(?:\{4:\s*)?:(?:20|25P?|28C?|60[FM]|61):/m.test(head) &&
    /:(?:25P?|60[FM]|61|62[FM]|34F|13D?):/.test(head)
  )
    return 'mt940';
  return 'csv';
}

function xmlFormat(head: string): StatementFormat {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(head) && !/<!DOCTYPE\s+html/i.test(head)) {
    throw new UnusableFile('entities', 'The file declares a document type or entities, which no bank needs.');
  }
  if (/camt\.05[23]\b|<(?:\w{1,20}:)?BkToCstmr(?:Stmt|AcctRpt)\b/.test(head)) return 'camt';
  if (/camt\.054\b|BkToCstmrDbtCdtNtfctn/.test(head)) {
    throw new UnusableFile(
      'unknown_format',
      'This is a notification (CAMT.054), whose entries a statement repeats. Download the statement as CAMT.053.',
    );
  }
  if (/<html\b|<!DOCTYPE\s+html/i.test(head)) {
    throw new UnusableFile(
      'unknown_format',
      'This is a web page, perhaps that of an expired session. Download the file again.',
    );
  }
  throw new UnusableFile(
    'unknown_format',
    'This XML is neither OFX nor CAMT.053. Download the statement in one of these.',
  );
}
