/**
 * Arrays of Postgres in the binary form of its protocol, each to be sent as one parameter. Postgres takes the values as
 * they are; as text, each would be written here, in the thread of the embedded database, and parsed there. Both drivers
 * send bytes in binary form.
 */

const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
/** Type ids of the elements. */
const BYTEA = 17;
const SMALLINT = 21;
const INTEGER = 23;
const TEXT = 25;
const TIMESTAMPTZ = 1184;
const UUID = 2950;
const UUID_BYTES = 16;
/** Postgres counts microseconds from 2000-01-01. */
const EPOCH_MS = 946_684_800_000;

/** An `int[]`. */
export function integerArray(values: readonly number[]): Buffer {
  const array = headed(INTEGER, values.length, values.length * 4, false);
  let at = HEAD_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(4, at);
    at = array.writeInt32BE(value, at);
  }
  return array;
}

/** A `smallint[]`. */
export function smallintArray(values: readonly (number | null)[]): Buffer {
  const nulls = values.reduce<number>((count, value) => count + (value === null ? 1 : 0), 0);
  const array = headed(SMALLINT, values.length, (values.length - nulls) * 2, nulls > 0);
  let at = HEAD_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(value === null ? NULL_LENGTH : 2, at);
    if (value !== null) at = array.writeInt16BE(value, at);
  }
  return array;
}

/** A `bytea[]`, of bytes in hexadecimal digits. */
export function bytesArray(values: readonly string[]): Buffer {
  const bytes = values.reduce((sum, hex) => sum + hex.length / 2, 0);
  const array = headed(BYTEA, values.length, bytes, false);
  let at = HEAD_BYTES;
  for (const hex of values) {
    at = array.writeInt32BE(hex.length / 2, at);
    at += array.write(hex, at, 'hex');
  }
  return array;
}

/** A `uuid[]`. */
export function uuidArray(values: readonly string[]): Buffer {
  const array = headed(UUID, values.length, values.length * UUID_BYTES, false);
  let at = HEAD_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(UUID_BYTES, at);
    const written = array.write(value.replaceAll('-', ''), at, 'hex');
    if (written !== UUID_BYTES) throw new TypeError('not a UUID');
    at += written;
  }
  return array;
}

/** A `timestamptz[]`. */
export function momentArray(values: readonly Date[]): Buffer {
  const array = headed(TIMESTAMPTZ, values.length, values.length * 8, false);
  let at = HEAD_BYTES;
  for (const value of values) {
    at = array.writeInt32BE(8, at);
    at = array.writeBigInt64BE(BigInt(value.getTime() - EPOCH_MS) * 1000n, at);
  }
  return array;
}

/** A `text[]`. */
export function textArray(values: readonly string[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + Buffer.byteLength(value), 0);
  const array = headed(TEXT, values.length, bytes, false);
  let at = HEAD_BYTES;
  for (const value of values) {
    const written = array.write(value, at + LENGTH_BYTES);
    array.writeInt32BE(written, at);
    at += LENGTH_BYTES + written;
  }
  return array;
}

/** Not from the shared pool of buffers, all of which would be cloned with it. */
function headed(type: number, length: number, bytes: number, hasNulls: boolean): Buffer {
  const array = Buffer.alloc(HEAD_BYTES + length * LENGTH_BYTES + bytes);
  // One dimension, whose first subscript is one. An empty array has the same form, of length zero.
  array.writeInt32BE(1, 0);
  array.writeInt32BE(hasNulls ? 1 : 0, 4);
  array.writeInt32BE(type, 8);
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16);
  return array;
}
