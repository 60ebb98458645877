/** RFC 3339 UTC with milliseconds (docs/api-conventions.md#dates-and-times). */
export function moment(at: Date): string {
  return at.toISOString();
}

export function momentOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
