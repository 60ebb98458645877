import * as crdt from '@actual-app/crdt';

/** The part of the vendor's own library used here, with types, because only bundlers find the types that it ships. */

/** A trie over the timestamps of all messages. */
export type Trie = Readonly<Record<string, unknown>>;

export interface Timestamp {
  millis(): number;
  counter(): number;
  hash(): number;
  toString(): string;
}

export interface Envelope {
  readonly timestamp: string;
  readonly isEncrypted: boolean;
  readonly content: Uint8Array;
}

export interface Message {
  readonly dataset: string;
  readonly row: string;
  readonly column: string;
  readonly value: string;
}

export interface SyncRequest {
  readonly messages: readonly Envelope[];
  readonly fileId: string;
  readonly groupId: string;
  readonly keyId: string;
  readonly since: string;
}

export interface Encrypted {
  readonly iv: Uint8Array;
  readonly authTag: Uint8Array;
  readonly data: Uint8Array;
}

export const timestampOf = (millis: number, counter: number, client: string): Timestamp =>
  new crdt.Timestamp(millis, counter, client);
/** Null for invalid text. */
export const parseTimestamp = (text: string): Timestamp | null => crdt.Timestamp.parse(text);

const MINUTE_MS = 60_000;

/** The trie has one entry per minute, with the combined hashes of its timestamps: so they are combined first. */
export function insertInTrie(trie: Trie, timestamps: readonly Timestamp[]): Trie {
  const hashes = new Map<number, number>();
  for (const timestamp of timestamps) {
    const minute = Math.floor(timestamp.millis() / MINUTE_MS);
    hashes.set(minute, (hashes.get(minute) ?? 0) ^ timestamp.hash());
  }
  let grown = trie;
  for (const [minute, hash] of hashes)
    grown = crdt.merkle.insert(grown, { millis: () => minute * MINUTE_MS, hash: () => hash });
  return grown;
}
export const pruneTrie = (trie: Trie): Trie => crdt.merkle.prune(trie);
/** The time, in epoch milliseconds, from which two tries differ; null if they do not. */
export const diffTries = (one: Trie, other: Trie): number | null => crdt.merkle.diff(one, other);

export const readSyncRequest = (bytes: Uint8Array): SyncRequest =>
  crdt.fromBinary(crdt.SyncRequestSchema, bytes);
export const readMessage = (bytes: Uint8Array): Message => crdt.fromBinary(crdt.MessageSchema, bytes);
export const readEncrypted = (bytes: Uint8Array): Encrypted =>
  crdt.fromBinary(crdt.EncryptedDataSchema, bytes);
export const writeMessage = (message: Message): Uint8Array =>
  crdt.toBinary(crdt.MessageSchema, crdt.create(crdt.MessageSchema, message));
export const writeEncrypted = (encrypted: Encrypted): Uint8Array =>
  crdt.toBinary(crdt.EncryptedDataSchema, crdt.create(crdt.EncryptedDataSchema, encrypted));

export function writeSyncResponse(messages: readonly Envelope[], merkle: string): Uint8Array {
  const made = messages.map((one) => crdt.create(crdt.MessageEnvelopeSchema, one));
  const response = crdt.create(crdt.SyncResponseSchema, { messages: made, merkle });
  return crdt.toBinary(crdt.SyncResponseSchema, response);
}
