import type { Destination } from '#client';

import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';

const MOST_CHARACTERS = 200;

/**
 * What to call a draft from now on, once it is known what it writes to: beside others of its vendor, the vendor's name
 * says nothing. Nothing for a name that somebody chose.
 */
export function firstName(
  { name, type, status }: Pick<Destination, 'name' | 'type' | 'status'>,
  target: string,
): { readonly name?: string } {
  const isVendors = status === 'incomplete' && name === DESTINATION_KINDS[type].texts.name;
  return isVendors && target.trim() !== '' ? { name: target.trim().slice(0, MOST_CHARACTERS) } : {};
}
