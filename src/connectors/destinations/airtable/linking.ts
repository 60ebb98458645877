import type { AuthorizationOutcome, DestinationLinking } from '../destination-contract.ts';
import { asUpstream } from '../kit/as-upstream.ts';
import { freshAccess } from '../kit/fresh-access.ts';
import type { OAuth } from '../kit/oauth.ts';
import { writeGrant } from '../kit/oauth-grant.ts';
import type { AirtableApi } from './airtable-api.ts';

/** What people are asked to grant: their records, and the tables and columns that hold them. */
export const SCOPES = [
  'data.records:read',
  'data.records:write',
  'schema.bases:read',
  'schema.bases:write',
] as const;

/** Airtable has no call that ends a grant: people end it in the settings of their account. */
export function linkingOf(oauth: OAuth, api: AirtableApi): DestinationLinking {
  return {
    begin: async (request) => oauth.page(request),
    complete: async (callback, signal): Promise<AuthorizationOutcome> => {
      const tokens = await oauth.exchange(callback, signal);
      if (typeof tokens === 'string') return { kind: 'refused', reason: tokens };
      const { access, refresh, expires } = tokens;
      const unnamed = writeGrant({ access, refresh: null, expires, holder: '' });
      const by = { access: freshAccess(unnamed), signal, askedBy: 'person' } as const;
      const holder = await asUpstream(() => api.whoAmI(by), signal);
      return {
        kind: 'linked',
        grant: writeGrant({ access, refresh, expires, holder }),
        name: 'Airtable',
      };
    },
  };
}
