import type { Actor, ActorKind } from '../vocabulary/actors.ts';

/** Who caused a row; both null in rows of an earlier version, which did not record it. */
export interface ActorColumns {
  actor_kind: ActorKind | null;
  actor_id: string | null;
}

/** An actor as it is stored; null for one that an earlier version did not record. */
export function actorColumns(actor: Actor | null): ActorColumns {
  return { actor_kind: actor?.kind ?? null, actor_id: actor?.id ?? null };
}

/** The actor that is stored, or null if none was recorded. */
export function storedActor({ actor_kind: kind, actor_id: id }: Readonly<ActorColumns>): Actor | null {
  return kind === null ? null : { kind, id };
}
