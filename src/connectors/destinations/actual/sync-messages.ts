import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { EventLoopBudget } from '../../../platform/event-loop-budget.ts';
import { readStamp } from './message-clock.ts';

const derive = promisify(pbkdf2);

/** As Actual derives keys: the salt is used as the text that the server stores. */
const ITERATIONS = 10_000;
const KEY_BYTES = 32;
const IV_BYTES = 12;
const ALGORITHM = 'aes-256-gcm';

interface Encrypted {
  readonly iv: Uint8Array;
  readonly authTag: Uint8Array;
  readonly data: Uint8Array;
}

/** The key of a budget with end-to-end encryption. */
export class BudgetKey {
  readonly id: string;
  readonly #bytes: Buffer;

  private constructor(id: string, bytes: Buffer) {
    this.id = id;
    this.#bytes = bytes;
  }

  static async derive(id: string, password: string, salt: string): Promise<BudgetKey> {
    return new BudgetKey(id, await derive(password, salt, ITERATIONS, KEY_BYTES, 'sha512'));
  }

  encrypt(plain: Uint8Array): Encrypted {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#bytes, iv);
    const data = Buffer.concat([cipher.update(plain), cipher.final()]);
    return { iv, authTag: cipher.getAuthTag(), data };
  }

  /** Null if it was encrypted with another key, and so with another password. */
  decrypt({ iv, authTag, data }: Encrypted): Buffer | null {
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#bytes, iv, { authTagLength: 16 });
      decipher.setAuthTag(authTag);
      return Buffer.concat([decipher.update(data), decipher.final()]);
    } catch {
      return null;
    }
  }
}

/** A value of a field: a number, or the bytes of a text or message. */
type FieldValue = bigint | Buffer;

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The bytes of a message (Protocol Buffers, encoding). Empty fields are left out, as in version 3. */
function encodeMessage(
  fields: readonly (readonly [number: number, value: string | Uint8Array | boolean])[],
): Buffer {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (typeof value === 'boolean') {
      if (value) parts.push(varint((number << 3) | VARINT), varint(1));
      continue;
    }
    const bytes = typeof value === 'string' ? Buffer.from(value.toWellFormed(), 'utf8') : value;
    if (bytes.length > 0) parts.push(varint((number << 3) | BYTES), varint(bytes.length), bytes);
  }
  return Buffer.concat(parts);
}

/** The fields of a message with their numbers, in order; numbers of fixed length are left out. @throws TypeError */
function* decodeMessage(bytes: Uint8Array): Generator<readonly [number: number, value: FieldValue]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = buffer[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw broken();
  };
  while (at < buffer.length) {
    const tag = Number(readVarint());
    const [number, kind] = [Math.floor(tag / 8), tag & 7];
    if (kind === VARINT) yield [number, readVarint()];
    else if (kind === BYTES) {
      const length = Number(readVarint());
      if (length > buffer.length - at) throw broken();
      yield [number, buffer.subarray(at, at + length)];
      at += length;
    } else if (kind === FIXED32 || kind === FIXED64) at += kind === FIXED32 ? 4 : 8;
    else throw broken();
  }
  if (at > buffer.length) throw broken();
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}

function broken(): TypeError {
  return new TypeError('it is not in the form of the protocol');
}

export type CellValue = string | number | null;

/** One cell that was set: a column of a row of a table. */
export interface Cell {
  readonly dataset: string;
  readonly row: string;
  readonly column: string;
  readonly value: CellValue;
}

export interface SyncMessage extends Cell {
  /** A stamp (stamp.ts). */
  readonly timestamp: string;
}

/** A budget at the server: its file, and the group of clients that share messages since the last reset. */
export interface SyncGroup {
  readonly fileId: string;
  readonly groupId: string;
}

export interface SyncAnswer {
  /** Messages of others after the requested time. */
  readonly messages: readonly SyncMessage[];
  /** JSON of a trie over the stamps of all messages. */
  readonly merkle: string;
}

