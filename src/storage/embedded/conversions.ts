/** bigint counts and ids of ours stay far below 2^53, and money never enters the database. */
export const INT8 = 20;

/** Members of a Postgres error that say what failed; the query and its parameters are left behind on purpose. */
export const FAULT_MEMBERS: ReadonlySet<string> = new Set([
  'code',
  'severity',
  'detail',
  'hint',
  'schema',
  'table',
  'column',
  'constraint',
  'dataType',
  'routine',
]);
