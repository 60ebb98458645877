import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

const COUNTER_LIMIT = 0x1000;
const RANDOM_BYTES_PER_ID = 10;

/** One system call per 409 ids instead of one per id. */
const pool = Buffer.alloc(4090);
let poolOffset = pool.length;

type Sequence = { ms: number; counter: number };

/** Ordered per clock: a simulated clock that runs behind another must not inherit the other's time. */
const sequences = new WeakMap<Clock, Sequence>();

/**
 * A new row identity: a UUIDv7 in lower case (RFC 9562, section 5.7).
 *
 * Ids of one process sort in the order they were made, also within one millisecond and when the clock steps
 * back: `rand_a` is a counter that starts at random in its lower half (section 6.2, method 1) and, when it
 * runs out, borrows from the next millisecond. The other 62 bits are random from the system's generator.
 */
export function newRowId(clock: Clock): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const start = poolOffset;
  poolOffset += RANDOM_BYTES_PER_ID;

  const now = Math.floor(clock.now());
  let sequence = sequences.get(clock);
  if (sequence === undefined) {
    sequence = { ms: -1, counter: 0 };
    sequences.set(clock, sequence);
  }
  if (now > sequence.ms) {
    sequence.ms = now;
    sequence.counter = pool.readUInt16BE(start) & 0x7ff;
  } else if (++sequence.counter === COUNTER_LIMIT) {
    sequence.ms += 1;
    sequence.counter = pool.readUInt16BE(start) & 0x7ff;
  }

  const time = sequence.ms.toString(16).padStart(12, '0');
  const counter = sequence.counter.toString(16).padStart(3, '0');
  const variantAndRandom = ((pool.readUInt16BE(start + 2) & 0x3fff) | 0x8000).toString(16);
  const random = pool.toString('hex', start + 4, start + RANDOM_BYTES_PER_ID);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variantAndRandom}-${random}`;
}

/** Before every id that is made at this time or later, and after all made earlier. @param ms epoch milliseconds */
export function firstRowIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
