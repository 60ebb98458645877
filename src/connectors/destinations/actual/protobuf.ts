/** A value of a field: a number, or bytes that hold text or a message. */
export type FieldValue = bigint | Buffer;

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The bytes of a message (Protocol Buffers, encoding). Fields that hold nothing are left out, as version 3 does. */
export function encodeMessage(
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
export function* decodeMessage(bytes: Uint8Array): Generator<readonly [number: number, value: FieldValue]> {
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
