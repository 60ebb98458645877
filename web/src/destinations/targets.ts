import type { Destination, DestinationResource } from '#client';
import type { DestinationKind, TargetStep } from '../../../src/vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS } from '../../../src/vocabulary/destination-kinds.ts';
import { DESTINATIONS } from '../text/destinations.ts';
import { destinationTexts } from '../text/kinds.ts';

/** What a destination writes to, in words: the name of its target, or else the kind of target. */
export function targetText({ type, target }: Pick<Destination, 'type' | 'target'>): string {
  if (Object.keys(target).length === 0) return DESTINATIONS.noTarget;
  const { spreadsheet_name: spreadsheet, sheet_name: tab, schema, table, url } = target;
  if (spreadsheet !== undefined && tab !== undefined) return DESTINATIONS.tab(spreadsheet, tab);
  if (schema !== undefined && table !== undefined) return `${schema}.${table}`;
  return url ?? destinationTexts(type).target;
}

type Target = Destination['target'];
type Steps = NonNullable<DestinationKind['target']['steps']>;

/** As much of a name as a target may hold (docs/limits.md). */
const NAME = 200;

/** The target that these choices make. */
export function targetOf(
  { outer: { key }, inner: innerStep, names }: Steps,
  outer: DestinationResource,
  inner: DestinationResource | null,
): Target {
  if (innerStep === null || inner === null) return { [key]: outer.id };
  const ids = { [key]: outer.id, [innerStep.key]: inner.id };
  if (names === undefined) return ids;
  const [outerName, innerName] = names;
  return { ...ids, [outerName]: outer.name.slice(0, NAME), [innerName]: inner.name.slice(0, NAME) };
}

/** The kind of a destination's target, if its vendor has an address for it. */
export function addressedKind({ type }: Pick<Destination, 'type'>): TargetStep | null {
  const { steps, hasAddress } = DESTINATION_KINDS[type].target;
  return steps === null || !hasAddress ? null : (steps.inner ?? steps.outer);
}

const MOST_CHARACTERS = 200;

/**
 * A new name for a draft once its target is known, since the vendor's name does not distinguish it from others there.
 * Undefined for a name that a person chose.
 */
export function firstName(
  { name, type, status }: Pick<Destination, 'name' | 'type' | 'status'>,
  target: string,
): { readonly name?: string } {
  const isVendors = status === 'incomplete' && name === destinationTexts(type).name;
  return isVendors && target.trim() !== '' ? { name: target.trim().slice(0, MOST_CHARACTERS) } : {};
}
