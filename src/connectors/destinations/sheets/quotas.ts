import type { QuotaUse } from '../quotas.ts';

/**
 * What Google allows in a minute: 300 reads and 300 writes for a project, 60 and 60 for each of its users
 * (docs/destination-services.md#google-sheets). A batch is one call, whatever is in it.
 */
const WINDOW_MS = 60_000;
const PROJECT = 300;
const USER = 60;
/** An account record's share of the project, so that nobody takes it all. */
const OWNER = 150;

const quotasOf = (kind: 'reads' | 'writes') => ({
  project: { name: `google-sheets-${kind}`, amount: PROJECT, windowMs: WINDOW_MS },
  owner: { name: `google-sheets-${kind}-owner`, amount: OWNER, windowMs: WINDOW_MS },
  user: { name: `google-sheets-${kind}-user`, amount: USER, windowMs: WINDOW_MS },
});
const QUOTAS = { read: quotasOf('reads'), write: quotasOf('writes') };

/** What a call of the Sheets API counts against. */
export function sheetsQuotas(kind: 'read' | 'write', owner: string): (holder: string) => readonly QuotaUse[] {
  const { user, owner: share, project } = QUOTAS[kind];
  return (holder) => [
    { quota: user, key: holder },
    { quota: share, key: owner },
    { quota: project, key: 'project' },
  ];
}

/** Drive allows so many calls that only its own refusals matter. */
export const NO_QUOTAS = (): readonly QuotaUse[] => [];
