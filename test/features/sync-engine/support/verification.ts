import type { Verification } from '../../../../src/features/sync-engine/verify/verification-result.ts';
import type { Verifications } from '../../../../src/features/sync-engine/verify/verifications.ts';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import type { World } from './world.ts';

export function verified(
  world: World,
  sync: Sync,
  {
    by = world.verifications(),
    signal = new AbortController().signal,
  }: { readonly by?: Verifications; readonly signal?: AbortSignal } = {},
): Promise<Verification> {
  return by.of(world.owner.id, sync.row.id, () => undefined, signal);
}

/** Reason and row of each problem, by the row. */
export function problemsOf({ problems }: Verification): readonly (readonly [reason: string, id: string])[] {
  return problems
    .map(({ reason, id }) => [reason, id] as const)
    .toSorted(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
}
