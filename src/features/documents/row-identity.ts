import { EventLoopBudget, inSlices } from '../../platform/event-loop-budget.ts';
import type { StatementFormat } from '../../statements/statement-contract.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';

/** What identifies a row of a statement. */
export interface RowFacts {
  readonly date: LocalDate;
  /** Decimal text of any precision. */
  readonly amount: string;
  /** Lower case; null: that of the account. */
  readonly currency: string | null;
  readonly description: string;
  readonly reference: string | null;
}

/** A row that was taken from an earlier file. */
export interface KnownRow extends RowFacts {
  readonly id: string;
  /** Which file it was taken from. */
  readonly file: string;
}

/** Makes the id of the `nth` row (from 1) of equal content. */
export type NewRowId = (content: string, nth: number) => string;

/** Formats whose references their standards define as unique and lasting: FITID (OFX 3.2.3) and AcctSvcrRef (ISO 20022). */
const WITH_REFERENCES: ReadonlySet<StatementFormat> = new Set<StatementFormat>(['ofx', 'camt']);

/** Day, amount, currency and text of a row as one text, the same however a format writes them. */
export function contentOf({ date, amount, currency, description }: RowFacts): string {
  const text = description.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  return [date, plainDecimal(amount), currency ?? '', text].join('\n');
}

/**
 * The id of each row of a file, in the order of `rows`: that of the same row in an earlier file, or a new one. Rows are
 * paired one to one:
 *
 * - by the bank's reference, where it is unique in the file and among the known rows and names the same day and amount;
 * - then by content, where the nth equal row of the file is the nth equal one known. So the number of equal rows is the
 *   largest of any file and never the sum: two equal coffees in one file are two rows, and the same two in the next file
 *   are the same. Two rows with different references are not paired if references are believed.
 *
 * References are believed if the format defines them, or if the file and the known rows agree on one. They are not if
 * one names another day or amount, or if rows of two or more days are equal to those of one earlier file and have no
 * reference in common: exporters invent and renumber them. New ids are made from the content, so they do not depend on the
 * order of the files. Yields to the event loop in between: a large file beside many known rows takes a second.
 */
export async function identifyRows(
  rows: readonly RowFacts[],
  known: readonly KnownRow[],
  format: StatementFormat,
  newId: NewRowId,
): Promise<readonly string[]> {
  const budget = new EventLoopBudget();
  const all: FileRow[] = [];
  await inSlices(rows, (row) => all.push(inFile(row)), budget);
  const { file, entities } = withoutRepeated(all, await entitiesOf(known, budget));
  const { pairs, believed } = await pairByReference(file, entities, format, known, budget);
  const ids: (string | null)[] = file.map((_row, at) => pairs.get(at)?.id ?? null);
  const used = new Set(pairs.values().map(({ id }) => id));
  const queues = new Map<string, Queues>();
  // The first known row of a content is the first to be paired, and so the last in its queue.
  await inSlices(entities.toReversed(), (entity) => enqueue(queues, entity, used), budget);
  // Those with a reference first: one without can be paired with any that is left.
  for (const bare of [false, true]) {
    await inSlices(
      file.entries(),
      ([at, { reference, content }]) => {
        const queue = queues.get(content);
        if (queue === undefined || ids[at] !== null || (reference === null) !== bare) return;
        const entity =
          bare || believed ? (queue.bare.pop() ?? null) : (queue.referred.pop() ?? queue.bare.pop());
        ids[at] = (entity ?? (bare ? queue.referred.pop() : null))?.id ?? null;
      },
      budget,
    );
  }
  const taken = new Set(entities.map(({ id }) => id));
  const counts = new Map<string, number>();
  const identified: string[] = [];
  await inSlices(
    file.entries(),
    ([at, { content }]) => {
      let id = ids[at] ?? null;
      for (let nth = (counts.get(content) ?? 0) + 1; id === null; nth += 1) {
        const fresh = newId(content, nth);
        if (taken.has(fresh)) continue;
        counts.set(content, nth);
        id = fresh;
      }
      identified.push(id);
    },
    budget,
  );
  return identified;
}

interface Identified {
  readonly content: string;
  readonly date: LocalDate;
  readonly amount: string;
}

interface FileRow extends Identified {
  readonly reference: string | null;
}

