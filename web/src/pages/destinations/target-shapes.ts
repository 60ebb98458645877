import type { Destination, DestinationResource } from '#client';

import type { DestinationKind, TargetStep } from '../../../../src/vocabulary/destination-kinds/kind.ts';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';

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

/** The kind of thing a destination is aimed at, where its vendor has an address for it. */
export function addressedKind({ type }: Pick<Destination, 'type'>): TargetStep | null {
  const { steps, hasAddress } = DESTINATION_KINDS[type].target;
  return steps === null || !hasAddress ? null : (steps.inner ?? steps.outer);
}
