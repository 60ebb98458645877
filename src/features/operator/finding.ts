/** What one check found. `advice` says what to do about it. */
export type Finding = {
  readonly check: string;
  readonly outcome: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly advice: string | null;
};

export function ok(check: string, found: string): Finding {
  return { check, outcome: 'ok', found, advice: null };
}

export function warn(check: string, found: string, advice: string): Finding {
  return { check, outcome: 'warn', found, advice };
}

export function fail(check: string, found: string, advice: string): Finding {
  return { check, outcome: 'fail', found, advice };
}
