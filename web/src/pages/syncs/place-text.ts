import type { Sync } from '#client';
import { SYNCS } from '../../text/syncs.ts';

/** What a destination is called, with its vendor where the name does not say it. */
export function placeText({ name, type }: Pick<Sync['destination'], 'name' | 'type'>): string {
  const vendor = SYNCS.vendor[type];
  return name === vendor ? name : `${name} (${vendor})`;
}