interface Entity extends Identified {
  readonly id: string;
  readonly references: ReadonlySet<string>;
}

function inFile(row: RowFacts): FileRow {
  const { date, amount, reference } = row;
  return { content: contentOf(row), date, amount: plainDecimal(amount), reference };
}

/** Known rows by id: files that overlap have the same one. */
async function entitiesOf(known: readonly KnownRow[], budget: EventLoopBudget): Promise<readonly Entity[]> {
  const entities = new Map<string, Entity & { readonly references: Set<string> }>();
  await inSlices(
    known,
    (row) => {
      const entity = entities.get(row.id) ?? { ...inFile(row), id: row.id, references: new Set() };
      if (row.reference !== null) entity.references.add(row.reference);
      entities.set(row.id, entity);
    },
    budget,
  );
  return [...entities.values()];
}

/** Without references that two rows have: they identify neither. */
function withoutRepeated(
  rows: readonly FileRow[],
  entities: readonly Entity[],
): { readonly file: readonly FileRow[]; readonly entities: readonly Entity[] } {
  const repeated = new Set([
    ...repeatedIn(rows.flatMap(({ reference }) => reference ?? [])),
    ...repeatedIn(entities.flatMap(({ references }) => [...references])),
  ]);
  if (repeated.size === 0) return { file: rows, entities };
  const keeps = (reference: string): boolean => !repeated.has(reference);
  return {
    file: rows.map((row) =>
      row.reference === null || keeps(row.reference) ? row : { ...row, reference: null },
    ),
    entities: entities.map((entity) => ({
      ...entity,
      references: new Set([...entity.references].filter(keeps)),
    })),
  };
}

function repeatedIn(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.size === seen.add(text).size));
}

interface PairedByReference {
  /** By the position of the row in the file. */
  readonly pairs: ReadonlyMap<number, Entity>;
  /** Whether different references mean different rows. */
  readonly believed: boolean;
}

async function pairByReference(
  rows: readonly FileRow[],
  entities: readonly Entity[],
  format: StatementFormat,
  known: readonly KnownRow[],
  budget: EventLoopBudget,
): Promise<PairedByReference> {
  const holders = new Map(
    entities.flatMap((entity) => [...entity.references].map((reference) => [reference, entity] as const)),
  );
  const pairs = new Map<number, Entity>();
  // A known row that had two references is only one of the rows that have them now.
  const paired = new Set<string>();
  for (const [at, { reference, date, amount }] of rows.entries()) {
    const entity = reference === null ? undefined : holders.get(reference);
    if (entity === undefined) continue;
    if (entity.date !== date || entity.amount !== amount) return { pairs: new Map(), believed: false };
    if (paired.has(entity.id)) continue;
    paired.add(entity.id);
    pairs.set(at, entity);
  }
  if (pairs.size > 0) return { pairs, believed: true };
  if (!WITH_REFERENCES.has(format)) return { pairs, believed: false };
  const referred = rows.filter(({ reference }) => reference !== null);
  const days = Map.groupBy(referred, ({ content }) => content);
  const equalDays = new Map<string, Set<LocalDate>>();
  await inSlices(
    known,
    (row) => {
      if (row.reference === null) return;
      const equal = days.get(contentOf(row))?.[0];
      if (equal !== undefined)
        equalDays.set(row.file, (equalDays.get(row.file) ?? new Set()).add(equal.date));
    },
    budget,
  );
  // Two cuts of one statement that have no row in common meet on one day at most.
  return { pairs, believed: [...equalDays.values()].every(({ size }) => size < 2) };
}

/** Known rows of one content that are not paired yet. */
interface Queues {
  readonly referred: Entity[];
  readonly bare: Entity[];
}

function enqueue(queues: Map<string, Queues>, entity: Entity, used: ReadonlySet<string>): void {
  if (used.has(entity.id)) return;
  const queue = queues.get(entity.content) ?? { referred: [], bare: [] };
  (entity.references.size > 0 ? queue.referred : queue.bare).push(entity);
  queues.set(entity.content, queue);
}

/** The shortest text of the same number: `-12.50` and `-12.5` are one amount. */
function plainDecimal(text: string): string {
  const [, sign = '', units = '', fraction = ''] = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  const digits = `${units === '' ? '0' : units}${fraction === '' ? '' : `.${fraction}`}`;
  return sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits;
}
