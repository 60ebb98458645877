import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import { EventLoopBudget } from '../../../platform/event-loop-budget.ts';
import { DestinationFailure } from '../destination-failure.ts';

const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)-([0-9A-Fa-f]{4})-([0-9A-Za-z]{16})$/;
/** `trib` in hexadecimal: the prefix of this service's client ids, by which it recognises its own messages. */
const OWN_CLIENTS = '74726962';
const CLIENT_CHARACTERS = 16;

/** When a message was created: its parts in one text, which orders all messages of a budget. */
interface Stamp {
  /** Epoch milliseconds. */
  readonly millis: number;
  /** Distinguishes messages of the same millisecond; up to 0xffff. */
  readonly counter: number;
  /** Sixteen characters that no two clients share. */
  readonly client: string;
}

export function writeStamp({ millis, counter, client }: Stamp): string {
  const count = counter.toString(16).toUpperCase().padStart(4, '0');
  return `${new Date(millis).toISOString()}-${count}-${client.padStart(CLIENT_CHARACTERS, '0')}`;
}

/** Null for text that is not a stamp. */
export function readStamp(text: string): Stamp | null {
  const [, time = '', counter = '', client = ''] = FORM.exec(text) ?? [];
  const millis = Date.parse(time);
  return millis >= 0 ? { millis, counter: Number.parseInt(counter, 16), client } : null;
}

/** Whether this service created the message. */
export function isOwnStamp(stamp: string): boolean {
  return readStamp(stamp)?.client.startsWith(OWN_CLIENTS) === true;
}

/** Clients of Actual refuse to sync with messages further ahead of their own clock than this. */
export const MOST_DRIFT_MS = 5 * 60_000;
const MOST_COUNTER = 0xffff;

/** Stamps messages with a hybrid logical clock: each later than every message seen before. */
export class MessageClock {
  readonly #clock: Clock;
  readonly #client = OWN_CLIENTS + randomBytes((CLIENT_CHARACTERS - OWN_CLIENTS.length) / 2).toString('hex');
  #millis = 0;
  #counter = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the stamp was made by this clock. */
  made(stamp: string): boolean {
    return stamp.endsWith(`-${this.#client}`);
  }

