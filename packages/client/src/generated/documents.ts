// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { Money } from './accounts.ts';

/** A statement file that was uploaded. It is kept sealed until it is deleted. */
export type Document = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'document';
  /** For people. */
  readonly name: string;
  readonly format: 'ofx' | 'qif' | 'csv' | 'camt' | 'mt940';
  readonly bytes: number;
  /** uploaded: nothing is read from it yet; taken: its rows are shown; undone: they were taken out again. */
  readonly status: 'uploaded' | 'taken' | 'undone';
  /** The connection of category documents, once it was taken. */
  readonly connection: string | null;
  /** The account that its owner said it belongs to; null if the number in the file decides. */
  readonly account: string | null;
  /** How its owner said that a CSV is read; null: as guessed, or as the last one of its account. */
  readonly layout: {
    readonly delimiter: ',' | ';' | '	' | '|';
    /** Lines before the header. */
    readonly skip_lines: number;
    readonly header: boolean;
    /** Columns counted from 0. Either amount, with direction where it has no sign, or debit and credit. */
    readonly columns: {
      readonly date: number;
      readonly value_date: number | null;
      readonly amount: number | null;
      readonly debit: number | null;
      readonly credit: number | null;
      readonly direction: number | null;
      readonly description: readonly number[];
      readonly counterparty: number | null;
      readonly reference: number | null;
      readonly currency: number | null;
      readonly category: number | null;
      readonly balance: number | null;
      readonly account: number | null;
    };
    readonly date_order: 'ymd' | 'dmy' | 'mdy';
    readonly decimal_sign: '.' | ',';
    readonly positive: 'in' | 'out';
  } | null;
  /** Days until it is deleted, from delivered_at; null: it is kept until you delete it. */
  readonly retain_days: number | null;
  /** What was taken: rows that are shown, and live_rows that the live feed of the account has. */
  readonly parts: readonly {
    readonly account: string;
    readonly rows: number;
    readonly live_rows: number;
  }[];
  readonly taken_at: string | null;
  /** When every sync of its accounts was found to have delivered it. */
  readonly delivered_at: string | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

/** A statement file as it was uploaded. */
export type DocumentFile = {
  /** Which kind of object this is. */
  readonly object: 'document_file';
  readonly document: string;
  /** For people. */
  readonly name: string;
  /** Its bytes as base64. */
  readonly content: string;
};

/** What is in a file, and which of its rows are new. */
export type DocumentPreview = {
  /** Which kind of object this is. */
  readonly object: 'document_preview';
  readonly document: string;
  readonly format: 'ofx' | 'qif' | 'csv' | 'camt' | 'mt940';
  /** How a CSV is read; layout is null if the columns have to be named, of rows that are split at delimiter, and layout_from says who decided it. Cells are shown as written. */
  readonly csv: {
    readonly layout: {
      readonly delimiter: ',' | ';' | '	' | '|';
      /** Lines before the header. */
      readonly skip_lines: number;
      readonly header: boolean;
      /** Columns counted from 0. Either amount, with direction where it has no sign, or debit and credit. */
      readonly columns: {
        readonly date: number;
        readonly value_date: number | null;
        readonly amount: number | null;
        readonly debit: number | null;
        readonly credit: number | null;
        readonly direction: number | null;
        readonly description: readonly number[];
        readonly counterparty: number | null;
        readonly reference: number | null;
        readonly currency: number | null;
        readonly category: number | null;
        readonly balance: number | null;
        readonly account: number | null;
      };
      readonly date_order: 'ymd' | 'dmy' | 'mdy';
      readonly decimal_sign: '.' | ',';
      readonly positive: 'in' | 'out';
    } | null;
    readonly layout_from: 'document' | 'account' | 'guess' | null;
    readonly guessed: {
      readonly delimiter: ',' | ';' | '	' | '|';
      /** Lines before the header. */
      readonly skip_lines: number;
      readonly header: boolean;
      /** Columns counted from 0. Either amount, with direction where it has no sign, or debit and credit. */
      readonly columns: {
        readonly date: number;
        readonly value_date: number | null;
        readonly amount: number | null;
        readonly debit: number | null;
        readonly credit: number | null;
        readonly direction: number | null;
        readonly description: readonly number[];
        readonly counterparty: number | null;
        readonly reference: number | null;
        readonly currency: number | null;
        readonly category: number | null;
        readonly balance: number | null;
        readonly account: number | null;
      };
      readonly date_order: 'ymd' | 'dmy' | 'mdy';
      readonly decimal_sign: '.' | ',';
      readonly positive: 'in' | 'out';
    } | null;
    readonly delimiter: ',' | ';' | '	' | '|';
    /** Lines before the header. */
    readonly skip_lines: number;
    readonly doubts: readonly ('columns' | 'date_order' | 'decimal_sign' | 'direction')[];
    readonly header: readonly string[];
    readonly rows: readonly {
      readonly position: number;
      readonly cells: readonly string[];
      readonly unreadable: 'date' | 'amount' | 'row' | null;
    }[];
  } | null;
  /** One for each account in the file; account is null if it is made when the file is taken. */
  readonly statements: readonly {
    readonly account: string | null;
    readonly live_account: string | null;
    readonly alike_account: string | null;
    readonly name: string;
    readonly type: 'transaction' | 'savings' | 'credit-card' | 'loan' | 'investment' | 'term-deposit' | 'other';
    readonly account_number: string | null;
    /** ISO 4217, lower case. */
    readonly currency: string;
    readonly from: string | null;
    readonly to: string | null;
    readonly new_rows: number;
    readonly known_rows: number;
    readonly live_rows: number;
    readonly pending_rows: number;
    readonly unreadable: readonly {
      readonly position: number;
      readonly field: 'date' | 'amount' | 'row';
    }[];
    readonly unreadable_rows: number;
    readonly rows: readonly {
      /** YYYY-MM-DD */
      readonly date: string;
      readonly description: string;
      readonly counterparty: string | null;
      readonly amount: Money;
      readonly amount_decimal: string;
      readonly outcome: 'new' | 'known' | 'live';
    }[];
  }[];
};

