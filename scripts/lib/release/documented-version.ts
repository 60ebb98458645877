import { globSync } from 'node:fs';

/** Where a command or a sentence of a page names the newest release: a tag of the repository, or of an image. */
const NAMED =
  /(?<=\bgit (?:checkout|clone --branch) v|`v|registry\.example\.com\/tributary:)\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?(?=[\s`])/g;

/** The pages in which the version may be named, as paths from the root. */
export function documentedPages(root: string): string[] {
  return globSync('docs/**/*.md', { cwd: root }).toSorted();
}

/** The page with this version wherever it names the newest release. */
export function withDocumentedVersion(page: string, version: string): string {
  return page.replaceAll(NAMED, version);
}

/** Which versions the page names so. */
export function documentedVersions(page: string): ReadonlySet<string> {
  return new Set(page.match(NAMED) ?? []);
}
