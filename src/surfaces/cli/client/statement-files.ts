import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Document, DocumentPreview, DocumentsCreateInput, Tributary } from '#client';
import { FIXED_LIMITS, LIMITS } from '../../../vocabulary/limits.ts';
import { CommandFailure } from '../failure.ts';

/** In place of an account's id. */
export const NEW_ACCOUNT = 'new';

export type CsvLayoutInput = DocumentsCreateInput['layout'];

export interface TakeOptions {
  /** Its `acct_` id, for files without the number of their account; NEW_ACCOUNT if each of them makes a new one. */
  readonly account: string | undefined;
  readonly layout: CsvLayoutInput;
  /** Takes nothing. */
  readonly preview: boolean;
  /** Whether a file is taken again whose rows a person took out. */
  readonly takeUndone: boolean;
}

/** What is in a file of one account. */
export interface AccountInFile {
  /** Null if it would be made. */
  readonly account: string | null;
  readonly name: string | null;
  readonly account_number: string | null;
  /** ISO 4217 in lower case; null if the file was taken before. */
  readonly currency: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly new_rows: number;
  readonly known_rows: number;
  readonly live_rows: number;
  readonly pending_rows: number;
  readonly unreadable_rows: number;
}

/** `known`: its rows were taken before. `undone`: a person took its rows out, and it was left so. */
export type FileOutcome = 'taken' | 'previewed' | 'known' | 'undone';

export interface HandledFile {
  readonly document: string;
  readonly outcome: FileOutcome;
  readonly accounts: readonly AccountInFile[];
  /** What a CSV leaves open, so that it would not be taken. */
  readonly doubts: readonly string[];
}

type Csv = NonNullable<DocumentPreview['csv']>;

const DOUBTS: Readonly<Record<Csv['doubts'][number], string>> = {
  columns: 'which columns are which',
  date_order: 'the order of day and month',
  decimal_sign: 'the decimal sign',
  direction: 'whether a positive amount came in or went out',
};

/**
 * Uploads a statement file, sees what is new in it, and takes it. The same content again is the same document, so doing
 * it twice changes nothing.
 * @throws CommandFailure for a file that is too large, and for a CSV that leaves open how it is read
 * @throws TributaryError for what the service refuses
 */
export async function takeStatementFile(
  v2: Tributary,
  path: string,
  { account, layout, preview, takeUndone }: TakeOptions,
  signal: AbortSignal,
): Promise<HandledFile> {
  const content = (await contentOf(path)).toString('base64');
  const name = basename(path).slice(-FIXED_LIMITS.name_characters);
  const named = account === NEW_ACCOUNT ? undefined : account;
  const document = await v2.documents.create({ name, content, account: named, layout }, { signal });
  const { id, status } = document;
  if (status === 'taken')
    return { document: id, outcome: 'known', accounts: takenBefore(document), doubts: [] };
  if (status === 'undone' && !takeUndone)
    return { document: id, outcome: 'undone', accounts: [], doubts: [] };
  const { csv, statements } = await v2.documents.preview({ id }, { signal });
  const doubts = csv === null ? [] : doubtsOf(csv);
  const accounts = statements.map(
    ({
      unreadable: _positions,
      rows: _rows,
      type: _type,
      live_account: _live,
      alike_account: _alike,
      ...shown
    }) => shown,
  );
  if (preview) return { document: id, outcome: 'previewed', accounts, doubts };
  if (doubts.length > 0) {
    throw new CommandFailure(
      `The file leaves open ${doubts.join(', ')}. Nothing was taken: give --layout FILE.json, or --account with an account whose CSV files have a layout.`,
    );
  }
  const alike = statements.find(({ alike_account: one }) => one !== null)?.alike_account;
  if (alike != null && account === undefined) {
    throw new CommandFailure(
      `Most rows of the file are in the account ${alike} already, and the file does not say to which account it belongs. Nothing was taken: give --account ${alike}, or --account ${NEW_ACCOUNT} for an account of its own.`,
    );
  }
  const { parts } = await v2.documents.take({ id }, { signal });
  return {
    document: id,
    outcome: 'taken',
    accounts: accounts.map((one, at) => ({ ...one, account: parts[at]?.account ?? one.account })),
    doubts,
  };
}

/** The size is compared first, so that a file that the service would refuse is not read into memory. */
async function contentOf(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  const { max } = LIMITS.document_bytes;
  if (size > max)
    throw new CommandFailure(`The file has ${size} bytes; a statement file has ${max} at most.`);
  return readFile(path);
}

/** A guess may be wrong about what the file leaves open; a layout that a person gave or confirmed is not. */
function doubtsOf({ layout, layout_from: from, doubts }: Csv): readonly string[] {
  if (layout === null) return [DOUBTS.columns];
  return from === 'guess' ? doubts.map((doubt) => DOUBTS[doubt]) : [];
}

function takenBefore({ parts }: Document): readonly AccountInFile[] {
  return parts.map(({ account, rows, live_rows }) => ({
    account,
    name: null,
    account_number: null,
    currency: null,
    from: null,
    to: null,
    new_rows: 0,
    known_rows: rows,
    live_rows,
    pending_rows: 0,
    unreadable_rows: 0,
  }));
}
