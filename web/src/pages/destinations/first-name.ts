import type { Destination } from '#client';
import { DESTINATIONS } from '../../text/destinations.ts';

const MOST_CHARACTERS = 200;

/**
 * What to call a draft from now on, once it is known what it writes to: beside others of its vendor, the vendor's name
 * says nothing. Nothing for a name that somebody chose.
 */
export function firstName(
  { name, type, status }: Pick<Destination, 'name' | 'type' | 'status'>,
  target: string,
): { readonly name?: string } {
  const isVendors = status === 'incomplete' && name === DESTINATIONS.types[type];
  return isVendors && target.trim() !== '' ? { name: target.trim().slice(0, MOST_CHARACTERS) } : {};
}
