import type { ProviderKind } from './kind.ts';

/** Statement files that people upload (docs/statement-files.md): no vendor, no consent at a bank, no page. */
export const STATEMENT_FILES = {
  tag: 'df',
  linksInstitution: false,
  listsInstitutions: false,
  category: 'documents',
  country: null,
  // Of nothing: an account of files has the zone of its account record, and the currency of its file.
  timezone: 'UTC',
  currency: 'usd',
  limitsUnattended: false,
  console: null,
  texts: {
    name: 'Statement files',
    through: 'Files that you upload',
    institution: 'Bank',
    failures: {},
    invalidated: 'Deleted',
    granted: 'First file',
    withdrawal: 'delete the files and every row taken from them',
  },
} as const satisfies ProviderKind;
