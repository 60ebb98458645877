import type { Actor, ActorKind } from '../vocabulary/actors.ts';

/** Who caused a row. */
export interface ActorColumns {
  actor_kind: ActorKind;
  /** As Actor.id. */
  actor_id: string | null;
}

/** An actor as it is stored. */
export function actorColumns({ kind, id }: Actor): ActorColumns {
  return { actor_kind: kind, actor_id: id };
}

/** The actor that is stored. */
export function storedActor({ actor_kind: kind, actor_id: id }: Readonly<ActorColumns>): Actor {
  return { kind, id };
}
