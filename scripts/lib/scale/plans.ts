import type pg from 'pg';
import type { RecordedStatement, SentStatement } from './recorded-statements.ts';

/** A node of a plan, as `explain (format json)` describes it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly 'Total Cost': number;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

export interface ExplainedStatement extends RecordedStatement {
  /** The tables that grow with the number of account records and of which the plan reads every row. */
  readonly scanned: readonly string[];
  /** The planner's estimate; only ratios mean anything. */
  readonly cost: number;
  readonly plan: string;
}

/** How many rows each table and each index has, by its name, as the planner knows it. */
export type Sizes = ReadonlyMap<string, number>;

export async function sizesOf(client: pg.Client): Promise<Sizes> {
  const { rows } = await client.query<{ readonly name: string; readonly rows: number }>(
    `select relname as name, reltuples::float8 as rows from pg_class
     where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ name, rows: count }) => [name, count]));
}

/** Plans every statement with the values it was sent with, without running any. */
export async function explainAll(
  client: pg.Client,
  statements: readonly RecordedStatement[],
  sizes: Sizes,
  manyRows: number,
): Promise<readonly ExplainedStatement[]> {
  const explained: ExplainedStatement[] = [];
  for (const statement of statements) {
    const plans = await Promise.all(new Set(statement.sent).values().map((sent) => planOf(client, sent)));
    const all = plans.flatMap((plan) => (plan === null ? [] : [plan]));
    const scanned = new Set(all.flatMap((plan) => [...scannedBy(plan, sizes, manyRows)]));
    explained.push({
      ...statement,
      scanned: [...scanned].toSorted(),
      cost: Math.max(0, ...all.map((plan) => plan['Total Cost'])),
      plan: all.map((plan) => JSON.stringify(plan)).join('\n'),
    });
  }
  return explained;
}

async function planOf(client: pg.Client, { text, values }: SentStatement): Promise<PlanNode | null> {
  const { rows } = await client.query<{ readonly 'QUERY PLAN': readonly { readonly Plan?: PlanNode }[] }>(
    `explain (format json) ${text}`,
    [...values],
  );
  return rows[0]?.['QUERY PLAN'][0]?.Plan ?? null;
}

/**
 * Tables of many rows of which the node reads all: by a sequential scan, or by an index without a condition on it. An
 * index of few rows is a partial one, which does not grow; and a limit ends a scan that an index orders.
 */
function* scannedBy(node: PlanNode, sizes: Sizes, many: number, limited = false): Generator<string> {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: below = [] } = node;
  const rows = sizes.get(table ?? '') ?? 0;
  if (table !== undefined && rows >= many) {
    // Without a condition, a limit ends it at once.
    if (type === 'Seq Scan' && !(limited && node.Filter === undefined)) yield table;
    const whole = index !== undefined && node['Index Cond'] === undefined && !limited;
    if (whole && (sizes.get(index) ?? 0) >= many) yield `${table} by ${index}`;
  }
  if (
    type === 'Bitmap Index Scan' &&
    node['Index Cond'] === undefined &&
    (sizes.get(index ?? '') ?? 0) >= many
  )
    yield `by ${index}`;
  const endsEarly = type === 'Limit' || (limited && !/Sort|Aggregate|Hash/.test(type));
  for (const child of below) yield* scannedBy(child, sizes, many, endsEarly);
}
