import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Db } from '../../storage/database.ts';
import {
  deleteDocument,
  deliveredDocuments,
  rememberDocumentAccount,
  updateDocument,
} from '../../storage/documents.ts';
import type { Notices } from '../../storage/notices.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { StatementConnections } from '../linking/statement-connections.ts';
import type { AccountReads } from '../reads/account-reads.ts';
import { DocumentSecrets } from './document-secrets.ts';
import { DocumentTaking } from './document-taking.ts';
import { Documents } from './documents.ts';
import { FileReading, type StatementParsers } from './file-reading.ts';
import { StoredStatements } from './stored-statements.ts';

export interface DocumentsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly keyring: Keyring;
  readonly notices: Pick<Notices, 'deliver'>;
  readonly connections: StatementConnections;
  readonly accountReads: Pick<AccountReads, 'transactions'>;
  readonly parsers: StatementParsers;
}

export interface DocumentFeatures {
  readonly documents: Documents;
  readonly documentTaking: DocumentTaking;
  readonly documentRetention: DocumentRetention;
}

/** The features for statement files, each built once. */
export function createDocuments(options: DocumentsOptions): DocumentFeatures {
  const secrets = new DocumentSecrets(options.keyring);
  const reading = new FileReading(options.parsers, options.limits);
  const deps = { ...options, secrets, reading };
  const documents = new Documents(deps);
  const statements = new StoredStatements({ db: options.db, secrets });
  return {
    documents,
    documentTaking: new DocumentTaking({ ...deps, documents, statements }),
    documentRetention: new DocumentRetention(options),
  };
}

const BATCH = 50;

/** Deletes files whose time is over: delivered by every sync of their accounts, and then kept for the owner's days. */
export class DocumentRetention {
  readonly #deps: Pick<DocumentsOptions, 'db' | 'clock' | 'notices'>;

  constructor(deps: Pick<DocumentsOptions, 'db' | 'clock' | 'notices'>) {
    this.#deps = deps;
  }

  /** Several processes may do it at the same time. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#deps;
    const now = new Date(clock.now());
    for (;;) {
      const found = await deliveredDocuments(db, { now, over: false, limit: BATCH });
      for (const { account_record: owner, id } of found)
        await updateDocument(db, owner, id, { delivered_at: now });
      if (found.length < BATCH || signal.aborted) break;
    }
    for (;;) {
      const over = await deliveredDocuments(db, { now, over: true, limit: BATCH });
      for (const { account_record: owner, id } of over) await this.#forget(owner, id, now);
      if (over.length < BATCH || signal.aborted) break;
    }
  }

  /** What was delivered stays at the destinations: from now on, a row that is missing here was not withdrawn. */
  async #forget(owner: OwnerId, id: RowId<'document'>, now: Date): Promise<void> {
    const { db, notices } = this.#deps;
    const gone = await db.transaction().execute(async (trx) => {
      const document = await deleteDocument(trx, owner, id);
      for (const { account } of document?.parts ?? []) {
        await rememberDocumentAccount(trx, {
          id: account,
          account_record: owner,
          forgotten_at: now,
          updated: now,
        });
      }
      return document;
    });
    if (gone?.connection != null) notices.deliver({ kind: 'connection', id: gone.connection });
  }
}
