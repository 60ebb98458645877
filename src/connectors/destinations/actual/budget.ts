import type { Clock } from '../../../platform/clock.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { DestinationFailure, withUnknownOutcome } from '../destination-failure.ts';
import { BudgetDatabase } from './budget-database.ts';
import { zipEntry } from './budget-file.ts';
import type { SyncServer } from './client.ts';
import { type BudgetInfo, tooLarge } from './failures.ts';
import { MessageClock, MOST_DRIFT_MS, SyncTrie, writeStamp } from './message-clock.ts';
import {
  BudgetKey,
  type Cell,
  decodeSync,
  encodeSync,
  type SyncAnswer,
  type SyncGroup,
  type SyncMessage,
} from './sync-messages.ts';

/** Rounds of requests for missing messages, each further back, before the two sides count as out of sync. */
const MOST_ROUNDS = 10;
/** Messages of a file that its server lacks, sent in one round. */
const MOST_RESENT = 20_000;
const BEGINNING = writeStamp({ millis: 0, counter: 0, client: '0' });

export interface BudgetSource {
  readonly server: SyncServer;
  readonly id: string;
  readonly encryptionPassword: string | null;
  readonly clock: Clock;
  readonly limits: Limits;
}

/**
 * A budget as all clients have it: the file that was last uploaded, updated with the messages since, and kept in sync
 * by sending. Raises DestinationFailure; one because of a reset is recognised by `isReset`.
 */
export class Budget implements Disposable {
  readonly database: BudgetDatabase;
  readonly #server: SyncServer;
  readonly #group: SyncGroup;
  readonly #key: BudgetKey | null;
  readonly #clock: MessageClock;
  readonly #trie: SyncTrie;
  /** Every message up to then is known. */
  #since: string;

  private constructor(
    source: BudgetSource,
    group: SyncGroup,
    key: BudgetKey | null,
    database: BudgetDatabase,
  ) {
    this.#server = source.server;
    this.#group = group;
    this.#key = key;
    this.database = database;
    this.#clock = new MessageClock(source.clock);
    this.#trie = SyncTrie.of(database.storedClock());
    const last = database.lastMessage();
    this.#since = last ?? BEGINNING;
    if (last !== null) this.#clock.saw(last);
  }

