import type { Actor } from '../../vocabulary/actors.ts';
import { CALLER_KINDS, type CallerKind } from '../../vocabulary/caller-kinds.ts';
import type { RunTrigger } from '../../vocabulary/syncs.ts';

/** Why a run is queued: what it says in `trigger`, and who is behind it. */
export interface RunCause {
  readonly trigger: RunTrigger;
  readonly actor: Actor;
}

/** The cause of a run that a caller asked for (docs/callers.md). */
export function askedBy(caller: Actor & { readonly kind: CallerKind }): RunCause {
  return { trigger: CALLER_KINDS[caller.kind].trigger, actor: caller };
}
