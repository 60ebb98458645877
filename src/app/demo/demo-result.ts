import { table } from '../../surfaces/cli/table.ts';

/** What the demo found. Times in seconds, memory in bytes. */
export type DemoResult = {
  readonly ok: boolean;
  readonly accounts: number;
  readonly rows_at_bank: number;
  readonly rows_delivered: number;
  /** Rows that the destination cannot hold, such as one without a date in a budgeting app. */
  readonly rejected: number;
  readonly duplicates: number;
  readonly lost: number;
  readonly deliveries: number;
  readonly signatures_verified: number;
  readonly signatures_refused: number;
  readonly seconds: number;
  readonly sync_seconds: number;
  readonly rows_per_second: number;
  /** Of the whole process since it began; opening the embedded database takes the most. */
  readonly peak_rss_bytes: number;
  /** How far resident memory rose while the sync ran. */
  readonly sync_rss_growth_bytes: number;
  /** Where a person sees the rows that arrived, at a simulated destination. */
  readonly pages: readonly string[];
  readonly directory: string | null;
  readonly problems: readonly string[];
};

export function showDemo(result: DemoResult): string {
  const number = (value: number): string => value.toLocaleString('en');
  const columns = [
    'accounts',
    'rows at the bank',
    'rows delivered',
    'rejected',
    'duplicates',
    'lost',
    'seconds',
  ];
  const figures = table(
    columns.map((title) => ({ title, align: 'right' })),
    [
      [
        number(result.accounts),
        number(result.rows_at_bank),
        number(result.rows_delivered),
        number(result.rejected),
        number(result.duplicates),
        number(result.lost),
        result.seconds.toFixed(1),
      ],
    ],
  );
  const signatures =
    result.deliveries === 0
      ? result.pages.length === 0
        ? 'Read over v2; nothing is delivered.'
        : `The rows that arrived: ${result.pages.join(', ')}`
      : `${number(result.signatures_verified)} deliveries, each verified in both signature schemes.`;
  const kept = result.directory === null ? [] : [`The data directory was kept: ${result.directory}`];
  const verdict = result.ok
    ? []
    : ['', 'The demo failed:', ...result.problems.map((problem) => `- ${problem}`)];
  return ['', figures, '', signatures, ...kept, ...verdict].join('\n');
}
