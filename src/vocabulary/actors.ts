import { CALLER_KIND_NAMES, type CallerKind } from './caller-kinds.ts';

/** Who can be behind a change: a caller of any kind, the operator, or the service by itself. */
export const ACTOR_KIND_NAMES = [...CALLER_KIND_NAMES, 'operator', 'service'] as const;
export type ActorKind = CallerKind | 'operator' | 'service';

/** Who is behind a change, as runs and audit trails name them. Every caller is one. */
export interface Actor {
  readonly kind: ActorKind;
  /** For callers as CALLER_KINDS says; null for the operator and the service, of whom there is one. */
  readonly id: string | null;
}

/** A person at the command line of the installation. */
export const OPERATOR: Actor = { kind: 'operator', id: null };

/** Nobody asked: the schedule, the passing of time, or what a bank reported. */
export const SERVICE: Actor = { kind: 'service', id: null };
