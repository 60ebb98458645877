import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import type { LedgerView } from '../compare/ledger-view.ts';
import type { RowChange } from '../compare/row-changes.ts';
import type { SourceAccount } from './sync-source.ts';

/**
 * Looks at the transactions of one attempt at a run while they pass through memory. It stores nothing of them, holds
 * only a bounded part of them, and raises nothing.
 */
export interface RowWatch {
  /** A page as the bank has it, before it is compared. */
  read(stream: DeliveryStream, rows: readonly Transaction[]): void;
  /** What is to be sent of the rows that were read. */
  found(stream: DeliveryStream, changes: readonly RowChange[]): void;
  /** Once the attempt has ended, whatever the result; the ledger says which of its rows were delivered. */
  ended(ledger: Pick<LedgerView, 'entries'>): Promise<void>;
}

/** The account, whose pages are shown to the watch as they are read. */
export function watchedAccount(
  source: SourceAccount,
  stream: DeliveryStream,
  watch: RowWatch | null,
): SourceAccount {
  if (watch === null) return source;
  const { account, timezone, linkedAt, stored } = source;
  return {
    account,
    timezone,
    linkedAt,
    stored,
    history: (signal) => source.history(signal),
    async *pages(window, signal) {
      for await (const page of source.pages(window, signal)) {
        watch.read(stream, page);
        yield page;
      }
    },
    trades: (days, signal) => source.trades(days, signal),
    holdings: (signal, setAside) => source.holdings(signal, setAside),
    balance: (signal) => source.balance(signal),
  };
}
