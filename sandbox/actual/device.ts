import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import {
  diffTries,
  type Envelope,
  insertInTrie,
  parseTimestamp,
  pruneTrie,
  readEncrypted,
  readMessage,
  type Timestamp,
  type Trie,
  timestampOf,
  writeEncrypted,
  writeMessage,
} from './crdt.ts';
import { decryptedBy, type EndToEnd, encryptedBy } from './end-to-end.ts';
import { SCHEMA } from './schema.ts';
import type { ServedBudget } from './served-budget.ts';
import { zipOf } from './zip.ts';

/** Devices refuse messages further ahead of their own clock than this. */
const MOST_DRIFT_MS = 5 * 60_000;
const MOST_ROUNDS = 10;

export type Fields = Readonly<Record<string, string | number | null>>;
export type Row = Readonly<Record<string, SQLOutputValue>>;

interface Parts {
  readonly budget: ServedBudget;
  /** Sixteen hexadecimal digits. */
  readonly clientId: string;
  readonly now: () => number;
}

interface HeldMessage {
  readonly timestamp: string;
  readonly dataset: string;
  readonly row: string;
  readonly column: string;
  /** As sent: `S:text`, `N:1` or `0:`. */
  readonly value: string;
}

/** A person's device: a budget in its own database, which it changes and syncs by the rules of Actual's clients. */
export class Device {
  readonly #parts: Parts;
  readonly #db: DatabaseSync;
  /** Each is repeated for every message. */
  readonly #statements = new Map<string, StatementSync>();
  #trie: Trie = {};
  #counter = 0;
  #millis = 0;
  /** Made here and not sent yet. */
  #unsent: HeldMessage[] = [];
  #since = timestampOf(0, 0, '0').toString();
  encryption: EndToEnd | null = null;

  /** @param file the database of an earlier device; absent for an empty budget */
  constructor(parts: Parts, file?: Buffer) {
    this.#parts = parts;
    this.#db = new DatabaseSync(':memory:');
    if (file === undefined) this.#db.exec(SCHEMA);
    else {
      this.#db.deserialize(file);
      const held = this.all('SELECT timestamp FROM messages_crdt ORDER BY timestamp');
      this.#noteTimes(held.map(({ timestamp }) => String(timestamp)));
    }
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#prepared(sql).all(...values);
  }

  first(sql: string, ...values: readonly SQLInputValue[]): Row | null {
    return this.#prepared(sql).get(...values) ?? null;
  }

  /** Sets columns of a row, like everything that a person does; sent with the next sync. */
  set(dataset: string, row: string, fields: Fields): void {
    const messages = Object.entries(fields).map(([column, value]) => ({
      timestamp: this.#stamp().toString(),
      dataset,
      row,
      column,
      value: value === null ? '0:' : `${typeof value === 'number' ? 'N' : 'S'}:${value}`,
    }));
    this.#apply(messages);
    this.#unsent.push(...messages);
  }

