import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import {
  type CsvLayout,
  type ParsedFile,
  type StatementFormat,
  UnusableFile,
} from '../../statements/statement-contract.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import type { Db, Trx } from '../../storage/database.ts';
import {
  type Document,
  deleteDocument,
  documentAccounts,
  findDocument,
  findSameDocument,
  insertDocument,
  insertPiece,
  listDocuments,
  piecesOfFile,
  updateDocument,
  weighDocuments,
} from '../../storage/documents.ts';
import { jsonColumn } from '../../storage/json-column.ts';
import type { Notices } from '../../storage/notices.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { PROVIDERS } from '../../vocabulary/provider-kinds.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { DocumentStatus } from '../../vocabulary/states.ts';
import type { StatementConnections } from '../linking/statement-connections.ts';
import type { DocumentSecrets } from './document-secrets.ts';
import type { FileReading, StatementParsers } from './file-reading.ts';

type Id = RowId<'document'>;

export interface DocumentsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly secrets: DocumentSecrets;
  readonly reading: FileReading;
  readonly connections: StatementConnections;
  readonly notices: Pick<Notices, 'deliver'>;
}

/** A document with the name of its file. */
export interface OpenedDocument {
  readonly id: Id;
  readonly document: Document;
  readonly name: string;
  readonly status: DocumentStatus;
}

/** What an owner says about a document; members left out are unchanged. */
export interface DocumentSettings {
  readonly account?: RowId<'account'> | null | undefined;
  readonly layout?: CsvLayout | null | undefined;
  readonly retainDays?: number | null | undefined;
}

export interface NewDocument extends DocumentSettings {
  readonly name: string;
  readonly content: Uint8Array;
}

const DEFAULT_RETAIN_DAYS = 30;

/** Statement files of an account record (docs/statement-files.md), which are kept sealed. */
export class Documents {
  readonly #deps: DocumentsDependencies;

  constructor(deps: DocumentsDependencies) {
    this.#deps = deps;
  }

  /**
   * Keeps a file that can be read. The same content again is the same document, whose settings are then those given.
   * Raises `document_unusable`, `parameter_invalid` for a file that is too large and at the maximum of files,
   * `resource_missing` for an account that is not the owner's, and `rate_limit_exceeded`.
   */
  async create(owner: OwnerId, input: NewDocument, signal: AbortSignal): Promise<OpenedDocument> {
    const { db, clock, limits, secrets, reading } = this.#deps;
    const { name, content, retainDays = DEFAULT_RETAIN_DAYS } = input;
    if (content.length > limits.document_bytes) {
      throw invalidParameter('content', `The file has more than ${limits.document_bytes} bytes.`);
    }
    await this.#requireAccount(owner, input);
    const contentMac = secrets.macOf(owner, content);
    const same = await findSameDocument(db, owner, contentMac);
    if (same !== null) return this.#again(owner, same, input);
    const layout = input.layout ?? null;
    const format = await reading.inTurn(owner, signal, (parsers) =>
      formatOf(parsers, content, layout, signal),
    );
    const id = rowId('document', newRowId(clock));
    const now = new Date(clock.now());
    const made = await db.transaction().execute(async (trx) => {
      // Under its lock, the same file cannot be stored twice, nor one beyond the maximum.
      const record = await lockAccountRecord(trx, owner);
      if (record === null || record.removal_asked_at !== null) throw missing('account record');
      if ((await findSameDocument(trx, owner, contentMac)) !== null) return false;
      await this.#requireRoom(trx, owner, content.length);
      await insertDocument(trx, {
        id,
        account_record: owner,
        connection: null,
        account: input.account ?? null,
        format,
        bytes: content.length,
        content_mac: contentMac,
        name: secrets.sealName(id, name),
        layout: jsonColumn(layout),
        retain_days: retainDays,
        parts: JSON.stringify([]),
        taken_at: null,
        undone_at: null,
        delivered_at: null,
        created: now,
        updated: now,
      });
      let position = 0;
      for (const piece of secrets.sealContent(content, () => newRowId(clock))) {
        await insertPiece(trx, { ...piece, account_record: owner, document: id, account: null, position });
        position += 1;
      }
      return true;
    });
    if (made) return this.read(owner, id);
    return this.create(owner, input, signal);
  }

