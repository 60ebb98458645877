import type { JsonObject } from '../../shared/json.ts';
import type { Moment } from './moment.ts';

export type RowStatus = 'PENDING' | 'POSTED';

/** The standard's transaction types (Consumer Data Standards, banking transaction). */
export type RowType =
  | 'DIRECT_DEBIT'
  | 'FEE'
  | 'INTEREST_CHARGED'
  | 'INTEREST_PAID'
  | 'OTHER'
  | 'PAYMENT'
  | 'TRANSFER_INCOMING'
  | 'TRANSFER_OUTGOING';

export type RowCategory = {
  readonly primary_category: string;
  readonly secondary_category: string;
  readonly confidence_level: 'VERY_HIGH' | 'HIGH' | 'MEDIUM' | 'LOW';
};

/** The content of a statement line, whatever its state. Amounts are signed decimal strings, negative = out. */
export type RowFacts = {
  readonly transactionId: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly type: string;
  readonly description: string;
  readonly reference: string;
  readonly execution: Moment | null;
  readonly value: Moment | null;
  readonly merchantName: string | null;
  readonly merchantCategoryCode: string | null;
  readonly billerCode: string | null;
  readonly billerName: string | null;
  readonly crn: string | null;
  readonly apcaNumber: string | null;
  readonly category: RowCategory | null;
  readonly extendedData: JsonObject | null;
};

/** How long a row is pending and what happens to it. Instants are epoch milliseconds. */
export type PendingLife = {
  readonly from: number;
  /** When it posts or vanishes; `Infinity` keeps it pending forever. */
  readonly until: number;
  readonly fate: 'posts' | 'vanishes';
  /** What the bank shows while it is pending; all null for a row without any date or id. */
  readonly shown: Pick<RowFacts, 'transactionId' | 'execution' | 'value'> & {
    readonly posting: Moment | null;
  };
  /** The bank's figure until `at`; afterwards the row's own amount applies. */
  readonly firstAmount: { readonly amount: string; readonly until: number } | null;
};

/** One movement through its whole life. `key` is unique within its account and never changes. */
export type Row = {
  readonly key: string;
  readonly facts: RowFacts;
  readonly posting: Moment | null;
  /** Null: the row appears posted at `visibleFrom`. */
  readonly pending: PendingLife | null;
  /** Epoch ms; `-Infinity` for rows that have always existed. */
  readonly visibleFrom: number;
};

/** A pending row to which the bank gives neither a date nor an id. */
export const NOTHING_SHOWN: PendingLife['shown'] = {
  transactionId: null,
  execution: null,
  value: null,
  posting: null,
};

export const NO_FACTS = {
  transactionId: null,
  currency: 'AUD',
  reference: '',
  execution: null,
  value: null,
  merchantName: null,
  merchantCategoryCode: null,
  billerCode: null,
  billerName: null,
  crn: null,
  apcaNumber: null,
  category: null,
  extendedData: null,
} as const;

/** The row as the bank shows it at a given time. */
export type SeenRow = {
  readonly fiskilId: string;
  readonly position: number;
  readonly status: RowStatus;
  readonly facts: RowFacts;
  readonly posting: Moment | null;
  /** Posting time, else execution time; null if the row has neither. */
  readonly effective: number | null;
};