  /** Sends changes made here and receives those of others, until both sides are equal. */
  sync(): void {
    const { budget } = this.#parts;
    let since = this.#since;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { messages, trie } = budget.sync({
        messages: this.#unsent.map((message) => this.#sealed(message)),
        fileId: budget.id,
        groupId: budget.groupId ?? '',
        keyId: this.encryption?.keyId ?? '',
        since,
      });
      this.#unsent = [];
      this.#apply(messages.map((envelope) => this.#opened(envelope)));
      const differs = diffTries(trie, this.#trie);
      if (differs === null) {
        this.#since = String(this.first('SELECT max(timestamp) AS last FROM messages_crdt')?.last ?? since);
        return;
      }
      since = timestampOf(differs, 0, '0').toString();
      this.#unsent = this.#heldAfter(since);
    }
    throw new Error('the device and its server are out of sync');
  }

  /** Uploads the current budget to the server, for new devices. */
  upload(): void {
    const { budget } = this.#parts;
    const clock = { timestamp: this.#stamp().toString(), merkle: this.#trie };
    this.#run('INSERT OR REPLACE INTO messages_clock (id, clock) VALUES (1, ?)', JSON.stringify(clock));
    const archive = zipOf({
      'db.sqlite': this.database(),
      'metadata.json': Buffer.from(JSON.stringify({ id: budget.name, resetClock: true })),
    });
    if (this.encryption === null) {
      budget.upload(archive, null);
      return;
    }
    const { iv, authTag, data } = encryptedBy(this.encryption, archive);
    const [ivText, tagText] = [iv, authTag].map((bytes) => Buffer.from(bytes).toString('base64'));
    const meta = { keyId: this.encryption.keyId, iv: ivText ?? '', authTag: tagText ?? '' };
    budget.upload(Buffer.from(data), { ...meta, algorithm: 'aes-256-gcm' });
  }

  /** Starts a new group: all changes are now only in the file, without who made them. */
  resetSync(): void {
    this.#parts.budget.reset();
    this.#run('DELETE FROM messages_crdt');
    this.#trie = {};
    this.#unsent = [];
    this.#since = timestampOf(0, 0, '0').toString();
    this.upload();
  }

  /** The file of the database. */
  database(): Buffer {
    return Buffer.from(this.#db.serialize());
  }

  /** Every message it knows is sent to the server, as the first time or after a restart of the server. */
  sendAll(): void {
    this.#unsent = this.#heldAfter('');
    this.sync();
  }

  close(): void {
    this.#db.close();
  }

  #heldAfter(since: string): HeldMessage[] {
    return this.all('SELECT * FROM messages_crdt WHERE timestamp > ? ORDER BY timestamp', since).map(
      (one) => ({
        timestamp: String(one.timestamp),
        dataset: String(one.dataset),
        row: String(one.row),
        column: String(one.column),
        value: String(one.value),
      }),
    );
  }

  /** As Actual's clients apply messages: all or none, the latest of a cell counts, and an unknown column is an error. */
  #apply(messages: readonly HeldMessage[]): void {
    if (messages.length === 0) return;
    this.#db.exec('BEGIN');
    try {
      const sorted = messages.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
      const fresh = sorted.filter((message) => this.#applyOne(message));
      this.#noteTimes(fresh.map(({ timestamp }) => timestamp));
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Whether it is new. */
  #applyOne({ timestamp, dataset, row, column, value }: HeldMessage): boolean {
    const sent = parseTimestamp(timestamp);
    if (sent === null) throw new Error('a message has no timestamp');
    if (sent.millis() - this.#parts.now() > MOST_DRIFT_MS) throw new Error('a message is of the future');
    if (this.first('SELECT 1 FROM messages_crdt WHERE timestamp = ?', timestamp) !== null) return false;
    const later = this.first(
      'SELECT 1 FROM messages_crdt WHERE dataset = ? AND row = ? AND column = ? AND timestamp >= ?',
      dataset,
      row,
      column,
      timestamp,
    );
    if (later === null) {
      const plain = plainOf(value);
      const stands = this.first(`SELECT 1 FROM ${dataset} WHERE id = ?`, row) !== null;
      if (stands) this.#run(`UPDATE ${dataset} SET ${column} = ? WHERE id = ?`, plain, row);
      else this.#run(`INSERT INTO ${dataset} (${column}, id) VALUES (?, ?)`, plain, row);
    }
    this.#run(
      'INSERT INTO messages_crdt (timestamp, dataset, row, column, value) VALUES (?, ?, ?, ?, ?)',
      timestamp,
      dataset,
      row,
      column,
      value,
    );
    return true;
  }

  #run(sql: string, ...values: readonly SQLInputValue[]): void {
    this.#prepared(sql).run(...values);
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#db.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #noteTimes(texts: readonly string[]): void {
    const timestamps = texts.map(parseTimestamp).filter((timestamp) => timestamp !== null);
    this.#trie = pruneTrie(insertInTrie(this.#trie, timestamps));
    for (const timestamp of timestamps) {
      const millis = timestamp.millis();
      if (millis < this.#millis) continue;
      const counter = timestamp.counter();
      this.#counter = millis === this.#millis ? Math.max(this.#counter, counter) : counter;
      this.#millis = millis;
    }
  }

  #stamp(): Timestamp {
    const now = this.#parts.now();
    this.#counter = now > this.#millis ? 0 : this.#counter + 1;
    this.#millis = Math.max(now, this.#millis);
    return timestampOf(this.#millis, this.#counter, this.#parts.clientId);
  }

  #sealed({ timestamp, ...message }: HeldMessage): Envelope {
    const plain = writeMessage(message);
    if (this.encryption === null) return { timestamp, isEncrypted: false, content: plain };
    return { timestamp, isEncrypted: true, content: writeEncrypted(encryptedBy(this.encryption, plain)) };
  }

  #opened({ timestamp, isEncrypted, content }: Envelope): HeldMessage {
    if (isEncrypted !== (this.encryption !== null))
      throw new Error('a message is not encrypted as the budget is');
    const plain = this.encryption === null ? content : decryptedBy(this.encryption, readEncrypted(content));
    const { dataset, row, column, value } = readMessage(plain);
    return { timestamp, dataset, row, column, value };
  }
}

function plainOf(text: string): string | number | null {
  const rest = text.slice(2);
  if (text.startsWith('S:')) return rest;
  if (text.startsWith('N:')) return Number.parseFloat(rest);
  if (text.startsWith('0:')) return null;
  throw new Error('a message has a value of no known kind');
}