  async list(owner: OwnerId, page: PageRequest): Promise<Page<OpenedDocument>> {
    const found = await listDocuments(this.#deps.db, owner, page);
    return { ...found, items: found.items.map((document) => this.opened(document)) };
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: Id): Promise<OpenedDocument> {
    return this.opened(await this.row(owner, id));
  }

  /** The file as it was uploaded. Raises `resource_missing`. */
  async file(owner: OwnerId, id: Id): Promise<{ readonly name: string; readonly content: Buffer }> {
    const { name } = await this.read(owner, id);
    const pieces = await piecesOfFile(this.#deps.db, owner, id);
    if (pieces.length === 0) throw missing('document');
    return { name, content: this.#deps.secrets.openContent(pieces) };
  }

  /**
   * Raises `resource_missing` and `parameter_invalid`, and `document_taken` for account or layout of a document whose
   * rows are shown: undo it first.
   */
  async update(owner: OwnerId, id: Id, settings: DocumentSettings): Promise<OpenedDocument> {
    const { db, clock } = this.#deps;
    const before = await this.row(owner, id);
    const decides = settings.account !== undefined || settings.layout !== undefined;
    if (decides && before.taken_at !== null) throw new ServiceError('document_taken');
    await this.#requireAccount(owner, settings);
    const document = await updateDocument(db, owner, id, {
      ...(settings.account === undefined ? {} : { account: settings.account }),
      ...(settings.layout === undefined ? {} : { layout: jsonColumn(settings.layout) }),
      ...(settings.retainDays === undefined ? {} : { retain_days: settings.retainDays }),
      updated: new Date(clock.now()),
    });
    if (document === null) throw missing('document');
    return this.opened(document);
  }

  /** Deletes the file with every row taken from it. Raises `resource_missing`. */
  async delete(owner: OwnerId, id: Id): Promise<void> {
    const { db, connections, notices } = this.#deps;
    const gone = await db.transaction().execute(async (trx) => {
      const document = await deleteDocument(trx, owner, id);
      if (document?.taken_at != null) await this.changed(trx, connections, document);
      return document;
    });
    if (gone === null) throw missing('document');
    if (gone.connection !== null) notices.deliver({ kind: 'connection', id: gone.connection });
  }

  /** Rows of the document appeared or are gone. */
  async changed(
    trx: Trx,
    connections: Pick<StatementConnections, 'rowsChanged'>,
    { connection, account_record: owner, parts }: Document,
  ): Promise<void> {
    if (connection === null) return;
    const accounts = parts.map(({ account }) => account);
    await connections.rowsChanged(trx, { id: connection, account_record: owner }, accounts);
  }

  /** Raises `resource_missing`. */
  async row(owner: OwnerId, id: Id): Promise<Document> {
    const document = await findDocument(this.#deps.db, owner, id);
    if (document === null) throw missing('document');
    return document;
  }

  opened(document: Document): OpenedDocument {
    const { id } = document;
    const name = this.#deps.secrets.openName(id, document.name);
    const { taken_at: taken, undone_at: undone } = document;
    return { id, document, name, status: taken !== null ? 'taken' : undone !== null ? 'undone' : 'uploaded' };
  }

  /** How a CSV is read: as its owner said; else as the last one of its account. */
  async layoutOf(document: Document): Promise<CsvLayout | null> {
    if (document.layout !== null || document.account === null) return document.layout;
    const remembered = await documentAccounts(this.#deps.db, document.account_record);
    const { account } = document;
    return remembered.find((row) => row.id === account || row.live_account === account)?.layout ?? null;
  }

  /** Raises `parameter_invalid` if the owner's files would have more rows taken than allowed. */
  async requireRoomForRows(trx: Trx, owner: OwnerId, rows: number): Promise<void> {
    const { document_rows: most } = this.#deps.limits;
    if ((await weighDocuments(trx, owner)).rows + rows <= most) return;
    throw invalidParameter(
      'id',
      rows > most
        ? `The file has ${rows} new rows; all statement files together may have ${most}. Take a shorter period.`
        : `The statement files that are taken would have more than ${most} rows together, which is the maximum; undo or delete some first.`,
    );
  }

  async #again(owner: OwnerId, same: Document, input: NewDocument): Promise<OpenedDocument> {
    const { account, layout, retainDays } = input;
    const taken = same.taken_at !== null;
    return this.update(owner, same.id, { ...(taken ? {} : { account, layout }), retainDays });
  }

  async #requireRoom(trx: Trx, owner: OwnerId, bytes: number): Promise<void> {
    const { limits } = this.#deps;
    const weight = await weighDocuments(trx, owner);
    if (weight.count >= limits.documents) {
      throw invalidParameter(
        'content',
        `There are already ${limits.documents} statement files, which is the maximum; delete one first.`,
      );
    }
    if (weight.bytes + bytes > limits.documents_bytes) {
      throw invalidParameter(
        'content',
        `The statement files would have more than ${limits.documents_bytes} bytes together; delete some first.`,
      );
    }
  }

  async #requireAccount(owner: OwnerId, { account }: DocumentSettings): Promise<void> {
    if (account == null) return;
    const { provider } = await this.#deps.connections.account(this.#deps.db, owner, account);
    if (PROVIDERS[provider].category === 'brokerage') {
      throw invalidParameter(
        'account',
        'Statement files hold transactions, which a brokerage account lacks.',
      );
    }
  }
}

/** What the file is. A CSV whose columns cannot be guessed is kept, so that its owner can name them. */
async function formatOf(
  parsers: StatementParsers,
  content: Uint8Array,
  layout: CsvLayout | null,
  signal: AbortSignal,
): Promise<StatementFormat> {
  try {
    return (await parsed(parsers, content, layout, signal)).format;
  } catch (error) {
    if (!(error instanceof UnusableFile) || layout !== null) throw error;
    const guess = await parsers.guessCsv(content, signal).catch((cause: unknown) => {
      if (cause instanceof UnusableFile) throw error;
      throw cause;
    });
    if (guess.layout !== null || guess.header.length < 2) throw error;
    return 'csv';
  }
}

/** Raises UnusableFile. */
export function parsed(
  parsers: StatementParsers,
  content: Uint8Array,
  layout: CsvLayout | null,
  signal: AbortSignal,
): Promise<ParsedFile> {
  return parsers.parse(content, layout === null ? { signal } : { layout, signal });
}
