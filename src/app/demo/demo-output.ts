import { table } from '../../surfaces/cli/table.ts';

/** What the demo found. Times in seconds, memory in bytes. */
export type DemoResult = {
  readonly ok: boolean;
  readonly accounts: number;
  /** In place of a bank, a statement file may have them. */
  readonly source: 'bank' | 'file';
  readonly rows_at_bank: number;
  readonly rows_delivered: number;
  /** Rows that the destination cannot store, such as one without a date in a budgeting app. */
  readonly rejected: number;
  readonly duplicates: number;
  readonly lost: number;
  readonly deliveries: number;
  readonly signatures_verified: number;
  readonly signatures_refused: number;
  readonly seconds: number;
  readonly sync_seconds: number;
  readonly rows_per_second: number;
  /** For the whole process since it started; opening the embedded database takes the most. */
  readonly peak_rss_bytes: number;
  /** How far resident memory rose while the sync ran. */
  readonly sync_rss_growth_bytes: number;
  /** Where a person can see the delivered rows, at a simulated destination. */
  readonly pages: readonly string[];
  readonly directory: string | null;
  readonly problems: readonly string[];
};

export function showDemo(result: DemoResult): string {
  const number = (value: number): string => value.toLocaleString('en');
  const columns = [
    'accounts',
    result.source === 'bank' ? 'rows at the bank' : 'rows in the file',
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

const LINE_MS = 1000;

/** Where progress is written: standard error, so that standard output contains only the result. */
interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Reports progress: one line, rewritten in place, on a terminal; otherwise a new line on change, at most one a second.
 */
export class Progress {
  readonly #stream: ProgressStream;
  #shown = '';
  #open = false;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(stream: ProgressStream) {
    this.#stream = stream;
  }

  /** The start of a step; always shown. */
  step(text: string): void {
    this.#end();
    this.#write(text, true);
  }

  /** The progress of the step. */
  update(text: string): void {
    const due = performance.now() - this.#writtenAt >= (this.#stream.isTTY === true ? 100 : LINE_MS);
    if (text !== this.#shown && due) this.#write(text, false);
  }

  done(): void {
    this.#end();
  }

  #write(text: string, fresh: boolean): void {
    this.#shown = text;
    this.#writtenAt = performance.now();
    if (this.#stream.isTTY === true) {
      this.#stream.write(`${fresh ? '' : '\r\u001b[2K'}${text}`);
      this.#open = true;
    } else this.#stream.write(`${text}\n`);
  }

  #end(): void {
    if (this.#open) this.#stream.write('\n');
    this.#open = false;
  }
}
