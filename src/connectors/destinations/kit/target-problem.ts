import { DestinationFailure } from '../destination-failure.ts';
import type { TargetProblem } from '../destination-target.ts';
import { VendorRefusal } from './failures.ts';

/**
 * What the call reads; null where the vendor has nothing of that id: gone, never shared, or of another kind.
 *
 * @param alsoStatus the status by which the vendor refuses an id that is none, where the call has nothing else to refuse
 */
export async function orMissing<T>(call: () => Promise<T>, alsoStatus?: number): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error;
    if (error.code === 'destination_resource_missing') return null;
    if (error instanceof VendorRefusal && error.status === alsoStatus) return null;
    throw error;
  }
}

export function targetProblem(key: string, message: string): TargetProblem {
  return { part: 'target', name: key, message };
}

/** The first of the ids that is not among those that may be written to; null for none. */
export function firstUnknown(
  part: 'places' | 'categories',
  ids: readonly string[],
  known: ReadonlySet<string>,
  message: string,
): TargetProblem | null {
  const name = ids.find((id) => !known.has(id));
  return name === undefined ? null : { part, name, message };
}
