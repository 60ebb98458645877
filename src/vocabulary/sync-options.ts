import type { LocalDate } from './moments.ts';

/** Options of a sync: what is read, and what a destination is shown of it. */
export interface SyncOptions {
  readonly data_from: LocalDate;
  readonly include_pending: boolean;
  readonly mask_account_numbers: boolean;
  readonly custom_categories: boolean;
  readonly include_balances_tab: boolean;
}
