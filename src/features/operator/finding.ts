import { isStoreUnavailable } from '../../vocabulary/store-unavailable.ts';
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

type Found = Finding | readonly Finding[];

/** One check, by the name under which it is reported if it cannot be carried out. */
export type Look = readonly [check: CheckName, look: () => Found | Promise<Found>, of?: string];

/** What these checks find, one after the other. One that raises is a finding itself, and none keeps others from theirs. */
export async function findingsFrom(looks: readonly Look[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look, of] of looks) {
    try {
      findings.push(...[await look()].flat());
    } catch (error) {
      findings.push(fail(check, `cannot be checked: ${reasonOf(error)}`, undefined, of));
    }
  }
  return findings;
}

/** What the system, Postgres or the network says, which names paths and roles but never a password. */
export function reasonOf(error: unknown): string {
  const cause = isStoreUnavailable(error) && error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return 'it does not answer';
  return 'code' in cause && typeof cause.code === 'string' && cause.message === ''
    ? cause.code
    : cause.message.replace(/\.$/, '');
}
