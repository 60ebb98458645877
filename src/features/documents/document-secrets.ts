import { keyedMac } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { Sealer } from '../../platform/sealing.ts';
import type { DocumentPiece } from '../../storage/documents.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import { isTransactionClass, type TransactionClass } from '../../vocabulary/transactions.ts';
import type { RowFacts } from './row-identity.ts';

const CONTENT_PURPOSE = 'document-content';
const ROW_PURPOSE = 'document-rows';
/** Small, so that a rotation of the encryption key can hold a batch of them. */
const PIECE_BYTES = 262_144;
const ID_BYTES = 16;

/** A row as it is stored, sealed. */
export interface StoredRow extends RowFacts {
  readonly id: string;
  /** Whether the live feed of the account has it, so that it is not shown. */
  readonly live: boolean;
  readonly datetime: string | null;
  readonly valueDate: LocalDate | null;
  readonly counterparty: string | null;
  readonly memo: string | null;
  readonly class: TransactionClass;
}

type SealedPiece = Pick<DocumentPiece, 'id' | 'content'>;

/**
 * Seals and opens what is stored of statement files: the only financial data in the database. Every value opens only in
 * the row for which it was sealed.
 */
export class DocumentSecrets {
  readonly #sealer: Sealer;
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#sealer = new Sealer(keyring, 'documents');
    this.#keyring = keyring;
  }

  sealName(document: RowId<'document'>, name: string): Buffer {
    return this.#sealer.seal(name, `documents/${document}/name`);
  }

  /** @throws UnsealError */
  openName(document: RowId<'document'>, sealed: Uint8Array): string {
    return this.#sealer.open(Buffer.from(sealed), `documents/${document}/name`).toString('utf8');
  }

  /** The content in pieces, in order. `newId` makes their ids. */
  *sealContent(content: Uint8Array, newId: () => string): Generator<SealedPiece> {
    for (let at = 0; at === 0 || at < content.length; at += PIECE_BYTES) {
      const id = newId();
      const piece = Buffer.from(content.subarray(at, at + PIECE_BYTES));
      yield { id, content: this.#sealer.seal(piece, `document_pieces/${id}/content`) };
    }
  }

  /** @throws UnsealError */
  openContent(pieces: readonly SealedPiece[]): Buffer {
    return Buffer.concat(
      pieces.map(({ id, content }) =>
        this.#sealer.open(Buffer.from(content), `document_pieces/${id}/content`),
      ),
    );
  }

  /** The rows in pieces, in order, each of which can be opened alone: the rows of a large file take long to parse. */
  *sealRows(rows: readonly StoredRow[], newId: () => string): Generator<SealedPiece> {
    let texts: string[] = [];
    let length = 0;
    const sealed = (): SealedPiece => {
      const id = newId();
      const content = Buffer.from(`{"v":2,"rows":[${texts.join(',')}]}`);
      [texts, length] = [[], 0];
      return { id, content: this.#sealer.seal(content, `document_pieces/${id}/content`) };
    };
    for (const row of rows) {
      const text = JSON.stringify(row);
      const bytes = Buffer.byteLength(text);
      if (length > 0 && length + bytes > PIECE_BYTES) yield sealed();
      texts.push(text);
      length += bytes + 1;
    }
    yield sealed();
  }

  /**
   * The rows of one file, piece by piece.
   * @throws UnsealError
   */
  *openRows(pieces: readonly SealedPiece[]): Generator<readonly StoredRow[]> {
    for (const piece of pieces) yield rowsIn(this.openContent([piece]).toString('utf8'));
  }

  /** By which the same content of the same owner is recognised. */
  macOf(owner: OwnerId, content: Uint8Array): string {
    const { id } = this.#keyring.primary;
    const mac = keyedMac(this.#keyring.derive(CONTENT_PURPOSE), owner, Buffer.from(content));
    return `${id}:${mac.toString('base64url')}`;
  }

  /**
   * An id for the `nth` of the owner's rows with this content. A plain hash of an amount and a day could be guessed, and
   * ids of rows are stored wherever a row was delivered.
   */
  rowId(owner: OwnerId, content: string, nth: number): string {
    const mac = keyedMac(this.#keyring.derive(ROW_PURPOSE), owner, content, String(nth));
    return mac.subarray(0, ID_BYTES).toString('hex');
  }
}

function rowsIn(text: string): readonly StoredRow[] {
  const value: unknown = JSON.parse(text);
  if (!isStored(value) || !value.rows.every(isStoredRow))
    throw new TypeError('the stored rows of a document have an unknown version or lack a member');
  return value.rows;
}

function isStored(value: unknown): value is { readonly rows: readonly unknown[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    value.v === 2 &&
    'rows' in value &&
    Array.isArray(value.rows)
  );
}

function isStoredRow(value: unknown): value is StoredRow {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'date' in value &&
    typeof value.date === 'string' &&
    'amount' in value &&
    typeof value.amount === 'string' &&
    'description' in value &&
    typeof value.description === 'string' &&
    'class' in value &&
    typeof value.class === 'string' &&
    isTransactionClass(value.class)
  );
}
