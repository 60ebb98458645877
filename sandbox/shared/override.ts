import type { FaultSpec } from './faults.ts';

type Row = Record<string, unknown>;

/** Members that hold an id, in the spelling of any vendor. */
const ID_MEMBER = /(?:^|_)id$/;

/** The JSON answer with the members that `override` faults replace in their rows. */
export function overridden(body: string, faults: readonly FaultSpec[]): string {
  const wanted = faults.filter(({ kind }) => kind === 'override');
  if (wanted.length === 0) return body;
  const answer: unknown = JSON.parse(body);
  for (const { row = '', member = '', value = null } of wanted)
    replace(answer, row, member.split('.'), value);
  return JSON.stringify(answer);
}

function replace(within: unknown, id: string, path: readonly string[], value: unknown): void {
  if (Array.isArray(within)) {
    for (const one of within) replace(one, id, path, value);
    return;
  }
  if (!isRow(within)) return;
  for (const one of Object.values(within)) replace(one, id, path, value);
  if (isNamed(within, id)) setAt(within, path, value);
}

function isNamed(row: Row, id: string): boolean {
  // A position has no id of its own.
  const { instrument } = row;
  if (isRow(instrument) && instrument.id === id) return true;
  return Object.entries(row).some(([name, value]) => ID_MEMBER.test(name) && value === id);
}

function setAt(row: Row, [first = '', ...rest]: readonly string[], value: unknown): void {
  const inner = row[first];
  if (rest.length === 0) row[first] = value;
  else if (isRow(inner)) setAt(inner, rest, value);
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