export type DeletedDocument = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'document';
  readonly deleted: true;
};

export interface DocumentsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface DocumentsCreateInput {
  /** For people. */
  readonly name: string;
  /** The bytes of the file, as base64. */
  readonly content: string;
  /** The account it belongs to, of files or linked live, if the file has no number of it. */
  readonly account?: string | null | undefined;
  readonly layout?: {
    readonly delimiter: ',' | ';' | '	' | '|';
    /** Lines before the header. */
    readonly skip_lines: number;
    readonly header: boolean;
    /** Columns counted from 0. Either amount, with direction where it has no sign, or debit and credit. */
    readonly columns: {
      readonly date: number;
      readonly value_date: number | null;
      readonly amount: number | null;
      readonly debit: number | null;
      readonly credit: number | null;
      readonly direction: number | null;
      readonly description: readonly number[];
      readonly counterparty: number | null;
      readonly reference: number | null;
      readonly currency: number | null;
      readonly category: number | null;
      readonly balance: number | null;
      readonly account: number | null;
    };
    readonly date_order: 'ymd' | 'dmy' | 'mdy';
    readonly decimal_sign: '.' | ',';
    readonly positive: 'in' | 'out';
  } | null | undefined;
  readonly retain_days?: number | null | undefined;
}

export interface DocumentsGetInput {
  /** Id of the object. */
  readonly id: string;
}

export interface DocumentsGetFileInput {
  /** Id of the object. */
  readonly id: string;
}

export interface DocumentsPreviewInput {
  /** Id of the object. */
  readonly id: string;
}

export interface DocumentsUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** The account, acct_…. */
  readonly account?: string | null | undefined;
  readonly layout?: {
    readonly delimiter: ',' | ';' | '	' | '|';
    /** Lines before the header. */
    readonly skip_lines: number;
    readonly header: boolean;
    /** Columns counted from 0. Either amount, with direction where it has no sign, or debit and credit. */
    readonly columns: {
      readonly date: number;
      readonly value_date: number | null;
      readonly amount: number | null;
      readonly debit: number | null;
      readonly credit: number | null;
      readonly direction: number | null;
      readonly description: readonly number[];
      readonly counterparty: number | null;
      readonly reference: number | null;
      readonly currency: number | null;
      readonly category: number | null;
      readonly balance: number | null;
      readonly account: number | null;
    };
    readonly date_order: 'ymd' | 'dmy' | 'mdy';
    readonly decimal_sign: '.' | ',';
    readonly positive: 'in' | 'out';
  } | null | undefined;
  readonly retain_days?: number | null | undefined;
}

