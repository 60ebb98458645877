import { isObject } from '../../api/json.ts';
import type { Entry } from './entries.ts';

const PLACE = 'recent-choices';
const MOST_CHOICES = 8;
/** Account records that a browser remembers; the one that was used longest ago is forgotten. */
const MOST_RECORDS = 10;
/** Longer than any id; a longer one was not written here. */
const MOST_LETTERS = 120;

/** What changes something, or leaves: the first entry of the palette is one press of Enter away. */
const NOT_AGAIN: ReadonlySet<Entry['choice']['does']> = new Set(['run', 'refresh', 'switch', 'sign-out']);

interface Remembered {
  readonly kind: Entry['kind'];
  readonly choice: Pick<Entry['choice'], 'does'>;
}

/** Whether an entry is offered among the recent choices. A search is not: it has what was typed in it. */
export function isOfferedAgain({ kind, choice }: Remembered): boolean {
  return kind !== 'search' && !NOT_AGAIN.has(choice.does);
}

type Recent = ReadonlyMap<string, readonly string[]>;

/** What was stored, as far as it can be read: of each account record, the ids of what was chosen, latest first. */
export function readRecent(text: string | null): Recent {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (!isObject(value)) return new Map();
    const records = Object.entries(value).flatMap(([record, ids]) => {
      if (!Array.isArray(ids)) return [];
      const texts: readonly unknown[] = ids;
      const known = texts.filter((id): id is string => typeof id === 'string' && id.length <= MOST_LETTERS);
      return [[record, known.slice(0, MOST_CHOICES)] as const];
    });
    return new Map(records.slice(-MOST_RECORDS));
  } catch {
    return new Map();
  }
}

/** The same with one more choice, which is the latest. */
export function withChoice(recent: Recent, record: string, id: string): Recent {
  const before = recent.get(record)?.filter((one) => one !== id) ?? [];
  const others = [...recent].filter(([one]) => one !== record);
  return new Map([...others, [record, [id, ...before].slice(0, MOST_CHOICES)] as const].slice(-MOST_RECORDS));
}

/** The ids of what was chosen last for the account record in this browser, latest first. */
export function recentChoices(record: string): readonly string[] {
  return stored().get(record) ?? [];
}

/** Remembers an id, never a name: names of accounts stay out of the browser's storage. */
export function rememberChoice(record: string, id: string): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(withChoice(stored(), record, id))));
  } catch {
    // Without storage nothing is remembered.
  }
}

function stored(): Recent {
  try {
    return readRecent(localStorage.getItem(PLACE));
  } catch {
    return new Map();
  }
}
