import { randomUUID } from 'node:crypto';
import {
  type Envelope,
  insertInTrie,
  parseTimestamp,
  pruneTrie,
  type SyncRequest,
  type Timestamp,
  type Trie,
} from './crdt.ts';
import { serverError } from './errors.ts';

/** What the server needs to know about a file's encryption: it cannot read encrypted data. */
export interface EncryptMeta {
  readonly keyId: string;
  readonly algorithm: 'aes-256-gcm';
  readonly iv: string;
  readonly authTag: string;
}

/** A budget as stored by the sync server: the uploaded file, and the messages of its group, which it only passes on. */
export class ServedBudget {
  readonly id: string;
  name: string;
  deleted = false;
  groupId: string | null = randomUUID();
  syncVersion = 2;
  file: Buffer = Buffer.alloc(0);
  encryptMeta: EncryptMeta | null = null;
  keySalt: string | null = null;
  #messages = new Map<string, Envelope>();
  #trie: Trie = {};

  constructor(id: string, name: string) {
    this.id = id;
    this.name = name;
  }

  /** How many messages its devices have shared since the file was uploaded. */
  get messageCount(): number {
    return this.#messages.size;
  }

  /** Accepts messages and returns the earlier ones after `since`. */
  sync({ messages, since, groupId, keyId }: SyncRequest): {
    readonly messages: readonly Envelope[];
    readonly trie: Trie;
  } {
    this.#validate(groupId, keyId);
    if (since === '') throw serverError('unprocessable-entity');
    const given = [...this.#messages.values()]
      .filter(({ timestamp }) => timestamp > since)
      .sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    const added = new Map<string, Timestamp>();
    for (const { timestamp: text } of messages) {
      const timestamp = parseTimestamp(text);
      if (timestamp === null) throw serverError('internal-error');
      if (!this.#messages.has(text)) added.set(text, timestamp);
    }
    for (const message of messages)
      if (!this.#messages.has(message.timestamp)) this.#messages.set(message.timestamp, message);
    this.#trie = pruneTrie(insertInTrie(this.#trie, [...added.values()]));
    return { messages: given, trie: this.#trie };
  }

  /** As when a person resets the sync: everything shared so far is in the next file that is uploaded. */
  reset(): void {
    this.groupId = null;
    this.#messages = new Map();
    this.#trie = {};
  }

  upload(file: Buffer, encryptMeta: EncryptMeta | null): void {
    this.groupId ??= randomUUID();
    this.file = file;
    this.encryptMeta = encryptMeta;
  }

  #validate(groupId: string, keyId: string): void {
    if (this.syncVersion < 2) throw serverError('file-old-version');
    if (this.groupId === null) throw serverError('file-needs-upload');
    if (groupId !== this.groupId) throw serverError('file-has-reset');
    if (keyId !== (this.encryptMeta?.keyId ?? '')) throw serverError('file-has-new-key');
  }
}
