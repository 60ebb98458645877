import type { CallerKind } from '../../vocabulary/caller-kinds.ts';
import type { RowId } from '../../vocabulary/ids.ts';

/** Whose requests are counted: those of a caller under its id, and those of its account record together. */
export interface CountedCaller {
  readonly kind: CallerKind;
  readonly id: string;
  readonly accountRecord: { readonly id: RowId<'account_record'> };
}

/** What a limit is of: one caller, or all callers of an account record together. */
export type LimitedBy = 'caller' | 'account_record';
