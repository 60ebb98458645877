/** RFC 3339 UTC with milliseconds (SPEC, v2 conventions). */
export function moment(at: Date): string {
  return at.toISOString();
}

export function momentOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
