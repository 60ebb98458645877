import { CALLER_KIND_NAMES, type CallerKind } from './caller-kinds.ts';

/** Who can make a change: a caller of any kind, the operator, or the service itself. */
export const ACTOR_KIND_NAMES = [...CALLER_KIND_NAMES, 'operator', 'service'] as const;
export type ActorKind = CallerKind | 'operator' | 'service';

/** Who made a change, as runs and audit trails name them. Every caller is one. */
export interface Actor {
  readonly kind: ActorKind;
  /** For callers as in CALLER_KINDS; null for the operator and the service, of which there is one each. */
  readonly id: string | null;
}

/** A person at the command line of the installation. */
export const OPERATOR: Actor = { kind: 'operator', id: null };

/** Without a request: the schedule, the passing of time, or a report of a bank. */
export const SERVICE: Actor = { kind: 'service', id: null };