export interface DocumentsTakeInput {
  /** Id of the object. */
  readonly id: string;
}

export interface DocumentsUndoInput {
  /** Id of the object. */
  readonly id: string;
}

export interface DocumentsDeleteInput {
  /** Id of the object. */
  readonly id: string;
}

/** Statement files: upload one, look at what is in it, take its rows. They are then accounts of a connection of category documents. */
export class Documents {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List statement files.
   *
   * Needs `connections:read`. Rate tier: `cheap`.
   */
  list(input: DocumentsListInput = {}, options?: CallOptions): List<Document> {
    return this.#calls.list(
      { id: 'list_documents', method: 'GET', path: '/v2/documents', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Upload a statement file; nothing is read from it until it is taken.
   *
   * OFX, QFX, QIF, CSV, CAMT.053 or MT940. The format is recognised by the content. The same file again is the same document. The body may be larger than others by the file.
   *
   * Needs `connections:write`. Rate tier: `heavy`.
   */
  create(input: DocumentsCreateInput, options?: CallOptions): Promise<Document> {
    return this.#calls.one(
      { id: 'create_document', method: 'POST', path: '/v2/documents' },
      input,
      options,
    );
  }

  /**
   * Read a statement file’s record.
   *
   * Needs `connections:read`. Rate tier: `cheap`.
   */
  get(input: DocumentsGetInput, options?: CallOptions): Promise<Document> {
    return this.#calls.one(
      { id: 'get_document', method: 'GET', path: '/v2/documents/:id' },
      input,
      options,
    );
  }

  /**
   * Download a statement file as it was uploaded.
   *
   * Needs `connections:read` and `data:read`. Rate tier: `heavy`.
   */
  getFile(input: DocumentsGetFileInput, options?: CallOptions): Promise<DocumentFile> {
    return this.#calls.one(
      { id: 'get_document_file', method: 'GET', path: '/v2/documents/:id/file' },
      input,
      options,
    );
  }

  /**
   * Show what is in a statement file, and which of its rows are new.
   *
   * Changes nothing. Reads the live feed of an account that is linked as well.
   *
   * Needs `connections:read` and `data:read`. Rate tier: `heavy`.
   */
  preview(input: DocumentsPreviewInput, options?: CallOptions): Promise<DocumentPreview> {
    return this.#calls.one(
      { id: 'preview_document', method: 'GET', path: '/v2/documents/:id/preview' },
      input,
      options,
    );
  }

  /**
   * Say which account a statement file belongs to, how it is read, and how long it is kept.
   *
   * Omitted fields are unchanged. Account and layout can be changed until the file is taken; both are remembered for the next file of the account.
   *
   * Needs `connections:write`. Rate tier: `mutating`.
   */
  update(input: DocumentsUpdateInput, options?: CallOptions): Promise<Document> {
    return this.#calls.one(
      { id: 'update_document', method: 'POST', path: '/v2/documents/:id' },
      input,
      options,
    );
  }

  /**
   * Show the rows of a statement file as transactions of its account.
   *
   * Rows that an earlier file has are the same rows; rows that the live feed of the account has are left out. The connection and the account are made if they are missing. One that is taken already stays as it is.
   *
   * Needs `connections:write`. Rate tier: `heavy`.
   */
  take(input: DocumentsTakeInput, options?: CallOptions): Promise<Document> {
    return this.#calls.one(
      { id: 'take_document', method: 'POST', path: '/v2/documents/:id/take' },
      input,
      options,
    );
  }

  /**
   * Take the rows of a statement file out again; the file stays.
   *
   * Rows that another file has as well stay.
   *
   * Needs `connections:write`. Rate tier: `mutating`.
   */
  undo(input: DocumentsUndoInput, options?: CallOptions): Promise<Document> {
    return this.#calls.one(
      { id: 'undo_document', method: 'POST', path: '/v2/documents/:id/undo' },
      input,
      options,
    );
  }

  /**
   * Delete a statement file with every row that was taken from it.
   *
   * Needs `connections:write`. Rate tier: `mutating`.
   */
  delete(input: DocumentsDeleteInput, options?: CallOptions): Promise<DeletedDocument> {
    return this.#calls.one(
      { id: 'delete_document', method: 'DELETE', path: '/v2/documents/:id' },
      input,
      options,
    );
  }
}
