import { publicId, type ResourceType, rowId } from '../../../vocabulary/ids.ts';
import { PROVIDER_IDENTIFIERS } from '../../../vocabulary/provider-kinds.ts';

/** An id that every example means by this resource, so that examples agree with each other. `which` for a second one. */
export function exampleId(resource: ResourceType, which = 1): string {
  const row = (NOUN_DIGITS.get(resource) ?? 0) * 100 + which;
  return publicId(resource, rowId(resource, `019a3c5e-7b40-7c21-9d0e-${row.toString(16).padStart(12, '0')}`));
}

const NOUN_DIGITS: ReadonlyMap<ResourceType, number> = new Map(
  (
    [
      'account_record',
      'api_key',
      'link_session',
      'connection',
      'consent',
      'account',
      'destination',
      'destination_link',
      'sync',
      'sync_run',
      'category',
      'ruleset',
      'rule',
      'event_destination',
      'event',
      'simplefin_app',
      'simplefin_setup_token',
      'saved_view',
      'category_assignment',
      'document',
    ] as const
  ).map((resource, at) => [resource, at + 1]),
);

/** When the examples' objects were created. */
export const EXAMPLE_CREATED = '2026-11-02T03:14:15.926Z';
export const EXAMPLE_UPDATED = '2026-11-20T22:05:09.418Z';

export const EXAMPLE_PROVIDER = PROVIDER_IDENTIFIERS[0];

export const EXAMPLE_INSTITUTION = {
  id: 'inst_fk_77',
  name: 'Wattle Bank',
  logo: 'https://logos.invalid/wattle.svg',
};

export const aud = (amount: number) => ({ amount, currency: 'aud' });
export const usd = (amount: number) => ({ amount, currency: 'usd' });
