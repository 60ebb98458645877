/** An instant together with the exact text the bank wrote for it. */
export type Moment = { readonly at: number; readonly text: string };

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Parses a full RFC 3339 instant; null for a bare date, a zoneless time or an impossible one. */
export function parseMoment(text: string): Moment | null {
  if (!RFC3339.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : { at, text };
}

/** An instant written in UTC to the second. */
export function utcMoment(at: number): Moment {
  return { at, text: utcText(at) };
}

/** `2026-11-20T05:55:00Z`; fractions of a second are cut. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
