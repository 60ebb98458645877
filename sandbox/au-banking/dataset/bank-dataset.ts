import type { JsonObject } from '../../shared/json.ts';
import type { Row } from '../rows/row.ts';

/** A published or custom data file, converted to one form. Made by `loadBankDataset`. */
export type BankDataset = { readonly holders: readonly DatasetHolder[] };

/** A bank. `id` is a numeric string like the vendor's institution ids. */
export type DatasetHolder = {
  readonly id: string;
  readonly name: string;
  readonly customers: readonly DatasetCustomer[];
};

export type DatasetCustomer = {
  /** The log-in at the simulated bank. */
  readonly customer: string;
  readonly name: string;
  readonly accounts: readonly DatasetAccount[];
};

export type DatasetAccount = {
  readonly accountId: string;
  readonly currency: string;
  readonly closed: boolean;
  /** Account members in the vendor's names, newest version. */
  readonly detail: JsonObject;
  /** Null: the file has none, and the balance is the sum of the posted rows. */
  readonly balance: DatasetBalance | null;
  readonly rows: readonly Row[];
};

export type DatasetBalance = {
  readonly current: string;
  readonly available: string;
  readonly creditLimit: string | null;
  readonly amortisedLimit: string | null;
  readonly purses: readonly JsonObject[] | null;
};
