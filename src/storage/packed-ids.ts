/**
 * How the ledger stores the source's id of a row: a form byte, then the id in as few bytes as its characters allow. Ids
 * are nearly all of a ledger, and those of banks are mostly hexadecimal digests.
 *
 * The form byte is eight times the number of a prefix plus the number of a body. Both tables are part of what is
 * stored, and an id must be encoded the same way every time, so neither may change: no entry is added, moved or dropped
 * without a migration that rewrites every id.
 */
const PREFIXES = [
  '',
  'txn_fk_',
  'txn_fk_bank_tx_',
  'txn_fk_bank_tx_s_',
  'txn_ak_',
  'txn_ak_trans_',
  'txn_st_',
] as const;

/** Bodies 3 to 6 are base64url, padded with 0 to 3 `A`s to whole groups of four characters. */
const TEXT = 0;
const HEX = 1;
const UUID = 2;
const BASE64 = 3;

const HEX_BODY = /^(?:[0-9a-f]{2})+$/;
const UUID_BODY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BASE64_BODY = /^[A-Za-z0-9_-]+$/;

/** The id as hexadecimal digits, the form in which bytes are sent to the database. Any text can be packed. */
export function packId(id: string): string {
  const prefix = prefixOf(id);
  const body = id.slice(PREFIXES[prefix]?.length);
  // A digest needs no work: it already is hexadecimal digits.
  if (HEX_BODY.test(body)) return form(prefix, HEX) + body;
  if (UUID_BODY.test(body)) return form(prefix, UUID) + body.replaceAll('-', '');
  if (!BASE64_BODY.test(body)) return form(prefix, TEXT) + Buffer.from(body).toString('hex');
  const fill = -body.length & 3;
  return form(prefix, BASE64 + fill) + Buffer.from(body + 'A'.repeat(fill), 'base64url').toString('hex');
}

/** The id that `packed` encodes. Raises a TypeError for bytes that `packId` never produces. */
export function unpackId(packed: Uint8Array): string {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const [first = 0xff] = bytes;
  const prefix = PREFIXES[first >> 3];
  if (prefix === undefined) throw new TypeError('an id in the ledger has an unknown form');
  return prefix + bodyOf(first & 7, bytes.subarray(1));
}

function bodyOf(body: number, bytes: Buffer): string {
  if (body === TEXT) return bytes.toString();
  if (body === HEX) return bytes.toString('hex');
  if (body === UUID) {
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
  const text = bytes.toString('base64url');
  const fill = body - BASE64;
  if (fill > 3) throw new TypeError('an id in the ledger has an unknown form');
  return fill === 0 ? text : text.slice(0, -fill);
}

function form(prefix: number, body: number): string {
  return (prefix * 8 + body).toString(16).padStart(2, '0');
}

/** The longest prefix the id begins with. */
function prefixOf(id: string): number {
  let found = 0;
  for (let at = 1; at < PREFIXES.length; at++) {
    const prefix = PREFIXES[at] ?? '';
    if (prefix.length > (PREFIXES[found]?.length ?? 0) && id.startsWith(prefix)) found = at;
  }
  return found;
}
