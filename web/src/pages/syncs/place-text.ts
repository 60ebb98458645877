import type { Sync } from '#client';

import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';

/** What a destination is called, with its vendor where the name does not say it. */
export function placeText({ name, type }: Pick<Sync['destination'], 'name' | 'type'>): string {
  const vendor = DESTINATION_KINDS[type].texts.name;
  return name === vendor ? name : `${name} (${vendor})`;
}
