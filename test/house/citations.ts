/**
 * Documents that readers of the repository do not have: the interface specification, notes on services of this kind
 * and the design. What they say is in docs/ in the project's own words.
 */
const ABSENT = [
  /\bSPEC\b/,
  /\bservice facts\b/i,
  /\bdesign(?:,? section| \d)/i,
  /\bthe (?:interface )?specification\b/i,
] as const;
const PAGE = /\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g;

/** Where the text cites a document that is not in the repository: `<path>:<line>: <citation>`. */
export function absentDocuments(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, at) => {
    const cited = ABSENT.flatMap((pattern) => pattern.exec(line)?.[0] ?? [])[0];
    return cited === undefined ? [] : [`${path}:${at + 1}: ${cited}`];
  });
}

/** A page of docs/ that a text cites, and the heading it names there, or null. */
export interface CitedPage {
  readonly page: string;
  readonly anchor: string | null;
}

/** Every page of docs/ that the text cites by its path. */
export function citedPages(text: string): CitedPage[] {
  return [...text.matchAll(PAGE)].map(([, page = '', anchor]) => ({ page, anchor: anchor ?? null }));
}