  static async open(source: BudgetSource, signal: AbortSignal): Promise<Budget> {
    const { server, id, limits } = source;
    const info = await server.info(id, signal);
    const groupId = info.groupId ?? null;
    if (groupId === null) {
      throw refused(
        'The sync of the budget was reset: open the budget in Actual once, so that it is uploaded.',
        true,
      );
    }
    const key = await keyOf(source, info, signal);
    const archive = decrypted(await server.download(id, signal), info, key);
    const file = await zipEntry(archive, 'db.sqlite', limits.budget_file_bytes).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      throw tooLarge();
    });
    if (file === null) throw refused('What the server has of the budget is not a budget file.', false);
    const budget = new Budget(
      source,
      { fileId: id, groupId },
      key,
      new BudgetDatabase(file, limits.budget_file_bytes),
    );
    try {
      await budget.#exchange([], signal);
      return budget;
    } catch (error) {
      budget[Symbol.dispose]();
      throw error;
    }
  }

  /** Fetches what others have changed since. */
  refresh(signal: AbortSignal): Promise<void> {
    return this.#exchange([], signal);
  }

  /** Sets cells, all of them or none, in one request. The caller should leave out those that are already set. */
  async send(cells: readonly Cell[], signal: AbortSignal): Promise<void> {
    if (cells.length === 0) return;
    this.#requireTime();
    const messages = cells.map((cell) => ({ ...cell, timestamp: this.#clock.next() }));
    let answered = false;
    try {
      await this.#exchange(messages, signal, () => {
        answered = true;
      });
    } catch (error) {
      throw answered ? withUnknownOutcome(error) : error;
    }
  }

  [Symbol.dispose](): void {
    this.database[Symbol.dispose]();
  }

  /** Messages from a clock that is ahead of the devices' clocks would stop them from syncing. */
  #requireTime(): void {
    if (this.#server.aheadMs <= MOST_DRIFT_MS) return;
    throw refused(
      'The clock of this service is more than five minutes ahead of the sync server’s: correct the one that is wrong.',
      true,
    );
  }

  /**
   * Sends messages, fetches those of others, and asks further back as long as the server's messages differ from ours.
   */
  async #exchange(
    messages: readonly SyncMessage[],
    signal: AbortSignal,
    answered: () => void = () => undefined,
  ): Promise<void> {
    let since = this.#since;
    let sent = messages;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const request = encodeSync(this.#group, since, sent, this.#key);
      const bytes = await this.#server.sync(request, sent.length > 0, signal);
      answered();
      const answer = await this.#decoded(bytes);
      // Messages of this client are already known, even if the server sends them again.
      const others = answer.messages.filter(({ timestamp }) => !this.#clock.made(timestamp));
      await this.#trie.add(await this.database.apply(round === 0 ? others : others.concat(sent)));
      if (round === 0) await this.#trie.add(await this.database.applyOwn(sent));
      const latest = answer.messages.reduce(
        (last, { timestamp }) => (timestamp > last ? timestamp : last),
        '',
      );
      this.#clock.saw(latest);
      const differs = this.#trie.differsSince(answer.merkle);
      if (differs === null) {
        this.#since = this.database.lastMessage() ?? BEGINNING;
        return;
      }
      since = differs;
      // A client may have uploaded the file with changes that it had not sent yet.
      sent = this.database.messagesAfter(since, MOST_RESENT);
    }
    throw new DestinationFailure(
      'run_failed',
      'The budget and its sync server do not agree on what was changed: reset the sync of the budget in Actual.',
      { outcome: 'refused', retryable: false },
    );
  }

  async #decoded(bytes: Buffer): Promise<SyncAnswer> {
    try {
      return await decodeSync(bytes, this.#key);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw refused(`The sync server sent an answer that cannot be used: ${error.message}.`, true);
    }
  }
}

async function keyOf(
  { server, id, encryptionPassword }: BudgetSource,
  { encryptMeta }: BudgetInfo,
  signal: AbortSignal,
): Promise<BudgetKey | null> {
  if (encryptMeta === undefined || encryptMeta === null) {
    // The server must not decide whether a budget is encrypted: its owner encrypted it against the server.
    if (encryptionPassword === null) return null;
    throw locked(
      'The server has the budget without encryption: encrypt it in Actual, or connect the destination again without encryption_password.',
    );
  }
  if (encryptionPassword === null) {
    throw locked('The budget is encrypted: connect the destination again with its encryption_password.');
  }
  const salt = await server.keySalt(id, signal);
  if (salt === null) throw refused('The server has no salt for the key of the budget.', false);
  return BudgetKey.derive(encryptMeta.keyId, encryptionPassword, salt);
}

function decrypted(file: Buffer, { encryptMeta }: BudgetInfo, key: BudgetKey | null): Buffer {
  if (key === null || encryptMeta === undefined || encryptMeta === null) return file;
  const [iv, authTag] = [encryptMeta.iv, encryptMeta.authTag].map((text) => Buffer.from(text, 'base64'));
  const plain = key.decrypt({ iv: iv ?? Buffer.alloc(0), authTag: authTag ?? Buffer.alloc(0), data: file });
  if (plain !== null) return plain;
  throw locked(
    'The encryption_password does not open the budget: connect the destination again with the right one.',
  );
}

function refused(message: string, retryable: boolean): DestinationFailure {
  return new DestinationFailure('run_failed', message, { outcome: 'refused', retryable });
}

function locked(message: string): DestinationFailure {
  return new DestinationFailure('destination_auth_failed', message, { outcome: 'refused', retryable: false });
}
