import { isLocalDate } from './moments.ts';

/** Published releases of v2, oldest first (docs/api-conventions.md#versions). A breaking change adds a line. */
export const RELEASES = ['2026-10-01.wattle'] as const;
export type Release = (typeof RELEASES)[number];
export const CURRENT_RELEASE: Release = '2026-10-01.wattle';
export const VERSION_HEADER = 'service-version';

const FORM = /^(\d{4}-\d{2}-\d{2})\.([a-z][a-z0-9-]{0,39})$/;
const FIRST_DATE = RELEASES[0].slice(0, 10);

export type VersionVerdict = 'version_required' | 'version_invalid' | 'version_unknown' | null;

/** The error code for the `Service-Version` header, or null if it names a published release. */
export function validateVersion(header: string | undefined): VersionVerdict {
  if (header === undefined || header === '') return 'version_required';
  const known: readonly string[] = RELEASES;
  if (known.includes(header)) return null;
  const date = FORM.exec(header)?.[1];
  if (date === undefined || date < FIRST_DATE || !isLocalDate(date)) return 'version_invalid';
  return 'version_unknown';
}
