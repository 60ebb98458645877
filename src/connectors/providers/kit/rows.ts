import { isWireObject, malformed, parseExact, parsePlain, type WireObject } from './json.ts';

const NOTHING: WireObject = {};

/**
 * Rows of a list answer: `{plural: [...]}`, or a bare array. One that is no object is a row that says nothing, so that
 * its map sets it aside. Raises UpstreamFailure for a list of which none is.
 */
export function rowsOf(body: unknown, plural: string): WireObject[] {
  const rows: unknown = isWireObject(body) ? body[plural] : body;
  if (!Array.isArray(rows)) throw malformed(`it has no list of ${plural}`);
  if (rows.length > 0 && !rows.some(isWireObject))
    throw malformed(`its list of ${plural} holds something else`);
  return rows.map((row: unknown) => (isWireObject(row) ? row : NOTHING));
}

/**
 * Parses a page of rows whose `amount` is text by contract: exactly, but only where one comes as a number after all,
 * since exact parsing of a large page costs several times as much. Raises UpstreamFailure.
 */
export function parseRowsOfTexts(body: string, plural: string, amount: string): unknown {
  const plain = parsePlain(body);
  const rows = isWireObject(plain) || Array.isArray(plain) ? rowsOf(plain, plural) : [];
  return rows.some((row) => typeof row[amount] === 'number') ? parseExact(body) : plain;
}