/** The body of a sync request: numbers of fields are those of Actual's `sync.proto`. */
export function encodeSync(
  { fileId, groupId }: SyncGroup,
  since: string,
  messages: readonly SyncMessage[],
  key: BudgetKey | null,
): Buffer {
  const envelopes = messages.map(({ timestamp, dataset, row, column, value }) => {
    const plain = encodeMessage([
      [1, dataset],
      [2, row],
      [3, column],
      [4, writeValue(value)],
    ]);
    return encodeMessage([
      [1, timestamp],
      [2, key !== null],
      [3, key === null ? plain : sealed(plain, key)],
    ]);
  });
  return encodeMessage([
    ...envelopes.map((envelope) => [1, envelope] as const),
    [2, fileId],
    [3, groupId],
    [5, key?.id ?? ''],
    [6, since],
  ]);
}

/**
 * Yields in between: an answer may hold a million messages. Raises TypeError for an invalid answer, or one whose
 * messages the key does not decrypt; it repeats nothing of it.
 */
export async function decodeSync(bytes: Uint8Array, key: BudgetKey | null): Promise<SyncAnswer> {
  const budget = new EventLoopBudget();
  const messages: SyncMessage[] = [];
  let merkle = '';
  for (const [number, value] of decodeMessage(bytes)) {
    if (budget.spent) await budget.yieldToEventLoop();
    if (number === 1) messages.push(decodeEnvelope(bytesOf(value), key));
    if (number === 2) merkle = bytesOf(value).toString('utf8');
  }
  return { messages, merkle };
}

function decodeEnvelope(bytes: Buffer, key: BudgetKey | null): SyncMessage {
  const { 1: timestamp, 2: encrypted, 3: content } = fieldsOf(bytes);
  const stamp = bytesOf(timestamp).toString('utf8');
  if (readStamp(stamp) === null) throw new TypeError('a message has no time');
  const isEncrypted = typeof encrypted === 'bigint' && encrypted !== 0n;
  if (key !== null && !isEncrypted) throw new TypeError('a message is not encrypted');
  const plain = isEncrypted ? opened(bytesOf(content), key) : bytesOf(content);
  const { 1: dataset, 2: row, 3: column, 4: value } = fieldsOf(plain);
  return {
    timestamp: stamp,
    dataset: bytesOf(dataset).toString('utf8'),
    row: bytesOf(row).toString('utf8'),
    column: bytesOf(column).toString('utf8'),
    value: readValue(bytesOf(value).toString('utf8')),
  };
}

function sealed(plain: Buffer, key: BudgetKey): Buffer {
  const { iv, authTag, data } = key.encrypt(plain);
  return encodeMessage([
    [1, iv],
    [2, authTag],
    [3, data],
  ]);
}

function opened(content: Buffer, key: BudgetKey | null): Buffer {
  const { 1: iv, 2: authTag, 3: data } = fieldsOf(content);
  const encrypted = { iv: bytesOf(iv), authTag: bytesOf(authTag), data: bytesOf(data) };
  const plain = key?.decrypt(encrypted) ?? null;
  if (plain === null) throw new TypeError('a message is encrypted with another key');
  return plain;
}

function fieldsOf(bytes: Buffer): Readonly<Record<number, FieldValue>> {
  return Object.fromEntries(decodeMessage(bytes));
}

function bytesOf(value: FieldValue | undefined): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

/** Values are sent as text whose first character is their type. */
export function writeValue(value: CellValue): string {
  if (value === null) return '0:';
  return typeof value === 'number' ? `N:${value}` : `S:${value}`;
}

/** @throws TypeError */
export function readValue(text: string): CellValue {
  const rest = text.slice(2);
  if (text.startsWith('0:')) return null;
  if (text.startsWith('S:')) return rest;
  if (text.startsWith('N:') && rest !== '' && Number.isFinite(Number(rest))) return Number(rest);
  throw new TypeError('a message has a value of no known kind');
}