  /** Makes later stamps follow this one. */
  saw(stamp: string): void {
    const seen = readStamp(stamp);
    if (seen === null || seen.millis < this.#millis) return;
    this.#counter = seen.millis === this.#millis ? Math.max(seen.counter, this.#counter) : seen.counter;
    this.#millis = seen.millis;
  }

  /**
   * The next stamp. Raises DestinationFailure `run_failed` if it would be so far in the future that clients refuse to
   * sync: another client's clock, or ours, is wrong.
   */
  next(): string {
    const now = this.#clock.now();
    if (now > this.#millis) {
      this.#millis = now;
      this.#counter = 0;
    } else if (this.#counter < MOST_COUNTER) this.#counter += 1;
    else {
      this.#millis += 1;
      this.#counter = 0;
    }
    if (this.#millis - now > MOST_DRIFT_MS) {
      throw new DestinationFailure(
        'run_failed',
        'The budget has changes from more than five minutes in the future: correct the clock of the device that made them, or of this service.',
        { outcome: 'refused', retryable: true },
      );
    }
    return writeStamp({ millis: this.#millis, counter: this.#counter, client: this.#client });
  }
}

const DIGITS = ['0', '1', '2'] as const;
type Digit = (typeof DIGITS)[number];

interface Node {
  /** All hashes below, combined by exclusive or. */
  hash: number;
  readonly children: Partial<Record<Digit, Node>>;
}

const MINUTE_MS = 60_000;
/** Minutes since 1970 in base 3, to the depth of the trie. */
const KEY_DIGITS = 16;
/** How many children of each node are kept, the latest ones: older ones are only in their parent's hash. */
const KEPT_CHILDREN = 2;

/** Hashes over the stamps of all messages by minute, by which two sides find out from when on they differ. */
export class SyncTrie {
  readonly #root: Node;

  private constructor(root: Node) {
    this.#root = root;
  }

  /** @param clock JSON as clients store it with a budget; null for a budget without messages */
  static of(clock: string | null): SyncTrie {
    return new SyncTrie(nodeOf(memberOf(parsed(clock ?? ''), 'merkle')));
  }

  /** Yields in between. Nothing else may use the trie until then. */
  async add(stamps: readonly string[]): Promise<void> {
    const budget = new EventLoopBudget();
    for (const text of stamps) {
      if (budget.spent) await budget.yieldToEventLoop();
      const stamp = readStamp(text);
      if (stamp === null) continue;
      const hash = murmurHash(text);
      let node = this.#root;
      node.hash ^= hash;
      for (const digit of Math.floor(stamp.millis / MINUTE_MS).toString(3)) {
        if (!isDigit(digit)) continue;
        node.children[digit] ??= { hash: 0, children: {} };
        node = node.children[digit];
        node.hash ^= hash;
      }
    }
    prune(this.#root);
  }

  /** A stamp after which the two differ; null if they do not. @param answer the server's trie, as JSON */
  differsSince(answer: string): string | null {
    let [theirs, ours] = [nodeOf(parsed(answer)), this.#root];
    if (theirs.hash === ours.hash) return null;
    let key = '';
    for (;;) {
      const digit = firstDifference(theirs, ours);
      const [theirChild, ourChild] = digit === null ? [] : [theirs.children[digit], ours.children[digit]];
      if (digit === null || theirChild === undefined || ourChild === undefined) break;
      key += digit;
      [theirs, ours] = [theirChild, ourChild];
    }
    const minutes = Number.parseInt(key.padEnd(KEY_DIGITS, '0'), 3);
    return writeStamp({ millis: minutes * MINUTE_MS, counter: 0, client: '0' });
  }
}

/** The first child in which two nodes differ; null if one of them lacks an earlier child, or none differs. */
function firstDifference(a: Node, b: Node): Digit | null {
  for (const digit of DIGITS) {
    const [one, other] = [a.children[digit], b.children[digit]];
    if (one === undefined && other === undefined) continue;
    if (one === undefined || other === undefined) return null;
    if (one.hash !== other.hash) return digit;
  }
  return null;
}

function prune(node: Node): void {
  const held = DIGITS.filter((digit) => node.children[digit] !== undefined);
  for (const digit of held.slice(0, -KEPT_CHILDREN)) delete node.children[digit];
  for (const digit of held.slice(-KEPT_CHILDREN)) {
    const child = node.children[digit];
    if (child !== undefined) prune(child);
  }
}

/** A node from JSON, no deeper than the trie; anything invalid in it is left out. */
function nodeOf(value: unknown, depth = 0): Node {
  const hash = memberOf(value, 'hash');
  const node: Node = { hash: typeof hash === 'number' ? hash | 0 : 0, children: {} };
  if (depth > KEY_DIGITS) return node;
  for (const digit of DIGITS) {
    const child = memberOf(value, digit);
    if (typeof child === 'object' && child !== null) node.children[digit] = nodeOf(child, depth + 1);
  }
  return node;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function isDigit(text: string): text is Digit {
  return DIGITS.some((digit) => digit === text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** MurmurHash3 for 32 bits with the seed 0 (Appleby, public domain), as a signed number. For ASCII text only. */
function murmurHash(text: string): number {
  let hash = 0;
  const whole = text.length - (text.length % 4);
  for (let at = 0; at < whole; at += 4) {
    hash ^= mixed(wordAt(text, at, 4));
    hash = (hash << 13) | (hash >>> 19);
    hash = Math.imul(hash, 5) + 0xe6546b64;
  }
  if (whole < text.length) hash ^= mixed(wordAt(text, whole, text.length - whole));
  hash ^= text.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function wordAt(text: string, at: number, count: number): number {
  let word = 0;
  for (let byte = 0; byte < count; byte++) word |= (text.charCodeAt(at + byte) & 0xff) << (8 * byte);
  return word;
}

function mixed(word: number): number {
  const spread = Math.imul(word, 0xcc9e2d51);
  return Math.imul((spread << 15) | (spread >>> 17), 0x1b873593);
}
