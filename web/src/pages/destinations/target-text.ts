import type { Destination } from '#client';

import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { DESTINATIONS } from '../../text/destinations.ts';

/** What a destination writes to, in words: as its target names it, else what such a target is. */
export function targetText({ type, target }: Pick<Destination, 'type' | 'target'>): string {
  if (Object.keys(target).length === 0) return DESTINATIONS.noTarget;
  const { spreadsheet_name: spreadsheet, sheet_name: tab, schema, table, url } = target;
  if (spreadsheet !== undefined && tab !== undefined) return DESTINATIONS.tab(spreadsheet, tab);
  if (schema !== undefined && table !== undefined) return `${schema}.${table}`;
  return url ?? DESTINATION_KINDS[type].texts.target;
}
