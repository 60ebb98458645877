import { CHECKS, type CheckName } from './check-table.ts';

/** What one check found. `advice` says what to do about it. */
export type Finding = {
  /** The name of a check; of checks with several lines, followed by what the line is about. */
  readonly check: string;
  readonly outcome: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly advice: string | null;
  /** Whether `tributary doctor --fix` can do something about it. */
  readonly fixable?: boolean;
};

/** @param of what the line is about, if the check has one for each of several things */
export function ok(check: CheckName, found: string, of?: string): Finding {
  return { check: named(check, of), outcome: 'ok', found, advice: null };
}

export function warn(
  check: CheckName,
  found: string,
  advice: string = CHECKS[check].todo,
  of?: string,
): Finding {
  return { check: named(check, of), outcome: 'warn', found, advice };
}

export function fail(
  check: CheckName,
  found: string,
  advice: string = CHECKS[check].todo,
  of?: string,
): Finding {
  return { check: named(check, of), outcome: 'fail', found, advice };
}

export function fixable(finding: Finding): Finding {
  return { ...finding, fixable: true };
}

function named(check: CheckName, of: string | undefined): string {
  return of === undefined ? check : `${check} ${of}`;
}
