import type { Destination, DestinationResource } from '#client';

type Target = Destination['target'];

/** What a target is or lies in. Accounts and categories are what a sync is mapped to. */
export type TargetKind = Exclude<DestinationResource['type'], 'account' | 'category'>;

/** A step of choosing a target: of which kind, and under which key of the target its id stands. */
interface Step {
  readonly kind: TargetKind;
  readonly key: string;
}

interface TargetShape {
  readonly outer: Step;
  /** What is chosen inside it; null where the first choice is the target. */
  readonly inner: Step | null;
  /** Keys under which the names of both stand, where the target has them too. */
  readonly names?: readonly [outer: string, inner: string];
}

const budget: TargetShape = { outer: { kind: 'budget', key: 'budget_id' }, inner: null };

/** How the target of each type is chosen; null where it is an address that people write. */
export const TARGET_SHAPES: Readonly<Record<Destination['type'], TargetShape | null>> = {
  sheets: {
    outer: { kind: 'spreadsheet', key: 'spreadsheet_id' },
    inner: { kind: 'sheet', key: 'sheet_id' },
    names: ['spreadsheet_name', 'sheet_name'],
  },
  notion: { outer: { kind: 'database', key: 'database_id' }, inner: null },
  airtable: { outer: { kind: 'base', key: 'base_id' }, inner: { kind: 'table', key: 'table_id' } },
  ynab: budget,
  webhook: null,
  postgres: { outer: { kind: 'schema', key: 'schema' }, inner: { kind: 'table', key: 'table' } },
  actual: budget,
};

interface MadeTarget {
  readonly kind: TargetKind;
  /** Whether one has to say what it is to lie in, may say so, or cannot. */
  readonly parent: 'required' | 'optional' | 'none';
}

/** What the service can make at each vendor; null where people make it themselves. */
export const MADE_TARGETS: Readonly<Record<Destination['type'], MadeTarget | null>> = {
  sheets: { kind: 'spreadsheet', parent: 'none' },
  notion: { kind: 'database', parent: 'none' },
  airtable: { kind: 'table', parent: 'required' },
  ynab: null,
  webhook: null,
  postgres: { kind: 'table', parent: 'optional' },
  actual: null,
};

/** As much of a name as a target may hold (docs/limits.md). */
const NAME = 200;

/** The target that these choices make. */
export function targetOf(
  { outer: { key }, inner: innerStep, names }: TargetShape,
  outer: DestinationResource,
  inner: DestinationResource | null,
): Target {
  if (innerStep === null || inner === null) return { [key]: outer.id };
  const ids = { [key]: outer.id, [innerStep.key]: inner.id };
  if (names === undefined) return ids;
  const [outerName, innerName] = names;
  return { ...ids, [outerName]: outer.name.slice(0, NAME), [innerName]: inner.name.slice(0, NAME) };
}

/** Vendors that say at which address a target is shown. */
const ADDRESSED: ReadonlySet<Destination['type']> = new Set(['sheets', 'notion', 'airtable']);

/** The kind of thing a destination is aimed at, where its vendor has an address for it. */
export function addressedKind({ type }: Pick<Destination, 'type'>): Step | null {
  const shape = TARGET_SHAPES[type];
  return shape === null || !ADDRESSED.has(type) ? null : (shape.inner ?? shape.outer);
}
