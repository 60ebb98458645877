import { table } from '../../../src/surfaces/cli/table.ts';

/** The effects of one kind of fault. Everything between the number of faults and the time to recover must be 0. */
export interface Outcome {
  /** How often the fault struck. */
  readonly faults: number;
  /** Rows at the bank that are not at the destination. */
  readonly lost: number;
  /** Rows that arrived as new twice, and rows whose content differs from the bank's. */
  readonly doubled: number;
  /** Runs, requests and processes that did not recover on their own. */
  readonly stuck: number;
  /** Requests answered with 500. */
  readonly errors: number;
  /** The longest time from the end of a fault until the service did its work again. */
  readonly recoverySeconds: number;
  /** What went wrong, for a person. */
  readonly remarks?: readonly string[];
}

/** One kind of fault. */
export interface Scenario {
  readonly name: string;
  /** What it needs that this machine lacks, or null. */
  readonly missing: (machine: Machine) => string | null;
  /** @param scale 1 for the whole suite, less for its short form */
  readonly run: (machine: Machine, scale: number) => Promise<Outcome>;
}

/** What is available for the scenarios. */
export interface Machine {
  /** A Postgres server on which databases can be made. */
  readonly postgresUrl: string | null;
  readonly redisUrl: string | null;
  /** Whether a small file system can be mounted. */
  readonly canMount: boolean;
  /** A checkout or a package of an earlier version. */
  readonly earlierVersion: string | null;
}

export type Report = { readonly name: string } & (
  | { readonly outcome: Outcome; readonly seconds: number }
  | { readonly missing: string }
  | { readonly failure: string }
);

/** Whether nothing was lost, doubled, stuck or answered with 500. A scenario that could not run does not count. */
export function isClean(report: Report): boolean {
  if ('missing' in report) return true;
  if ('failure' in report) return false;
  const { lost, doubled, stuck, errors } = report.outcome;
  return lost + doubled + stuck + errors === 0;
}

export function showReports(reports: readonly Report[]): string {
  const rows = reports.map((report) => {
    if ('missing' in report) return [report.name, '', '', '', '', '', '', `left out: ${report.missing}`];
    if ('failure' in report) return [report.name, '', '', '', '', '', '', `failed: ${report.failure}`];
    const { faults, lost, doubled, stuck, errors, recoverySeconds, remarks = [] } = report.outcome;
    const numbers = [faults, lost, doubled, stuck, errors].map(String);
    return [report.name, ...numbers, recoverySeconds.toFixed(1), remarks.join('; ')];
  });
  const number = (title: string) => ({ title, align: 'right' }) as const;
  return table(
    [
      { title: 'FAULT' },
      number('FAULTS'),
      number('LOST'),
      number('DOUBLED'),
      number('STUCK'),
      number('500S'),
      number('SECONDS TO RECOVER'),
      { title: 'REMARKS' },
    ],
    rows,
  );
}
